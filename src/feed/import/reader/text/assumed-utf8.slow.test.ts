import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { importContent, withFolder } from '#feed/import/reader/import-fixture.ts';
import { importInThisProcess } from '#feed/import/reader/import-here.ts';
import { Utf8Watch } from './utf8-watch.ts';

const head = 'sku;titel;bestand\n';
/** Well above the size from which DuckDB reads a file itself. */
const many = Array.from({ length: 60_000 }, (_, at) => `A${at};Lämpchen ${at} für 9 €;${at % 7}\n`).join('');

async function readerOf(content: Buffer) {
  const imported = await importContent(content, { options: { key: 'sku' } });
  if (!imported.result.ok) throw new Error(imported.result.message);
  const { result } = imported;
  return {
    reader: result.format.reader,
    encoding: result.format.encoding,
    warnings: result.warnings.map(({ code }) => code),
    accepted: result.accepted,
    titles: imported.rows.map(([, title]) => title),
  };
}

it('a file that is UTF-8 to its end is read by DuckDB, wherever its chunks split a character', async () => {
  for (const shift of ['', 'x', 'xx']) {
    const read = await readerOf(Buffer.from(`${head}Z${shift};Größe;1\n${many}Ende;5;für`));
    expect(read).toMatchObject({ reader: 'fast', encoding: 'utf-8', warnings: [], accepted: 60_002 });
  }
});

it('a line in another encoding far below is detected, and decoded correctly', async () => {
  const foreign = Buffer.from('Fremd;Gr\xf6\xdfe XL;1\n', 'latin1');
  const read = await readerOf(Buffer.concat([Buffer.from(head + many), foreign]));
  expect(read).toMatchObject({ encoding: 'iso-8859-1', warnings: ['mixed_encoding'], accepted: 60_001 });
  expect(read.titles.at(-1)).toBe('Größe XL');
  expect(read.titles[5]).toBe('Lämpchen 5 für 9 €');
});

it('a NUL byte far below is removed, with a warning', async () => {
  const read = await readerOf(Buffer.from(`${head}${many}Null;a\0b;1\n`));
  expect(read).toMatchObject({ warnings: ['nul_bytes'], accepted: 60_001 });
  expect(read.titles.at(-1)).toBe('ab');
});

it('a file that ends within a character is read to its end, with a warning', async () => {
  const text = Buffer.from(`${head}${many}Ende;1;für`);
  const read = await readerOf(Buffer.concat([text, Buffer.from([0xe2, 0x82])]));
  expect(read).toMatchObject({ warnings: ['mixed_encoding'], accepted: 60_001 });
});

it('a file that DuckDB cannot read leaves no other files than the outputs and the work folder', async () => {
  await withFolder(async (folder) => {
    const [file, output] = [join(folder, 'upload'), join(folder, 'out.parquet')];
    const seen = new Set<string>();
    // At the end, so that DuckDB is already writing when the quote is found.
    writeFileSync(file, `${head}${many.repeat(5)}Zitat;"a"b;1\n`);
    const result = await importInThisProcess(
      {
        file,
        originalName: 'artikel.csv',
        options: { key: null },
        knownFields: [],
        output,
        rejectedOutput: join(folder, 'rejected.jsonl'),
        workFolder: join(folder, 'work'),
      },
      { onProgress: () => readdirSync(folder).forEach((name) => seen.add(name)) },
    );
    expect(result).toMatchObject({ ok: true, format: { reader: 'exact' }, rowsIn: 300_001 });
    expect([...seen].sort()).toEqual(['out.parquet', 'rejected.jsonl', 'upload', 'work']);
    expect(readdirSync(join(folder, 'work'))).toEqual([]);
  });
});

it('any text is recognised as UTF-8 in any chunks, and no text with an invalid byte', () => {
  const pieces = (bytes: Buffer, sizes: readonly number[]) => {
    const watch = new Utf8Watch();
    let from = 0;
    const whole = sizes.map((size) => watch.holds(bytes.subarray(from, (from += size)))).every(Boolean);
    return whole && watch.holds(bytes.subarray(from)) && watch.ended();
  };
  const sizes = fc.array(fc.integer({ min: 3, max: 9 }), { maxLength: 6 });
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }).filter((one) => !one.includes('\0'));
  fc.assert(
    fc.property(text, sizes, fc.nat(), (one, cuts, at) => {
      const bytes = Buffer.from(one);
      expect(pieces(bytes, cuts)).toBe(true);
      const place = at % bytes.length;
      const broken = Buffer.concat([bytes.subarray(0, place), Buffer.from([0xff]), bytes.subarray(place)]);
      expect(pieces(broken, cuts)).toBe(false);
    }),
  );
});
