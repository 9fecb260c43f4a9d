import { describe, expect, it } from 'vitest';
import { uploadCalls } from './calls.ts';
import { UploadSave } from './schema.ts';

const upload = {
  active: true,
  host: 'kanal.de',
  port: 22,
  user: 'kanal',
  pass: 'x',
  dir: '/eingang',
  filename: 'a.csv',
};
const isTaken = (part: object) => UploadSave.safeParse({ ...upload, ...part }).success;

describe('folder and file name of an upload', () => {
  it.each(['..', '../x', '/a/../b', 'a/..', '/eingang\r\nDELE a', 'a\0b', 'a\tb', 'x'.repeat(256)])(
    'T20 the folder %j is refused',
    (dir) => expect(isTaken({ dir })).toBe(false),
  );

  it.each([
    'a/b.csv',
    '../a.csv',
    'a\\b.csv',
    'a\r\nSITE EXEC',
    'a\0.csv',
    'a;b.csv',
    '`id`.csv',
    '$(id)',
    'a|b',
    'x'.repeat(129),
    '.',
    '..',
    ' ..',
  ])('T20 the file name %j is refused', (filename) => expect(isTaken({ filename })).toBe(false));

  it('T20 a file name may have umlauts, blanks and dots', () => {
    expect(isTaken({ filename: 'Größen Übersicht-1.v2_neu.csv', dir: '/a/b..c/' })).toBe(true);
  });
});

describe('the port of an upload', () => {
  const check = (port: unknown) => uploadCalls.checkUpload.body.safeParse({ host: 'kanal.de', port });

  it.each(['', null, undefined])('FTP-01 FTP-03 is 22 if a save or a check comes with %j', (port) => {
    expect(UploadSave.parse({ ...upload, port }).port).toBe(22);
    expect(check(port).data?.port).toBe(22);
  });

  it.each([0, -1, 65_536, 22.5, 'abc', true, [22], '0x16'])(
    'FTP-01 FTP-03 cannot be %j, and the error names the valid range',
    (port) => {
      const words = 'Der Port ist eine ganze Zahl von 1 bis 65535.';
      expect(UploadSave.safeParse({ ...upload, port }).error?.issues[0]?.message).toBe(words);
      expect(check(port).error?.issues[0]?.message).toBe(words);
    },
  );
});
