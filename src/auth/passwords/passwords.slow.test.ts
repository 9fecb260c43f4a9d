import { createHook } from 'node:async_hooks';
import { expect, it } from 'vitest';
import { hashPassword, isOfForm, isPassword } from './passwords.ts';

const password = 'lampe-wolke-trecker';
const ask = { asker: 'known', bothForms: false } as const;
/** As versions before Argon2id stored it. */
const older =
  '4d13aacbf9db55bd9ac0554eb62de9aa:6820271d0cb2455fa564b47e2f71512076b13adebffa732eeae0e0f244b153846e3283a8fb3a2887c1392033b97e17508a8db064aec408b217a524877328cef4';

it('a password is stored as Argon2id, with its parameters and a salt next to the hash', async () => {
  const [one, other] = await Promise.all([hashPassword(password, 'argon2id'), hashPassword(password, 'argon2id')]);
  // At least what OWASP recommends: 19 MiB and two passes.
  expect(one).toMatch(/^\$argon2id\$v=19\$m=28672,t=3,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(other);
  expect([isOfForm(one, 'argon2id'), isOfForm(one, 'scrypt')]).toEqual([true, false]);
  expect(await isPassword(password, one, ask)).toBe(true);
  expect(await isPassword('lampe-wolke-treckeR', one, ask)).toBe(false);
});

it('an Argon2id hash of another program is verified with its own parameters, and counts as outdated', async () => {
  // From the tests of the reference implementation.
  const stored = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
  expect(await isPassword('password', stored, ask)).toBe(true);
  expect(await isPassword('Password', stored, ask)).toBe(false);
  expect(isOfForm(stored, 'argon2id')).toBe(false);
});

it('an scrypt hash of a version before Argon2id still verifies, and scrypt hashes can still be made', async () => {
  expect(await isPassword(password, older, ask)).toBe(true);
  expect(await isPassword('lampe-wolke', older, ask)).toBe(false);
  expect([isOfForm(older, 'argon2id'), isOfForm(older, 'scrypt')]).toEqual([false, true]);
  const made = await hashPassword(password, 'scrypt');
  expect(made).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
  expect(await isPassword(password, made, ask)).toBe(true);
});

it('the same letters in another Unicode normalization are the same password', async () => {
  const stored = await hashPassword('Grün-Fluß-Ähre'.normalize('NFC'), 'argon2id');
  expect(await isPassword('Grün-Fluß-Ähre'.normalize('NFD'), stored, ask)).toBe(true);
});

it.each([null, '', '$argon2id$v=19$m=28672,t=3,p=1$$'])('no password matches the stored value %j', async (stored) => {
  expect(await isPassword('', stored, ask)).toBe(false);
});

it('T16 while both hash forms are in use, a wrong password costs one hash of each, whatever is stored', async () => {
  const stored = { none: undefined, older, today: await hashPassword(password, 'argon2id') };
  for (const [name, text] of Object.entries(stored)) {
    const hashes = await hashesOf(() => isPassword('falsch', text, { asker: 'stranger', bothForms: true }));
    expect([name, ...hashes.sort()]).toEqual([name, 'ARGON2REQUEST', 'SCRYPTREQUEST']);
  }
});

/** Returns the hashes that Node computes during the work. They are counted, because times would depend on other load. */
async function hashesOf(work: () => Promise<unknown>): Promise<string[]> {
  const hashes: string[] = [];
  const hook = createHook({ init: (_id, type) => void (/^(ARGON2|SCRYPT)REQUEST$/.test(type) && hashes.push(type)) });
  hook.enable();
  await work();
  hook.disable();
  return hashes;
}
