import { expect, it } from 'vitest';
import { requireGoodPassword } from './password-rules.ts';

const context = { name: 'Frieda Yılmaz', email: 'frieda.yilmaz@nordkap.de', companyName: 'Nordkap Handels GmbH' };

it.each([
  ['a common password repeated', 'passwordpassword'],
  ['a sequence of digits', '123456789012'],
  ['one repeated character', 'aaaaaaaaaaaaaa'],
  ['a keyboard row', 'qwertzuiopü+'],
  ['a common password followed by the year', 'Password2026'],
  ['a common German password with digits', 'passwort1234'],
  ['the name of the product', 'KontorKontor1'],
  ['the company name', 'nordkaphandels'],
  ['the names of user and company', 'FriedaNordkap1'],
  ['the e-mail address', 'frieda.yilmaz@nordkap.de'],
  ['a German word with digits', 'schokolade123'],
  ['a German word with the digit 1', 'Schmetterling1'],
  ['a German word with the year', 'Weihnachten2026'],
  ['a German quotation', 'ichbineinberliner'],
  ['a German declaration of love', 'ichliebedich123'],
  ['two German words', 'borussiadortmund'],
  ['a German placeholder name', 'mustermann123'],
  ['the passphrase of a well-known comic', 'correcthorsebatterystaple'],
  ['the beginning of a pangram', 'thequickbrownfox'],
  ['a leaked Latin phrase', 'perasperaadastra'],
  ['a leaked password in other letter case', 'AvadaKedavra'],
  ['a leaked Russian word on an English keyboard', 'ytpfdbcbvjcnm'],
])('%s is rejected as too easy to guess: %s', async (_, password) => {
  await expect(requireGoodPassword(password, context)).rejects.toThrow('zu leicht zu erraten');
});

it.each([
  ['three words', 'lampe-wolke-trecker'],
  ['a sentence', 'Der Kranich frisst am Dienstag nur Zwiebeln.'],
  ['a generated password', 'vK3-xq9_LmZ0'],
  ['three German words', 'kaffee lineal mondschein'],
  ['words in another script', 'водолаз-ящик-сирень'],
])('%s is accepted without rules about kinds of characters: %s', async (_, password) => {
  await expect(requireGoodPassword(password, context)).resolves.toBeUndefined();
});
