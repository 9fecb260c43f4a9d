import { expect, test } from 'vitest';
import { storedSignIn } from './stored-sign-in.ts';

const settings = { host: 'alt.example', port: 22, user: 'ich' };
const stored = { active: true, host: 'neu.example', port: '', user: 'ich' };
const known = { host: 'neu.example', port: 22, user: 'ich' };

test('FTP-01 a password just saved counts as stored before the page has loaded it again', () => {
  for (const passSet of [false, true])
    expect(storedSignIn({ revision: 3, settings, passSet }, { revision: 4, stored })).toEqual(known);
});

test('FTP-01 without a newer save the loaded state decides', () => {
  expect(storedSignIn({ revision: 4, settings, passSet: true }, { revision: 4, stored })).toEqual(settings);
  expect(storedSignIn({ revision: 4, settings, passSet: false }, { revision: 4, stored })).toBeNull();
});

test('FTP-01 an upload that was saved switched off needs no password', () => {
  const off = { ...stored, active: false };
  expect(storedSignIn({ revision: 3, settings, passSet: false }, { revision: 4, stored: off })).toBeNull();
});
