import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hasInputData, inputFile, onlyWithInputData } from '../../../test/stages/input-data.ts';
import { samples } from '../../../test/stages/feed/import-samples.ts';
import { importContent, importFile, withFolder, type Imported } from '#feed/import/reader/import-fixture.ts';

function hasZstd(): boolean {
  try {
    execFileSync('zstd', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function filesIn(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
}

/** Holds for every file: the import ends soon, with a sum that adds up or a German refusal, and leaves no temporary files. */
function checkOutcome(file: string, imported: Imported, milliseconds: number): void {
  const { result, leftovers, rejected, rows } = imported;
  expect(leftovers, file).toEqual([]);
  expect(milliseconds, file).toBeLessThan(60_000);
  if (!result.ok) {
    expect(result.message, file).toMatch(/nichts importiert/u);
    return;
  }
  expect(result.rowsIn, file).toBe(result.accepted + result.rejected + result.duplicates);
  expect(rows.length, file).toBe(result.accepted);
  expect(rejected.length, file).toBe(result.rejected + result.duplicates);
  for (const row of rejected) expect(row.reason.length > 5 && row.raw.length <= 10_000, file).toBe(true);
}

async function importChecked(file: string): Promise<Imported> {
  const started = performance.now();
  const imported = await importFile(file);
  checkOutcome(file, imported, performance.now() - started);
  return imported;
}

/** CI has half an hour for all tests, so it reads only some of these hundreds of files. */
const everyNth = process.env['CI'] === undefined ? 1 : 4;

/** A row's cell texts by column name, line ends as LF. */
const plainRow = (cells: readonly (readonly [string, string])[]) =>
  Object.fromEntries(cells.map(([name, value]) => [name, value.replaceAll('\r\n', '\n')]));

for (const source of samples)
  describe.skipIf(source.absent)(`hostile and unusual files: ${source.of}`, () => {
    const { expected } = source;
    const plainFiles = source.names('torture').filter((name) => !name.endsWith('.zst') && !name.includes('/pairs/'));

    test.each(plainFiles)('I8 %s is either imported with counts that add up or refused', async (name) => {
      const { result, rows } = await importChecked(source.file(name));
      const expectation = expected.get(name)?.expect ?? '';
      const items = /^(\d+) items?\b(?!.*or clear)/u.exec(expectation)?.[1];
      if (items !== undefined) expect(result).toMatchObject({ ok: true, rowsIn: Number(items) });
      if (/^(error|clear message|clear limit, no freeze|not unpacked|nothing written|clear error)$/u.test(expectation))
        expect(result.ok).toBe(false);
      expect(JSON.stringify(rows)).not.toMatch(/root:.:0:0/u);
    });

    test('every encoding and dialect variant yields the cells of the reference file', async () => {
      const reference = await importFile(source.file('torture/encodings/utf8_semicolon.csv'));
      expect(reference.rows.length).toBeGreaterThan(15);
      const variants = [...expected].flatMap(([name, entry]) => (entry.equals_reference_utf8_semicolon ? [name] : []));
      expect(variants.length).toBeGreaterThan(14);
      for (const name of variants) {
        const variant = await importFile(source.file(name), { contentType: 'text/csv; charset=ISO-8859-1' });
        const plain = (rows: string[][]) => rows.map((row) => row.map((cell) => cell.replaceAll('\r\n', '\n')));
        expect(plain(variant.rows), name).toEqual(plain(reference.rows));
      }
    });

    test('CSV files yield exactly the records of their JSON counterparts', async () => {
      const pairs = pairsOf(source.names('torture/csv'));
      expect(pairs.length).toBeGreaterThan(4);
      for (const { csv, json } of pairs) {
        const records = z.union([Records, Record.transform((one) => [one])]);
        const expected = records.parse(JSON.parse(fs.readFileSync(source.file(json), 'utf8')));
        const { result, rows } = await importFile(source.file(csv), { options: { header: true } });
        if (!result.ok) throw new Error(result.message);
        const found = rows.map((row) => plainRow(result.fields.map(({ header }, index) => [header, row[index] ?? ''])));
        expect(found, csv).toEqual(expected.map((row) => plainRow(Object.entries(row))));
      }
    });
  });

const Record = z.record(z.string(), z.string());
const Records = z.array(Record);

/** The CSV and JSON pairs of our samples and of csv-spectrum, but location_coordinates, whose files differ (telephone number). */
function pairsOf(names: readonly string[]): { csv: string; json: string }[] {
  return names
    .filter((name) => /\/(pairs|csvs)\/[^/]+\.csv$/u.test(name) && !name.includes('location_coordinates'))
    .map((csv) => ({ csv, json: csv.replace('/csvs/', '/json/').replace(/\.csv$/u, '.json') }));
}

describe('JSON and CSV according to their standards', () => {
  const json = (text: string | Buffer) => importContent(text, { name: 'artikel.json' });

  test.each([
    '[{"a":"\\u00e4\\n"}]',
    ' [ {"a" : -1.5e-3 } ] ',
    '[]',
    '{}',
    '[{"":0}]',
    '[{"a":{"b":[[]]}}]',
    '[{"a":null}]',
  ])('valid JSON is accepted or has no items: %s', async (text) => {
    const { result } = await json(text);
    expect(result.ok || result.code === 'json_no_items').toBe(true);
  });

  test.each([
    '[{"a":1,}]',
    '[{"a":01}]',
    '[{"a":.5}]',
    '[{a:1}]',
    "[{'a':1}]",
    '[{"a":"\\x"}]',
    '[{"a":"\n"}]',
    '[{"a":1}',
    '[{"a":tru}]',
    '[{"a":1}] x',
    '[{"a":1 "b":2}]',
  ])('invalid JSON is refused: %s', async (text) => expect((await json(text)).result.ok).toBe(false));

  test.each(['a,b\n1,"x" y\n', 'a,b\n1,"x\n', 'a,b\n1\n1,2,3\n'])(
    'invalid CSV is refused or reported: %j',
    async (text) => {
      const { result } = await importContent(text, { options: { header: true } });
      expect(!result.ok || result.rejected > 0 || result.warnings.length > 0).toBe(true);
    },
  );
});

const suites = [
  'csv/duckdb-csv',
  'csv/frictionless-data',
  'csv/csvkit-examples',
  'csv/pollock-files',
  'csv/pollock-survey',
  'csv/csv-test-data',
  'json/JSONTestSuite',
  'xml/libxml2-tests',
  'xlsx/sheetjs',
];

describe.skipIf(!hasInputData || !hasZstd())(`third-party test suites (${onlyWithInputData}, or zstd is)`, () => {
  let folder = '';
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(fs.realpathSync('/tmp'), 'kontor-torture-'));
    for (const suite of suites) {
      const target = path.join(folder, suite);
      fs.mkdirSync(target, { recursive: true });
      const tar = execFileSync('zstd', ['-dc', '--long=27', inputFile(`torture/${suite}.tar.zst`)], {
        maxBuffer: 1 << 30,
      });
      execFileSync('tar', ['-x', '-C', target], { input: tar });
    }
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  test.each(suites)(
    'I8 every file of %s is either imported with counts that add up or refused',
    { timeout: 600_000 },
    async (suite) => {
      const files = filesIn(path.join(folder, suite));
      let refused = 0;
      for (const file of files.filter((_, index) => index % everyNth === 0))
        if (!(await importChecked(file)).result.ok) refused += 1;
      console.log(`${suite}: ${files.length} files, ${refused} refused`);
      expect(files.length).toBeGreaterThan(10);
    },
  );

  const expected = samples.find(({ of }) => of !== 'ours')?.expected;

  test('JSONTestSuite: files that must be accepted are, files that must be refused are', async () => {
    const suite = expected?.get('torture/json/JSONTestSuite.tar.zst');
    const file = (name: string) =>
      filesIn(path.join(folder, 'json/JSONTestSuite')).find((each) => path.basename(each) === name) ?? name;
    for (const name of suite?.must_accept_y ?? []) {
      const { result } = await importFile(file(name));
      expect(result.ok || result.code === 'json_no_items', name).toBe(true);
    }
    for (const name of suite?.must_reject_n ?? []) expect((await importFile(file(name))).result.ok, name).toBe(false);
  });

  test('RFC 4180 pairs: good files are read exactly, bad ones are refused or reported', async () => {
    const pairs = expected?.get('torture/csv/csv-test-data.tar.zst')?.pairs ?? {};
    for (const [name, expected] of Object.entries(pairs)) {
      const file = path.join(folder, 'csv/csv-test-data/csv', name);
      if (!fs.existsSync(file) || name === 'all-empty.csv') continue;
      const { result, rows } = await importFile(file, { options: { header: name.startsWith('header') } });
      if (typeof expected === 'string')
        expect(!result.ok || result.rejected > 0 || result.warnings.length > 0, name).toBe(true);
      else if (!result.ok) throw new Error(`${name}: ${result.message}`);
      else if (name.startsWith('header'))
        expect(rows, name).toEqual(expected.map((row) => Object.values(z.record(z.string(), z.string()).parse(row))));
      else expect(rows, name).toEqual(expected);
    }
  });
});

describe('truncated files', () => {
  test('T7 F17 a file cut at any byte is refused or imported with counts that add up', async () => {
    const whole = Buffer.from(
      `sku;name;text\n${Array.from({ length: 20 }, (_, index) => `${index};"Größe ""${index}""\nXL";weiß`).join('\n')}\n`,
    );
    await withFolder(async (folder) => {
      for (let length = 0; length < whole.length; length += 4) {
        const file = path.join(folder, 'cut.csv');
        fs.writeFileSync(file, whole.subarray(0, length));
        await importChecked(file);
      }
    });
  });
});
