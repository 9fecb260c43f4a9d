import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { ownText, duck, statement } from '#platform/duckdb/sql.ts';
import { ChannelField } from '#shared/channels/schema.ts';
import { OutputFormat } from '#shared/exports/schema.ts';
import { encodeFile } from './encode.ts';
import { openOutputs, type OutputFixture } from '#feed/stages/output/testing/output-fixture.ts';
import { writeOutput } from '#feed/stages/output/write.ts';

/** Characters with a plain form, marks that are composed or not, other scripts and pictures. */
const unusual = ['\u2010\u2011\u2012–—―−•\u2002\u2003\u2007\u2009\u200A\u202F\u200B\u200D\uFEFF…€™‘’‚‛“”„‟‹›ŁžЖ中😀']
  .flatMap((all) => Array.from(all))
  .concat(['e\u0301', 'o\u030b', 'u\u0308\u0301', 'e\u0301\u0308', '\u0301', 'l\u0308–']);

const latin = { kind: 'csv', encoding: 'iso-8859-1' } as const;

describe('keys that an encoding makes equal', () => {
  let outputs: OutputFixture;
  let folder: string;
  let duckdb: DuckDb;
  beforeAll(async () => {
    outputs = await openOutputs();
    folder = mkdtempSync(join(tmpdir(), 'kontor-keys-'));
    duckdb = await DuckDb.open({ folder, memoryLimit: '500MB' });
  });
  afterAll(() => {
    outputs.close();
    duckdb.close();
    rmSync(folder, { recursive: true });
  });

  /** Writes items with these keys, exported in the column 'sku', and returns the warnings. */
  async function warningsOf(keys: readonly string[], format: object): Promise<string[]> {
    const [parquet, target] = [join(folder, 'run.parquet'), join(folder, 'out')];
    const rows = duck`SELECT id AS _id, id AS x0, 'Ware ' || chr(8211) AS x1, hash(id) AS _hash
      FROM (SELECT unnest(from_json(CAST(${JSON.stringify(keys)} AS JSON), '["VARCHAR"]')) AS id)`;
    await duckdb.all(statement(duck`COPY (${rows}) TO ${ownText(parquet)} (FORMAT parquet)`));
    const columns = ['sku', 'titel'].map((name, index) => ({ name, column: `x${index}`, number: false, price: false }));
    const source = { parquet, items: keys.length, columns, title: 'T', id: 'e', updated: new Date(0) };
    return (await writeOutput(duckdb, source, OutputFormat.parse(format), target)).warnings;
  }

  it('article numbers that differ only in a dash are named, with their number', async () => {
    const [warning, ...others] = await warningsOf(['A–1', 'A-1', 'A—1', 'B–1', 'C“', 'C', 'D', 'E-1', 'E–1'], latin);
    expect(others).toEqual([]);
    expect(warning).toContain('in „sku“ denselben Wert');
    expect(warning).toContain('2 Werte: „A-1“ (aus „A-1“ und „A–1“ und „A—1“), „E-1“ (aus „E-1“ und „E–1“).');
  });

  it('so are letters that become a question mark, and marks that are composed; only the first are named', async () => {
    expect((await warningsOf(['Ł1', 'Ę1', 'u\u0308', 'ü'], latin))[0]).toContain('„?1“ (aus „Ę1“ und „Ł1“)');
    const many = Array.from({ length: 9 }, (_, n) => [`${n}–`, `${n}-`]).flat();
    expect((await warningsOf(many, latin))[0]).toMatch(/9 Werte: „0-“ .*„2-“ \(aus „2-“ und „2–“\) und 6 weitere\. /);
  });

  it('no warning if the file keeps the characters, or the numbers stay different', async () => {
    expect(await warningsOf(['A–1', 'A-1'], { ...latin, encoding: 'windows-1252' })).toEqual([]);
    expect(await warningsOf(['A–1', 'A-1'], { kind: 'csv', encoding: 'utf-16le' })).toEqual([]);
    expect(await warningsOf(['A–1', 'A-1'], { kind: 'csv' })).toEqual([]);
    expect(await warningsOf(['A–1', 'A-2', 'B'], latin)).toEqual([]);
  });

  it.each(['iso-8859-1', 'iso-8859-15', 'windows-1252'])(
    '%s: a number is equal to what the file has of it',
    async (encoding) => {
      const format = OutputFormat.parse({ kind: 'csv', encoding });
      const keys = unusual.map((text, n) => `${n}${text}!`);
      const [from, to] = [join(folder, 'from'), join(folder, 'to')];
      writeFileSync(from, keys.join('\n'));
      await encodeFile(from, to, format);
      const inFile = new TextDecoder(encoding).decode(readFileSync(to)).split('\n');
      const changed = inFile.filter((text, n) => text !== keys[n]);
      expect(changed.length).toBeGreaterThan(9);
      const [warning] = await warningsOf([...keys, ...changed], format);
      expect(warning).toContain(`${changed.length} Werte: `);
    },
  );

  it('a field in which the channel allows no value twice is checked, too; titles may be equal', async () => {
    const field = ChannelField.parse({ name: 'mpn', title: 'MPN', group: '', requirement: '', unique: true });
    const rows = [
      ['M…1', 'x–y'],
      ['M...1', 'x-y'],
    ];
    const { warnings } = await outputs.write([{ name: 'mpn', field }, { name: 'titel' }], rows, latin);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('einen Wert: „M...1“ (aus „M...1“ und „M…1“).');
  });
});
