import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ImportOptions, ImportResult } from '#shared/import/schema.ts';
import { readParquet, withFolder } from '#feed/import/reader/import-fixture.ts';
import { importInThisProcess } from '#feed/import/reader/import-here.ts';
import { joinPartsInThisProcess } from './join-parts.ts';
import { planPartsInThisProcess } from './plan-parts.ts';

const hooks = { onProgress: () => undefined };

type Read = { result: ImportResult | null; rows: string[][]; rejected: string };

/** Imports a file as a whole, and in parts with borders at these bytes. */
async function bothWays(content: Buffer, borders: readonly number[], options: ImportOptions = {}) {
  return withFolder(async (folder) => {
    const requestFor = (name: string, bytes: Buffer) => {
      const file = path.join(folder, name);
      fs.writeFileSync(file, bytes);
      const outputs = {
        output: `${file}.parquet`,
        rejectedOutput: `${file}.jsonl`,
        workFolder: path.join(folder, 'work'),
      };
      fs.mkdirSync(outputs.workFolder, { recursive: true });
      return {
        file,
        originalName: 'artikel.csv',
        options: { key: 'sku', ...options },
        key: 'sku',
        knownFields: [],
        ...outputs,
      };
    };
    const read = async (request: ReturnType<typeof requestFor>, result: ImportResult | null): Promise<Read> => ({
      result,
      rows: result?.ok === true ? await readParquet(request.output, '*') : [],
      rejected: fs.existsSync(request.rejectedOutput) ? fs.readFileSync(request.rejectedOutput, 'utf8') : '',
    });
    const wholly = requestFor('whole', content);
    const whole = await read(wholly, await importInThisProcess(wholly, hooks));
    const borderFiles = borders.map((border, index) => {
      const file = path.join(folder, `border-${index}`);
      fs.writeFileSync(file, content.subarray(border, border + 1024 * 1024));
      return file;
    });
    const plan = planPartsInThisProcess({ ...requestFor('head', content), borders: borderFiles }, hooks);
    if (plan === null) return { whole, parted: undefined };
    const starts = [plan.head, ...borders.map((border, index) => border + (plan.starts[index] ?? 0)), content.length];
    const parts = [];
    for (const [index, start] of starts.slice(0, -1).entries()) {
      const own = content.subarray(start, starts[index + 1]);
      const { delimiter, quote } = plan;
      const request = requestFor(`part-${index}`, Buffer.concat([content.subarray(0, plan.head), own]));
      const result = await importInThisProcess(
        { ...request, options: { ...request.options, format: 'csv', delimiter, quote }, part: true },
        hooks,
      );
      if (!result.ok) throw new Error(result.message);
      const lines = own.toString('latin1').split('\n').length - 1;
      parts.push({ file: request.output, rejected: request.rejectedOutput, lines, result });
    }
    const joined = requestFor('joined', Buffer.alloc(0));
    return { whole, parted: await read(joined, await joinPartsInThisProcess({ ...joined, parts }, hooks)) };
  });
}

/** Without what is judged by the first 512 kB: of the whole file here, of each part in parts. */
const withoutReader = (result: ImportResult | null) =>
  result?.ok === true ? { ...result, format: { ...result.format, reader: '', lineEnd: '' }, bytes: 0 } : result;

function expectEqual({ whole, parted }: Awaited<ReturnType<typeof bothWays>>): void {
  expect(whole.result?.ok).toBe(true);
  expect(withoutReader(parted?.result ?? null)).toEqual(withoutReader(whole.result));
  expect(parted?.rows).toEqual(whole.rows);
  expect(parted?.rejected).toBe(whole.rejected);
}

const texts = ['Topf', 'zwei\nZeilen', 'A;B', 'mit "Zoll"', 'Grüße', '', 'oben;\nunten "kurz"\n', "'", '1.299'];
const cell = (text: string) => (/[;"\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const rowsOf = (count: number, textOf: (row: number) => string) =>
  Array.from({ length: count }, (_, row) => [`A-${row}`, textOf(row), `${row % 500},${10 + (row % 90)}`]);
const csv = (rows: readonly (readonly string[])[], head = 'sku;name;preis') =>
  Buffer.from(`${[head, ...rows.map((row) => row.map(cell).join(';'))].join('\n')}\n`);

describe('a file imported in parts', () => {
  test('I8 equals the file imported as a whole, wherever the borders are', async () => {
    const lines = fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 9 });
    let split = 0;
    await fc.assert(
      fc.asyncProperty(lines, fc.array(fc.nat(999), { minLength: 1, maxLength: 3 }), async (some, shares) => {
        const content = csv(rowsOf(400, (row) => some[(row * 7) % some.length] ?? ''));
        const borders = [...new Set(shares)]
          .toSorted((a, b) => a - b)
          .map((share) => Math.floor((share * content.length) / 1000));
        const read = await bothWays(
          content,
          borders.filter((border) => border > 20),
        );
        if (read.parted === undefined || read.parted.result === null) return;
        split += 1;
        expectEqual(read);
      }),
      { numRuns: 25, seed: 20_261_130 },
    );
    expect(split).toBeGreaterThan(15);
  });

  test('lists rejected rows with the line numbers of the whole file', async () => {
    const rows = rowsOf(900, (row) => (row % 40 === 0 ? 'zwei\nZeilen' : 'Topf'));
    rows[700] = ['', 'ohne Nummer', '1,00'];
    rows[820] = ['A-819', 'doppelt', '2,00'];
    rows[850] = ['A-850', 'zu viel', '1,00', 'Rest'];
    const content = csv(rows);
    const read = await bothWays(content, [Math.floor(content.length / 3), Math.floor(content.length / 1.5)]);
    expectEqual(read);
    expect(read.parted?.rejected.split('\n').filter(Boolean)).toHaveLength(3);
  });

  test('counts over all parts what warnings count, and names the first line', async () => {
    const rows = rowsOf(900, () => 'Topf').map((row, index) => (index % 90 === 0 ? row.slice(0, 2) : row));
    const content = csv(rows);
    const { whole, parted } = await bothWays(content, [Math.floor(content.length / 2)]);
    expect(parted?.rows).toEqual(whole.rows);
    const texts = parted?.result?.ok === true ? parted.result.warnings.map(({ message }) => message) : [];
    expect(texts).toEqual([
      expect.stringMatching(
        /^\d+ Zeilen haben weniger .*zuerst Zeile 2\).* weiter unten in der Datei, zusammen 10 Mal\.$/,
      ),
    ]);
  });

  const half = (content: Buffer) => [Math.floor(content.length / 2)];

  test('is given up where an item number occurs in two parts', async () => {
    const rows = rowsOf(900, () => 'Topf');
    rows[880] = ['A-3', 'doppelt', '1,00'];
    const content = csv(rows);
    expect((await bothWays(content, half(content))).parted?.result).toBeNull();
  });

  test('is given up where lines of a text at a border look like items', async () => {
    const rows = rowsOf(40_000, () => 'Topf');
    const inner = Array.from({ length: 40 }, (_, line) => `Maß ${line};${line};mm\n`).join('');
    rows[3000] = ['A-3000', `Tabelle:\n${inner}`, '1,00'];
    const content = csv(rows);
    const { whole, parted } = await bothWays(content, [content.indexOf('Maß 3;')]);
    expect(whole.result).toMatchObject({ ok: true, accepted: 40_000 });
    // The lines were taken for items when the file was split.
    expect(parted).toMatchObject({ result: null });
  });

  test('is given up where a line of units is told from items only in the first part', async () => {
    const rows = rowsOf(900, () => 'Topf').map((row, index) => [...row, index < 400 ? `${index % 9},5` : '']);
    const content = csv([['', '', 'EUR', 'kg'], ...rows], 'sku;name;preis;gewicht');
    const { whole, parted } = await bothWays(content, half(content));
    expect(whole.result).toMatchObject({ ok: true, rowsIn: 900 });
    expect(parted?.result).toBeNull();
  });

  test('counts with line ends of both kinds in texts', async () => {
    const rows = rowsOf(900, (row) => (row === 700 ? 'zwei\r\nZeilen' : 'Topf'));
    const content = csv(rows);
    expectEqual(await bothWays(content, half(content)));
  });

  test('is not planned without the chosen item number', async () => {
    const content = csv(
      rowsOf(400, () => 'Topf'),
      'nummer;name;preis',
    );
    const { whole, parted } = await bothWays(content, half(content));
    expect(whole.result).toMatchObject({ ok: false, code: 'key_missing' });
    expect(parted).toBeUndefined();
  });

  test('is not split if it is packed, in another encoding or no CSV', async () => {
    const content = csv(rowsOf(400, () => 'Grüße'));
    const latin = Buffer.from(content.toString('utf8'), 'latin1');
    const lines = Buffer.from(
      rowsOf(400, () => 'Topf')
        .map(([sku]) => `{"sku":"${sku}"}\n`)
        .join(''),
    );
    for (const other of [latin, lines])
      expect((await bothWays(other, [Math.floor(other.length / 2)])).parted).toBeUndefined();
  });

  test('is not split where a border lies in a text that is longer than what is searched', async () => {
    const rows = rowsOf(200, () => 'Topf');
    rows[100] = ['A-100', 'Zeile\n'.repeat(3000), '1,00'];
    const content = csv(rows);
    const border = content.indexOf('Zeile\n') + 10;
    expect((await bothWays(content, [border])).parted).toBeUndefined();
  });
});
