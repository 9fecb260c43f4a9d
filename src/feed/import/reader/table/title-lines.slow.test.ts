import { describe, expect, test } from 'vitest';
import { importContent, type FixtureOptions } from '#feed/import/reader/import-fixture.ts';

const table = ['sku;name;preis;ean;marke', '1;Kanne;9,90;4006381333931;Nord', '2;Besen;3,50;4012345678901;Süd'];
const names = ['sku', 'name', 'preis', 'ean', 'marke'];

async function read(lines: readonly string[], options: FixtureOptions = {}) {
  const { result, rows } = await importContent(`${lines.join('\n')}\n`, options);
  if (!result.ok) throw new Error(result.message);
  const { fields, warnings, format, accepted } = result;
  return { names: fields.map(({ name }) => name), warnings, format, accepted, rows };
}

describe('title lines above a table', () => {
  test.each([
    [['Export vom;01.01.2026', 'Shop;Mein Laden', ''], 2],
    [['Datum:;01.01.2026;;;'], 1],
    [['Preisliste', 'Stand;Januar;;;', ';;;;', 'Filiale;Köln'], 4],
    [['Firma;Muster GmbH', 'Ort;Köln', 'Stand;2026', 'Währung;EUR', 'Filter;alle'], 5],
  ])('I1: %j, with two cells, are neither header nor items, and cause a warning', async (titles, preamble) => {
    for (const way of ['fast', 'exact'] as const) {
      const found = await read([...titles, ...table], { way });
      expect(found.names).toEqual(names);
      expect(found.rows.map((row) => row[0])).toEqual(['1', '2']);
      expect(found.format.preamble).toBeGreaterThanOrEqual(preamble);
      expect(found.warnings).toContainEqual({ code: 'title_lines', message: expect.stringContaining('als Titel') });
    }
  });

  test.each([
    [['# Export vom 27.11.2026', '# Shop: Nord; Währung: EUR', '#'], ''],
    [['# Shop: Nord; Währung: EUR; netto; Filter: alle; sku', '# Ende der Angaben'], ''],
    [['# Stand; heute; 10 Uhr'], '#'],
  ])(
    'I1: comments like %j are neither header nor items, also above a header that begins with #',
    async (comments, mark) => {
      for (const way of ['fast', 'exact'] as const) {
        const found = await read([...comments, `${mark}${table[0] ?? ''}`, ...table.slice(1)], { way });
        expect(found.names).toEqual([`${mark}sku`, ...names.slice(1)]);
        expect(found.rows.map((row) => row[0])).toEqual(['1', '2']);
      }
    },
  );

  test('I1: the row above the header in Meta’s templates is neither header nor item', async () => {
    const above = names.map((name, index) => `# ${index < 3 ? 'Required' : 'Optional'} | What ${name} is`).join(';');
    for (const way of ['fast', 'exact'] as const) {
      const found = await read([above, ...table], { way });
      expect(found.names).toEqual(names);
      expect(found.rows.map((row) => row[0])).toEqual(['1', '2']);
      expect(found.warnings.map(({ code }) => code)).toEqual(['title_lines']);
    }
    const alone = await read([names.map((name) => `# ${name}`).join(';'), ...table.slice(1)]);
    expect(alone.names).toEqual(names.map((name) => `# ${name}`));
  });

  test.each([
    ['#;Marke;Ort', ['#', 'Marke', 'Ort']],
    ['#Name;Marke;Ort', ['#Name', 'Marke', 'Ort']],
  ])('I8: a header like %s is recognised, also if rows end with a delimiter', async (header, wanted) => {
    const found = await read([header, 'Kanne;Bosch;Ulm;', 'Besen;Vileda;Weinheim;'], { options: { key: null } });
    expect(found.names.slice(0, 3)).toEqual(wanted);
    expect(found.accepted).toBe(2);
  });

  test('I8: a # column and colour values that begin with # are not comments', async () => {
    for (const lines of [
      ['#;name', 'A;Kanne', 'B;Besen', 'C;Topf'],
      ['#FF0000;Rot', '#00FF00;Grün', '#0000FF;Blau'],
      ['hex;name', '#FF0000;Rot', '#00FF00;Grün'],
    ]) {
      const found = await read(lines, { options: { key: null } });
      expect(found.accepted + (found.format.header ? 1 : 0)).toBe(lines.length);
    }
  });

  test('trailing empty columns of a spreadsheet do not prevent their detection', async () => {
    const found = await read(['Shop;Mein Laden;;;;;;;;', ...table.map((line) => `${line};;;;;`)]);
    expect(found.names.slice(0, 5)).toEqual(names);
    expect(found.accepted).toBe(2);
  });

  test('I8: a header with few names and first items with few values are not titles', async () => {
    for (const lines of [
      ['sku;name;;;;', 'A1;Kanne;rot;neu;x;y', 'A2;Besen;rot;alt;u;v', 'A3;Topf;blau;neu;x;w'],
      ['4711;Kanne;;;', '0815;Besen;12,50;4012345678901;Nord', '0816;Topf;9,90;4006381333931;Süd'],
      ['A1;Kanne;;;', 'A2;Besen;rot;groß;neu', 'A3;Topf;blau;klein;alt'],
    ]) {
      const found = await read(lines, { options: { key: null } });
      expect(found.format.preamble).toBeUndefined();
      expect(found.warnings.map(({ code }) => code)).not.toContain('title_lines');
      expect(found.accepted + (found.format.header ? 1 : 0)).toBe(lines.length);
    }
    expect((await read(['a;b;;;', ...table], { options: { header: false, key: null } })).accepted).toBe(4);
  });

  test('the option for the number of lines above the header is obeyed, also if it is 0', async () => {
    const lines = ['Export vom;01.01.2026', 'Shop;Mein Laden', ...table];
    expect((await read(lines, { options: { skipLines: 2 } })).names).toEqual(names);
    expect((await read(lines, { options: { skipLines: 0 } })).names[0]).toBe('Export vom');
    const html = `<table>${lines.map((line) => `<tr><td>${line.split(';').join('</td><td>')}</td></tr>`).join('')}</table>`;
    expect((await read([html])).names).toEqual(names);
    expect((await read([html], { options: { skipLines: 1 } })).names[0]).toBe('Shop');
  });
});
