import { expect, it } from 'vitest';
import { accountEmail, typedEmail } from './email.ts';

it.each([
  ['jo@müller.de', 'jo@xn--mller-kva.de'],
  ['Jo@MÜLLER.de', 'Jo@xn--mller-kva.de'],
  ['jo@xn--mller-kva.de', 'jo@xn--mller-kva.de'],
  ['jo@straße.example.com', 'jo@xn--strae-oqa.example.com'],
  ['jo@例え.jp', 'jo@xn--r8jz45g.jp'],
  ['jo@beispiel.de', 'jo@beispiel.de'],
])('%s is the account %s, and is stored as typed in other settings', (typed, account) => {
  expect(accountEmail('').parse(typed)).toBe(account);
  expect(typedEmail('').parse(typed)).toBe(typed);
});

it.each([
  'jö@müller.de',
  'jo@müller',
  'jo@müller.de:80',
  'jo@müller.de/x',
  'müller.de',
  'a@b@müller.de',
  'jo@１.2.3.4',
  '',
])('%s is no address', (typed) => {
  expect(accountEmail('').safeParse(typed).success).toBe(false);
  expect(typedEmail('').safeParse(typed).success).toBe(false);
});
