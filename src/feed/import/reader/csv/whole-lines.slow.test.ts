import { describe, expect, test } from 'vitest';
import { importContent, type FixtureOptions } from '#feed/import/reader/import-fixture.ts';

async function read(text: string, options: FixtureOptions = {}) {
  const { result, rows, rejected } = await importContent(text, options);
  if (!result.ok) throw new Error(result.message);
  const names = result.fields.map(({ name }) => name);
  return { names, rows, rejected, codes: result.warnings.map(({ code }) => code), format: result.format };
}

const whole = (lines: readonly string[], lineEnd: string) =>
  lines.map((line) => `"${line.replaceAll('"', '""')}"`).join(lineEnd);

describe('lines that are quoted as a whole', () => {
  test.each([
    [';', '\n'],
    [',', '\r\n'],
    ['\t', '\n'],
    ['|', '\r'],
  ])('are split at %j, with line ends %j, by both readers, with a warning', async (delimiter, lineEnd) => {
    const cells = [
      ['1', `Kanne${delimiter} "rot"`, '5'],
      ['2', 'Größe', ''],
      ['3', 'zwei\nZeilen', '7'],
    ].slice(0, lineEnd === '\r' ? 2 : 3);
    const lines = ['sku', 'name', 'wert'].join(delimiter);
    const body = cells.map((row) =>
      row.map((cell) => (/[\W\d]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)),
    );
    const text = whole([lines, ...body.map((row) => row.join(delimiter))], lineEnd) + lineEnd;
    for (const way of ['fast', 'exact'] as const) {
      const found = await read(text, { way });
      expect([found.names, found.rows]).toEqual([['sku', 'name', 'wert'], cells]);
      expect(found.codes).toEqual(['whole_lines']);
    }
  });

  test('keep their line numbers, also after skipped and blank lines', async () => {
    const text = `Titel\nsep=;\n${whole(['sku;name', '1;a', '2;b;c', '3;d', '4;e', '5;f'], '\n\n')}`;
    const found = await read(text, { options: { skipLines: 1 } });
    expect(found.rows.map((row) => row.join())).toEqual(['1,a', '3,d', '4,e', '5,f']);
    expect(found.rejected).toMatchObject([{ line: 7, raw: '2;b;c' }]);
  });

  test('may occur among ordinary lines, as Excel quotes only lines that contain quotes', async () => {
    const found = await read('sku,name,wert\n"1,""Kanne, rot"",2"\n2,Besen,3\n3,Topf,4\n', { way: 'exact' });
    expect(found.rows[0]).toEqual(['1', 'Kanne, rot', '2']);
    expect(found.codes).toEqual(['whole_lines']);
  });

  test('are not assumed for text between two quoted cells over several lines', async () => {
    const found = await read('sku;name;wert\n1;"\n";"\na"\n2;b;c\n3;d;e\n4;;\n', { options: { delimiter: ';' } });
    expect(found.rows).toEqual([
      ['1', '\n', '\na'],
      ['2', 'b', 'c'],
      ['3', 'd', 'e'],
      ['4', '', ''],
    ]);
    expect(found.codes).toEqual([]);
  });

  test('are one column if they split unevenly or if the options say so', async () => {
    const one = await read(whole(['farben', ...Array.from({ length: 9 }, (_, row) => `rot, blau ${row}`)], '\n'));
    expect([one.names, one.rows.length]).toEqual([['farben'], 9]);
    const dates = await read(whole(['Dec 8, 2022', 'Jan 9, 2023', 'Feb 1, 2024'], '\n'));
    expect([dates.names.length, dates.codes.includes('whole_lines')]).toEqual([1, false]);
    const said = await read(whole(['a;b', 'c;d'], '\n'), { options: { delimiter: '\t', header: true } });
    expect([said.names, said.rows, said.codes.includes('whole_lines')]).toEqual([['a;b'], [['c;d']], false]);
  });
});
