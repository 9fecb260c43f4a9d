import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Duck } from '#platform/duck.ts';
import { OutputFormat } from '#shared/exports.ts';
import { writeOutput } from './write.ts';

const awkward = [
  'einfach',
  '"',
  '""',
  "'",
  ';',
  ',',
  '\t',
  '|',
  '\n',
  '\r\n',
  '\r',
  ' vorn',
  '#rautе',
  '<b>',
  '&amp;',
  ']]>',
  '<![CDATA[x]]>',
  'a\u0001b',
  '\ufffe',
  '\\',
  '\\n',
  'äöüß€',
  '😀',
  '中文',
  '\u2028',
  'x'.repeat(100_000),
  '{"a":1}',
  '=1+1',
  null,
];
const names = ['erste', 'zweite "Spalte"; mit <Zeichen> & mehr', '__proto__'];

describe('writing files', () => {
  let folder: string;
  let duck: Duck;
  let parquet: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kontor-write-'));
    duck = await Duck.open({ folder, memoryLimit: '500MB' });
    parquet = join(folder, 'run.parquet');
    const rows = awkward.map((_, index) => `(${index}, $${index + 1})`).join(', ');
    await duck.all({
      sql: `copy (select 'A-' || i as _id, v as c0, 'x' || coalesce(v, '') as c1, 'fest' as c2, hash(v) as _hash from (values ${rows}) t(i, v) order by i) to '${parquet}' (format parquet)`,
      values: awkward,
    });
  });
  afterAll(() => {
    duck.close();
    rmSync(folder, { recursive: true });
  });

  const write = async (format: object): Promise<string> => {
    const target = join(folder, 'out');
    const columns = names.map((name, index) => ({ name, column: `c${index}`, number: false }));
    await writeOutput(
      duck,
      { parquet, items: awkward.length, columns, title: 'A & B' },
      OutputFormat.parse(format),
      target,
    );
    return readFileSync(target, 'utf8');
  };
  const expected = awkward.map((value) => [value ?? '', `x${value ?? ''}`, 'fest']);

  for (const delimiter of [';', ',', '\t', '|']) {
    for (const quote of ['"', "'"]) {
      for (const quoting of ['needed', 'always']) {
        for (const lineEnd of ['\n', '\r\n']) {
          it(`CSV with ${JSON.stringify({ delimiter, quote, quoting, lineEnd })} is read back exactly`, async () => {
            const text = await write({ kind: 'csv', delimiter, quote, quoting, lineEnd });
            expect(parse(text, { delimiter, quote, escape: quote, record_delimiter: lineEnd })).toEqual([
              names,
              ...expected,
            ]);
            expect(text.endsWith(lineEnd)).toBe(true);
          });
        }
      }
    }
  }

  it('CSV without a header starts with the first item', async () => {
    expect(parse(await write({ kind: 'csv', header: false }), { delimiter: ';', record_delimiter: '\r\n' })).toEqual(
      expected,
    );
  });

  it.each(['json', 'jsonl'])('%s is read back exactly, missing values as null', async (kind) => {
    const text = await write({ kind });
    const objects = (
      kind === 'json'
        ? (JSON.parse(text) as unknown[])
        : text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as unknown)
    ) as Record<string, string | null>[];
    expect(objects.map((one) => Object.values(one))).toEqual(
      awkward.map((value) => [value, `x${value ?? ''}`, 'fest']),
    );
    expect(Object.keys(objects[0] ?? {})).toEqual(names);
  });

  it('XML is well-formed and read back exactly but for the characters it forbids', async () => {
    const cells: string[][] = [];
    const parser = new SaxesParser();
    let text = '';
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('opentag', (tag) => {
      if (tag.name === 'product') cells.push([]);
      text = '';
    });
    parser.on('text', (part) => (text += part));
    parser.on('cdata', (part) => (text += part));
    parser.on('closetag', (tag) => {
      if (tag.name !== 'product' && tag.name !== 'products') cells.at(-1)?.push(text);
    });
    parser.write(await write({ kind: 'xml' })).close();
    // oxlint-disable-next-line no-control-regex -- exactly the characters that XML forbids
    const allowed = (value: string) => value.replaceAll(/[\u0001\ufffe]/g, '');
    expect(cells).toEqual(
      awkward.map((value) => [...(value === null ? [] : [allowed(value)]), `x${allowed(value ?? '')}`, 'fest']),
    );
  });

  it('the same items in the same format have the same ETag, other items or formats another', async () => {
    const etag = async (format: object, column: string) =>
      (
        await writeOutput(
          duck,
          { parquet, items: awkward.length, columns: [{ name: 'a', column, number: false }], title: 't' },
          OutputFormat.parse(format),
          join(folder, 'out'),
        )
      ).etag;
    expect(await etag({}, 'c0')).toBe(await etag({}, 'c0'));
    expect(await etag({}, 'c1')).not.toBe(await etag({}, 'c0'));
    expect(await etag({ kind: 'xml' }, 'c0')).not.toBe(await etag({}, 'c0'));
  });
});
