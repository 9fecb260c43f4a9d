import { expect, it } from 'vitest';
import { requireGoodPassword } from './password-rules.ts';

const context = { name: 'Frieda Yılmaz', email: 'frieda.yilmaz@nordkap.de', companyName: 'Nordkap Handels GmbH' };

it.each([
  ['a common password said twice', 'passwordpassword'],
  ['a row of digits', '123456789012'],
  ['one key', 'aaaaaaaaaaaaaa'],
  ['a row of keys', 'qwertzuiopü+'],
  ['a common one with the year behind it', 'Password2026'],
  ['a German one with digits', 'passwort1234'],
  ['the name of the program', 'KontorKontor1'],
  ['the company', 'nordkaphandels'],
  ['name and company', 'FriedaNordkap1'],
  ['the e-mail address', 'frieda.yilmaz@nordkap.de'],
  ['a German word with digits', 'schokolade123'],
  ['a German word with one', 'Schmetterling1'],
  ['a German word with the year', 'Weihnachten2026'],
  ['a German saying', 'ichbineinberliner'],
  ['a declaration of love', 'ichliebedich123'],
  ['two German words', 'borussiadortmund'],
  ['a German name', 'mustermann123'],
  ['the example of a comic', 'correcthorsebatterystaple'],
  ['the example of typists', 'thequickbrownfox'],
  ['a leaked saying', 'perasperaadastra'],
  ['a leaked spell, in other letters', 'AvadaKedavra'],
  ['a leaked Russian word on an English keyboard', 'ytpfdbcbvjcnm'],
])('%s is too easy to guess: %s', async (_, password) => {
  await expect(requireGoodPassword(password, context)).rejects.toThrow('zu leicht zu erraten');
});

it.each([
  ['three words', 'lampe-wolke-trecker'],
  ['a sentence', 'Der Kranich frisst am Dienstag nur Zwiebeln.'],
  ['what a password manager makes', 'vK3-xq9_LmZ0'],
  ['three German words', 'kaffee lineal mondschein'],
  ['letters of other scripts', 'водолаз-ящик-сирень'],
])('%s is accepted without rules about kinds of characters: %s', async (_, password) => {
  await expect(requireGoodPassword(password, context)).resolves.toBeUndefined();
});
