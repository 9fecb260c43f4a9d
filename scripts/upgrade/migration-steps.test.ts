import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { breakingSteps } from './migration-steps.ts';

const folder = new URL('../../migrations/', import.meta.url);
/** Earlier migrations were written before two versions could run side by side, and cannot be changed any more. */
const FIRST_JUDGED = 53;

it('the previous version can keep running after every migration', () => {
  const files = readdirSync(folder).filter((name) => Number(name.slice(0, 4)) >= FIRST_JUDGED);
  expect(files.length).toBeGreaterThan(0);
  const found = files.map((name) => [name, breakingSteps(readFileSync(new URL(name, folder), 'utf8'))]);
  expect(found.filter(([, steps]) => steps?.length !== 0)).toEqual([]);
});

it.each([
  ['drop table offers;', 'a table or view is dropped'],
  ['alter table a drop column b;', 'a column is dropped'],
  ['alter table a\n  rename column b to c;', 'something is renamed'],
  ['alter table a alter column b type bigint;', 'a column changes its type'],
  ['alter table a alter column b set not null;', 'a column becomes not null'],
  ['alter table a add column b text not null;', 'a new column is not null and has no default'],
  ['do $$ begin execute 1; drop table x; end $$;', 'a table or view is dropped'],
])('%j is reported as a breaking step', (sql, what) => {
  expect(breakingSteps(sql)).toEqual([expect.stringContaining(what)]);
});

it.each([
  "alter table a add column b text not null default '';",
  'alter table a add column b text not null generated always as (upper(c)) stored;',
  'create table a (b text not null);',
  'alter table a drop constraint a_check;\nalter table a add constraint a_check check (b > 0);',
  '-- A note: nobody may drop table b.\ncreate index a_b on a (b);',
  '-- second step: nothing has read it since 0061\nalter table a drop column b;',
])('%j is accepted as compatible', (sql) => {
  expect(breakingSteps(sql)).toEqual([]);
});
