import { expect, it } from 'vitest';
import { Vault } from '#platform/crypto/vault.ts';
import { isPictureMark, pictureMarks } from './picture-marks.ts';

const vault = new Vault('a-secret-of-an-installation-0123456789');
const address = 'https://bilder.example/ä 1.jpg?x=1&y=2';

it('T12 a mark is valid only for its own address, company and installation', () => {
  const mark = pictureMarks(vault, 'one', [address])[address] ?? '';
  expect(isPictureMark(vault, 'one', address, mark)).toBe(true);
  expect(isPictureMark(vault, 'two', address, mark)).toBe(false);
  expect(isPictureMark(vault, 'one', `${address}3`, mark)).toBe(false);
  expect(isPictureMark(new Vault('another-secret-0123456789-0123456789'), 'one', address, mark)).toBe(false);
  for (const forged of ['', mark.slice(1), mark.toUpperCase(), `${mark}0`, 'ä'.repeat(32)])
    expect(isPictureMark(vault, 'one', address, forged)).toBe(false);
});

it('T1 only http addresses get a mark', () => {
  const others = [
    '',
    'bild.jpg',
    '//host/a.jpg',
    'file:///etc/passwd',
    'data:image/png;base64,AA',
    'http://',
    '__proto__',
  ];
  expect(pictureMarks(vault, 'one', [...others, `http://a/${'x'.repeat(4000)}`])).toEqual({});
});
