import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';

it('docs/security.md names exactly the calls that are limited as questions (T22)', () => {
  const text = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8');
  const table = text.slice(text.indexOf('| question | calls |')).split('\n\n')[0] ?? '';
  const named = table
    .split('\n')
    .flatMap((row) => [...(row.split('|')[2] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ''));
  const questions = Object.entries(api).flatMap(([name, call]) => ('question' in call ? [name] : []));
  expect(named.toSorted()).toEqual(questions.toSorted());
});
