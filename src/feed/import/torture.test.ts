import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { dataFolder, hasData, readExpected } from './expected-data.ts';
import { importFile, withFolder, type Imported } from '#feed/import/reader/import-fixture.ts';

const expected = readExpected();
const torture = path.join(dataFolder, 'torture');

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

/** What holds for every file whatsoever: it ends soon, with a sum that adds up or a German refusal and no traces. */
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

/** CI has half an hour for everything: of these hundreds of files it reads some. */
const everyNth = process.env['CI'] === undefined ? 1 : 4;
const plainFiles = filesIn(torture).filter((file) => !file.endsWith('.zst'));

describe.skipIf(!hasData)('hostile and odd files (skipped without the sample data)', () => {
  let read = 0;
  let refused = 0;
  afterAll(() => console.log(`${read} torture files read, ${refused} of them refused`));

  test.each(plainFiles.map((file) => path.relative(torture, file)))(
    'I8 %s ends with a sum that adds up or a refusal',
    async (name) => {
      const { result, rows } = await importChecked(path.join(torture, name));
      read += 1;
      if (!result.ok) refused += 1;
      const expectation = expected.get(`torture/${name}`);
      const items = /^(\d+) items?\b(?!.*or clear)/u.exec(expectation?.expect ?? '')?.[1];
      if (items !== undefined) expect(result).toMatchObject({ ok: true, rowsIn: Number(items) });
      if (
        /^(error|clear message|clear limit, no freeze|not unpacked|nothing written|clear error)$/u.test(
          expectation?.expect ?? '',
        )
      )
        expect(result.ok).toBe(false);
      expect(JSON.stringify(rows)).not.toMatch(/root:.:0:0/u);
    },
  );

  test('every encoding and dialect variant gives the cells of the reference file', async () => {
    const reference = await importFile(path.join(torture, 'encodings/utf8_semicolon.csv'));
    expect(reference.rows).toHaveLength(300);
    const variants = [...expected]
      .filter(([, entry]) => entry.equals_reference_utf8_semicolon === true)
      .map(([file]) => file);
    expect(variants.length).toBeGreaterThan(15);
    for (const file of variants) {
      const variant = await importFile(path.join(dataFolder, file), { contentType: 'text/csv; charset=ISO-8859-1' });
      const plain = (rows: string[][]) => rows.map((row) => row.map((cell) => cell.replaceAll('\r\n', '\n')));
      expect(plain(variant.rows), file).toEqual(plain(reference.rows));
    }
  });

  test('csv-spectrum: all pairs are exact', async () => {
    const folder = path.join(torture, 'csv/csv-spectrum');
    // The pair location_coordinates disagrees with itself (another telephone number in the JSON).
    const files = filesIn(path.join(folder, 'csvs')).filter((file) => !file.includes('location_coordinates'));
    for (const file of files) {
      const text: unknown = JSON.parse(
        fs.readFileSync(path.join(folder, 'json', path.basename(file).replace('.csv', '.json')), 'utf8'),
      );
      const wanted = z
        .array(z.record(z.string(), z.string()))
        .parse(Array.isArray(text) ? text : [text])
        .map((row) =>
          Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value.replaceAll('\r\n', '\n')])),
        );
      const { result, rows } = await importFile(file, { options: { header: true } });
      if (!result.ok) throw new Error(result.message);
      expect(
        rows.map((row) =>
          Object.fromEntries(result.fields.map((field, index) => [field.header, row[index]?.replaceAll('\r\n', '\n')])),
        ),
        file,
      ).toEqual(wanted);
    }
  });
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

describe.skipIf(!hasData || !hasZstd())('test suites of others (skipped without the sample data or zstd)', () => {
  let folder = '';
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(fs.realpathSync('/tmp'), 'kontor-torture-'));
    for (const suite of suites) {
      const target = path.join(folder, suite);
      fs.mkdirSync(target, { recursive: true });
      const tar = execFileSync('zstd', ['-dc', '--long=27', path.join(torture, `${suite}.tar.zst`)], {
        maxBuffer: 1 << 30,
      });
      execFileSync('tar', ['-x', '-C', target], { input: tar });
    }
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  test.each(suites)(
    'I8 every file of %s ends with a sum that adds up or a refusal',
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

  test('JSONTestSuite: what must be accepted is valid, what must be refused is refused', async () => {
    const suite = expected.get('torture/json/JSONTestSuite.tar.zst');
    const file = (name: string) =>
      filesIn(path.join(folder, 'json/JSONTestSuite')).find((each) => path.basename(each) === name) ?? name;
    for (const name of suite?.must_accept_y ?? []) {
      const { result } = await importFile(file(name));
      expect(result.ok || result.code === 'json_no_items', name).toBe(true);
    }
    for (const name of suite?.must_reject_n ?? []) expect((await importFile(file(name))).result.ok, name).toBe(false);
  });

  test('RFC 4180 pairs: good files are exact, bad ones are refused or flagged', async () => {
    const pairs = expected.get('torture/csv/csv-test-data.tar.zst')?.pairs ?? {};
    for (const [name, wanted] of Object.entries(pairs)) {
      const file = path.join(folder, 'csv/csv-test-data/csv', name);
      if (!fs.existsSync(file) || name === 'all-empty.csv') continue;
      const { result, rows } = await importFile(file, { options: { header: name.startsWith('header') } });
      if (typeof wanted === 'string')
        expect(!result.ok || result.rejected > 0 || result.warnings.length > 0, name).toBe(true);
      else if (!result.ok) throw new Error(`${name}: ${result.message}`);
      else if (name.startsWith('header'))
        expect(rows, name).toEqual(wanted.map((row) => Object.values(z.record(z.string(), z.string()).parse(row))));
      else expect(rows, name).toEqual(wanted);
    }
  });
});

describe('cut files', () => {
  test('T7 F17 a file cut at any byte is refused or read as far as it goes, and the sums add up', async () => {
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
