import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import type { SecurityKind } from '#shared/http/call.ts';

/** Kinds that docs/security.md tells under other words. */
const words: Partial<Record<SecurityKind, string>> = {
  sign_out: 'sign-out',
  session: 'sign-out',
  proof: 'sign-out',
  factor: 'second factor',
  deletion: 'settings',
};
/** Calls whose event is written by what they do, not by their record: public ones, and ones of which only a part stands there. */
const written = [
  'password: resetPassword',
  'member: acceptInvitation',
  'secret: saveImportSchedule',
  'secret: restore',
  'prices: restore',
  'prices: saveListings',
  'prices: saveImportSchedule',
];

it('docs/security.md names exactly the calls that write into the security log, by kind (T18)', () => {
  const text = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');
  const table = text.slice(text.indexOf('| kind | where it is written |')).split('\n\n')[0] ?? '';
  const named = table.split('\n').flatMap((row) => {
    const [, kind = '', where = ''] = row.split('|');
    const calls = [...where.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    return calls.map((name) => `${/^[\w -]+/.exec(kind.trim())?.[0].trim()}: ${name}`);
  });
  const recorded = Object.entries(api).flatMap(([name, call]) =>
    'security' in call ? [`${words[call.security] ?? call.security}: ${name}`] : [],
  );
  expect(named.toSorted()).toEqual([...recorded, ...written].toSorted());
});
