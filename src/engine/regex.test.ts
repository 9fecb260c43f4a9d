import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Duck } from '#platform/duck.ts';
import { checkRegex, groupCount, replacementRewrite } from './regex.ts';

let folder: string;
let duck: Duck;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-regex-'));
  duck = await Duck.open({ folder });
});

afterAll(async () => {
  duck.close();
  await rm(folder, { recursive: true });
});

describe('RUL-07 T8 patterns that RE2 cannot run are refused in German', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['a(?=b)', /Look-around/],
    ['(?!x)', /Look-around/],
    ['(?<=a)b', /Look-around/],
    ['(?<!a)b', /Look-around/],
    ['(a)\\1', /Rückverweise/],
    ['(?<name>a)', /\(\?P<name>…\)/],
    ['(', /schließende Klammer \)/],
    ['a)', /öffnende Klammer/],
    ['[a', /schließende Klammer \]/],
    ['*a', /fehlt das Zeichen/],
    ['a**', /hintereinander/],
    ['a{1001}', /1000/],
    ['[z-a]', /Bereich/],
    ['a\\', /Am Ende/],
    ['\\y', /Unbekanntes Zeichen/],
    ['(?>a)', /wird nicht unterstützt/],
    ['\\p{Garay}', /Zeichenklasse „Garay“/],
    ['\\pL{1000}', /zu groß/],
    ['(.{1000}){2}', /1000/],
    ['a'.repeat(513), /länger als 512/],
  ];
  test.each(refused)('%s', (pattern, reason) => {
    expect(checkRegex(pattern)).toMatch(reason);
  });

  test.each([
    'a',
    '',
    '(?i)größe',
    '(?P<n>a)',
    '\\(?<b>',
    '[(?<a]',
    '\\Q(?<x>\\E',
    '[^\\d]{2,5}',
    '\\p{Lu}\\p{Latin}',
    '.{1000}',
    'a'.repeat(512),
  ])('%s is usable', (pattern) => expect(checkRegex(pattern)).toBeUndefined());
});

test('RUL-05 replacements know the groups of their pattern, everything else stands for itself', () => {
  expect(groupCount('(a)(?:b)(c)')).toBe(2);
  expect(replacementRewrite('\\2-\\1-\\0-\\3', 2)).toBe('\\2-\\1-\\0-');
  expect(replacementRewrite('$1 \\n \\\\ \\', 2)).toBe('$1 \\\\n \\\\ \\\\');
});

const real = '../shared/data/regex';

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** Patterns known to hang other engines, with a text that makes them hang where one is at hand. */
function evilPatterns(): { pattern: string; attack: string }[] {
  const classics = z.array(z.object({ pattern: z.string(), attack: z.string() }));
  const library = z.object({ pattern: z.string() });
  return [
    ...classics.parse(JSON.parse(readFileSync(`${real}/redos_classics.json`, 'utf8'))),
    ...lines(readFileSync(`${real}/redos_regexlib.jsonl`, 'utf8')).map((line) => ({
      ...library.parse(JSON.parse(line)),
      attack: '',
    })),
  ];
}

describe.skipIf(!existsSync(real))('T8 real patterns (skipped where the files are absent)', () => {
  test('T8 every pattern is refused here, or DuckDB takes it', { timeout: 120_000 }, async () => {
    const corpus = lines(gunzipSync(readFileSync(`${real}/regex101_corpus.txt.gz`)).toString('utf8'));
    const usable = [...evilPatterns().map(({ pattern }) => pattern), ...corpus].filter(
      (pattern) => checkRegex(pattern) === undefined,
    );
    expect(usable.length).toBeGreaterThan(2_000);
    const failed: string[] = [];
    for (const pattern of usable) {
      await duck
        .all({ sql: 'SELECT regexp_matches($1, $2)', values: ['abc', pattern] })
        .catch(() => failed.push(pattern));
    }
    expect(failed).toEqual([]);
  });

  test('T8 evil patterns run on 100,000 texts within 2 seconds each', { timeout: 300_000 }, async () => {
    const evil = evilPatterns().filter(({ pattern }) => checkRegex(pattern) === undefined);
    const connection = await duck.connect();
    const slow: string[] = [];
    // Every sixth of the library: all of them take minutes and showed the same.
    for (const { pattern, attack } of evil.filter((one, index) => one.attack !== '' || index % 6 === 0)) {
      await connection.run(
        `CREATE OR REPLACE TEMP TABLE texts AS SELECT CASE WHEN i % 1000 = 0 AND $1 <> '' THEN left($1, 2000) ELSE 'Artikel ' || i || ' aaaaaaaaaaaaaaaaaaaaaaaa!, schwarz, 10.00 ' || repeat('x ', i % 40) END AS t FROM range(100000) r(i)`,
        [attack],
      );
      const start = performance.now();
      await connection.runAndReadAll('SELECT count(*) FROM texts WHERE regexp_matches(t, $1)', [pattern]);
      if (performance.now() - start > 2_000) slow.push(pattern);
    }
    connection.closeSync();
    expect(slow).toEqual([]);
  });
});
