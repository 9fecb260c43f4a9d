import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hasInputData, inputBytes, onlyWithInputData } from '../../../test/stages/input-data.ts';
import { DuckDb, type DuckDbSession } from '#platform/duckdb/duckdb.ts';
import { readRules } from './read-rules.ts';
import { checkRegex } from './regex.ts';
import { tableRelation } from '#engine/duckdb/relation.ts';
import { countRule } from '#engine/analysis/rule-counts.ts';
import { act, rule, when } from '#engine/testing/case.ts';

/** A backtracking engine needs hours for these patterns; the limit is generous because this test does not measure speed. */
const HANGS_MS = 30_000;
/** The number of items on which every pattern is tried, and on which only the slowest are. */
const [FEW, MANY] = [200, 100_000];

let folder: string;
let duckdb: DuckDb;
let session: DuckDbSession;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-regex-'));
  duckdb = await DuckDb.open({ folder });
  session = await duckdb.session();
});

afterAll(async () => {
  session.close();
  duckdb.close();
  await rm(folder, { recursive: true });
});

type Pattern = { readonly pattern: string; readonly attack: string };

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** Evaluates an expression like `"a"+"b"*10000+"!"` to its text; '' if it is no such expression. */
function attackText(expression: string): string {
  const quote = '("(?:[^"\\\\]|\\\\.)*")';
  const found = new RegExp(`^${quote}\\+${quote}\\*(\\d+)\\+${quote}$`, 's').exec(expression);
  if (!found) return '';
  const [, start = '', pump = '', times = '', end = ''] = found;
  const text = (quoted: string) => {
    try {
      return z.string().parse(JSON.parse(quoted));
    } catch {
      return quoted.slice(1, -1);
    }
  };
  return text(start) + text(pump).repeat(Number(times)) + text(end);
}

const Patterns = z.array(z.object({ pattern: z.string(), attack: z.string() }));

/** Our own patterns: some merchants write, some make backtracking engines hang, some RE2 lacks; `attack`: an expression. */
function ownPatterns(): (Pattern & { usable: boolean })[] {
  const file = new URL('../../../test/data/regex/patterns.json', import.meta.url);
  const Own = z.array(
    z.object({ pattern: z.string(), attack: z.string().default(''), usable: z.boolean().default(true) }),
  );
  return Own.parse(JSON.parse(readFileSync(file, 'utf8'))).map((one) => ({ ...one, attack: attackText(one.attack) }));
}

/** Patterns of real users, and patterns known to make other engines hang, with the text that does so. */
function realPatterns(): Pattern[] {
  const library = z.object({ pattern: z.string(), attack_expression: z.array(z.string()) });
  const text = (name: string) => inputBytes(`regex/${name}`).toString('utf8');
  return [
    ...Patterns.parse(JSON.parse(text('redos_classics.json'))),
    ...lines(text('redos_regexlib.jsonl')).map((line) => {
      const { pattern, attack_expression } = library.parse(JSON.parse(line));
      return { pattern, attack: attackText(attack_expression[0] ?? '') };
    }),
    ...lines(text('regex101_corpus.txt.gz')).map((pattern) => ({ pattern, attack: '' })),
  ];
}

/** Creates a table of titles; one in a hundred is the attack text (cut at 100,000 letters; at 10,000 on many items). */
async function titles(count: number, attack: string): Promise<void> {
  await session.all({
    sql: `CREATE OR REPLACE TEMP TABLE titles AS SELECT i::VARCHAR AS id, i AS row, CASE WHEN i % 100 = 0 AND $1 <> ''
      AND i < 10000 THEN left($1, ${count > FEW ? 10_000 : 100_000})
      ELSE 'Bohrschrauber aaaaaaaaaaaaa! (' || i || '), 10.00 EUR ' || repeat('x ', i % 10) END AS t FROM range(${count}) r(i)`,
    values: [attack],
  });
}

/** Measures the milliseconds for the counts of a rule that searches for the pattern and replaces its matches. */
async function timeOf({ pattern }: Pattern): Promise<number> {
  const tried = rule([when('Titel', 'regex', pattern)], [act('Titel', 'searchRegex', pattern, '-')]);
  const { statement } = countRule(tableRelation('titles', new Map([['Titel', 't']])), readRules([tried]), tried.id);
  const start = performance.now();
  await session.all(statement);
  return performance.now() - start;
}

/** Expects that no pattern blocks DuckDB, nor the slowest ones on many items. */
async function expectQuick(sample: readonly Pattern[]): Promise<void> {
  const times: (Pattern & { took: number })[] = [];
  let table: string | undefined;
  for (const one of sample) {
    if (one.attack !== table) await titles(FEW, one.attack);
    table = one.attack;
    times.push({ ...one, took: await timeOf(one) });
  }
  expect(times.filter(({ took }) => took > HANGS_MS).map(({ pattern }) => pattern)).toEqual([]);

  const late: string[] = [];
  for (const one of times.toSorted((a, b) => b.took - a.took).slice(0, 6)) {
    await titles(MANY, one.attack === '' ? 'a'.repeat(10_000) : one.attack);
    const took = await timeOf(one);
    console.info(`${Math.round(took)} ms on ${MANY} items: ${one.pattern.slice(0, 60)}`);
    if (took > HANGS_MS) late.push(one.pattern);
  }
  expect(late).toEqual([]);
}

const german = /^(?:[A-ZÄÖÜ„].*[.)]|)$/s;

describe('T8 RUL-07 our own patterns', () => {
  const patterns = ownPatterns();

  test('T8 each is accepted or refused as intended, and refused with a German sentence', () => {
    const accepted = patterns.map(({ pattern }) => ({ pattern, usable: checkRegex(pattern) === undefined }));
    expect(accepted).toEqual(patterns.map(({ pattern, usable }) => ({ pattern, usable })));
    for (const { pattern } of patterns) expect(checkRegex(pattern) ?? 'Gut.').toMatch(german);
  });

  test(`T8 none of them blocks DuckDB, nor do the slowest on ${MANY} items`, { timeout: 300_000 }, () =>
    expectQuick(patterns.filter(({ usable }) => usable)),
  );
});

describe.skipIf(!hasInputData)(`T8 RUL-07 real patterns (${onlyWithInputData})`, () => {
  const patterns = hasInputData ? realPatterns() : [];
  const usable = patterns.filter(({ pattern }) => checkRegex(pattern) === undefined);
  // All that are known to be malicious, and every eighth of the ordinary ones.
  const sample = usable.filter(({ attack }, index) => attack !== '' || index % 8 === 0);

  test('T8 most are accepted, the others refused with a German sentence', () => {
    console.info(`${usable.length} of ${patterns.length} patterns are usable`);
    expect(usable.length).toBeGreaterThan(3_000);
    for (const { pattern } of patterns) expect(checkRegex(pattern) ?? 'Gut.').toMatch(german);
  });

  test(`T8 none of them blocks DuckDB, nor do the slowest on ${MANY} items`, { timeout: 600_000 }, () =>
    expectQuick(sample),
  );
});
