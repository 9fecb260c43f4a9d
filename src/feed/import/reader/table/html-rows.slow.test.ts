import { describe, expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';
import { htmlRows } from './html-rows.ts';
import { processorMs } from '../../../../../test/stages/processor-time.ts';

const cellsOf = (html: string, width = 10_000) => htmlRows(html, width).rows.map(({ cells }) => cells.join('|'));

describe('cells of an HTML table that span several rows and columns', () => {
  test('are repeated in each of their rows and put into the first of their columns, with a warning', async () => {
    const head = '<tr><th>sku<th>name<th>größe<th>preis</tr>';
    const body =
      '<tr><td rowspan=2>1</td><td ROWSPAN = "3">Kanne</td><td>S</td><td>5</td></tr><tr><td>M</td><td>6</td></tr>\n' +
      '<tr><td>2</td><td colspan=\'2\'>L</td></tr><tr><td>3</td><td data-rowspan="4" title="rowspan=5">Topf</td><td>-</td><td>7</td></tr>';
    const { result, rows } = await importContent(`<table>${head}${body}</table>`);
    expect(rows).toEqual([
      ['1', 'Kanne', 'S', '5'],
      ['1', 'Kanne', 'M', '6'],
      ['2', 'Kanne', 'L', ''],
      ['3', 'Topf', '-', '7'],
    ]);
    expect(result.ok && result.warnings.map(({ code }) => code)).toContain('html_spans');
    const plain = await importContent(`<table>${head}<tr><td>1<td>a<td>b<td>c</table>`);
    expect(plain.result.ok && plain.result.warnings.map(({ code }) => code)).not.toContain('html_spans');
  });

  test('end with their row group, also for rowspan 0, and may reach past the last cell of a row', () => {
    const groups =
      '<thead><tr><th rowspan=9>a<th>b</thead><tbody><tr><td>1<td rowspan=0>2<tr><td>3<tr><td>4</tbody><tr><td>5<td>6';
    expect(cellsOf(`<table>${groups}</table>`)).toEqual(['a|b', '1|2', '3|2', '4|2', '5|6']);
    expect(cellsOf('<tr><td rowspan=2 colspan=2>a<td>b<td rowspan=2>c<tr></tr><tr><td>d')).toEqual(['a||b|c', 'd']);
    expect(cellsOf('<tr><td>a<td>b<td rowspan=2>c<tr><td>d')).toEqual(['a|b|c', 'd||c']);
  });

  test('T4: hostile spans are bounded in memory and time', async () => {
    const took = await processorMs(() => {
      expect(cellsOf('<tr><td colspan=999999999>a<td colspan=1000>b<td>c', 50)[0]).toHaveLength(50);
      const wide = `<tr><td colspan=1000 rowspan=999999>${'x'.repeat(1000)}${'<tr><td>y'.repeat(200_000)}`;
      expect(() => htmlRows(wide, 10_000)).toThrow('64 MB');
      const long = `<tr><td rowspan=0>${'x'.repeat(1_000_000)}${'<tr><td>y'.repeat(1000)}`;
      expect(() => htmlRows(long, 10_000)).toThrow('64 MB');
      // Nothing to repeat in these cells: only the time could grow with their number and their spans.
      const empty = `<tr>${'<td rowspan=65534 colspan=1000>'.repeat(20)}`;
      expect(htmlRows(`${empty.repeat(200)}<tr><td>a`, 50).rows).toHaveLength(201);
    });
    expect(took).toBeLessThan(10_000);
  });
});

test('T4 a cell whose attributes are one long word is read in less than 2 s', async () => {
  const html = `<table><tr><td ${'a'.repeat(200_000)}>x</td></tr></table>`;
  expect(await processorMs(() => expect(htmlRows(html, 10).rows[0]?.cells).toEqual(['x']))).toBeLessThan(2000);
});
