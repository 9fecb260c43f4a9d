import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defences, documented, unproven } from './defences.ts';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

describe('the defences that the mutation check removes one by one', () => {
  it('the code of each occurs exactly once in its file, and its replacement differs from it', () => {
    const lost = defences.filter(({ file, from, to }) => from === to || read(file).split(from).length !== 2);
    expect(lost.map(({ threat, what }) => `${threat} ${what}`)).toEqual([]);
  });

  it('the test file of each exists', () => {
    expect(defences.filter(({ test }) => !existsSync(new URL(`../../${test}`, import.meta.url)))).toEqual([]);
  });

  it('the test title of each occurs in its test file, so that the test runs', () => {
    const lost = defences.filter(({ test, title }) => !read(test).includes(title));
    expect(lost.map(({ threat, what, title }) => `${threat} ${what}: ${title}`)).toEqual([]);
  });

  it('every threat and every fault of the requirements has a defence, or a reason why it has none', () => {
    const ids = [...read('docs/requirements.md').matchAll(/^- ([TF]\d+) /gm)].map(([, id]) => id);
    const known = new Set([...defences, ...unproven].map(({ threat }) => threat));
    expect(ids).toHaveLength(46);
    expect(ids.filter((id) => id === undefined || !known.has(id))).toEqual([]);
  });

  it('docs/security.md lists exactly these defences', () => {
    const rows = read('docs/security.md')
      .split('\n')
      .filter((line) => /^\| [TFMH]\d+ +\|/.test(line))
      .map((line) => line.replaceAll(/\s+\|/g, ' |'));
    expect(rows).toEqual(documented());
  });

  it('importing the check does not start it', () => {
    // For no threat it would only start its databases and print its table.
    const script = `await import(${JSON.stringify(new URL('check-defences.ts', import.meta.url).href)})`;
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script, 'x', 'T0'], {
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, '']);
  });
});
