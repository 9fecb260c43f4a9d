import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import type { SecurityKind } from '#shared/http/call.ts';

/** Kinds of events that docs/security.md calls by another name. */
const words: Partial<Record<SecurityKind, string>> = {
  sign_out: 'sign-out',
  session: 'sign-out',
  proof: 'sign-out',
  factor: 'second factor',
  deletion: 'settings',
};
/** Calls whose event their code writes, not their definition: public calls, and calls that log only some actions. */
const written = [
  'password: resetPassword',
  'member: acceptInvitation',
  'secret: saveImportSchedule',
  'secret: restore',
  'prices: restore',
  'prices: saveListings',
  'prices: saveImportSchedule',
];

const text = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');

/** Returns the names of the calls in the table of docs/security.md that begins with `head`. */
const calledIn = (head: string): string[] => {
  const table = text.slice(text.indexOf(head)).split('\n\n')[0] ?? '';
  return [...table.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).toSorted();
};

/** Calls that require a proof only for some of their actions. */
const sometimes = [
  'saveRepricerRule',
  'orderRepricerRules',
  'deleteRepricerRule',
  'saveListings',
  'setRepricerState',
  'stopPrices',
  'saveRules',
  'saveMasterRules',
  'deleteRule',
  'deleteMasterRule',
  'saveMapping',
  'deleteMappings',
  'orderMappings',
  'saveImportSchedule',
  'restore',
  'restoreTrashed',
];

it('docs/security.md names exactly the calls that require a fresh proof of identity (T26)', () => {
  const proven = Object.entries(api).flatMap(([name, call]) => ('stepUp' in call ? [name] : []));
  expect(calledIn('| a fresh proof is asked for |')).toEqual([...proven, ...sometimes].toSorted());
});

it('docs/security.md names exactly the calls that only people may make, not tokens (M7)', () => {
  const people = Object.entries(api).flatMap(([name, call]) => ('people' in call ? [name] : []));
  expect(calledIn('| asked by people alone |')).toEqual(people.toSorted());
});

it('docs/security.md names exactly the calls that write into the security log, by kind (T18)', () => {
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
