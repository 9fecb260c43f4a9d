import { describe, expect, test } from 'vitest';
import { importContent, type FixtureOptions } from '#feed/import/reader/import-fixture.ts';
import { processorMs } from '../../../../../test/stages/processor-time.ts';

const rowsOf = (lines: readonly string[]) =>
  `<table>${lines.map((line) => `<tr><td>${line.split(';').join('</td><td>')}</td></tr>`).join('\n')}</table>`;
const articles = ['SKU;Name;Preis', '01;Nagel;1,50', '02;Haken;2,50', '03;Öse;3,50'];

async function read(html: string, options: FixtureOptions = {}) {
  const { result, rows } = await importContent(`<html><body>${html}</body></html>`, options);
  if (!result.ok) throw new Error(result.message);
  const { fields, warnings } = result;
  return { rows, names: fields.map(({ name }) => name), codes: warnings.map(({ code }) => code) };
}

describe('pages with several HTML tables', () => {
  test.each([
    ['other table before it', `${rowsOf(['Logo;Menü'])}${rowsOf(articles)}`],
    ['other tables after it', `${rowsOf(articles)}${rowsOf(['Impressum;Kontakt', 'AGB;Datenschutz'])}`],
    ['other table around it', `<table><tr><td>Menü</td><td>${rowsOf(articles)}</td></tr></table>`],
  ])('are read from the largest, with a warning about the others: %s', async (_, html) => {
    const found = await read(html);
    expect(found.names).toEqual(['SKU', 'Name', 'Preis']);
    expect(found.rows.map(([sku]) => sku)).toEqual(['01', '02', '03']);
    expect(found.codes).toContain('html_tables');
  });

  test('are read as one if they have the same width', async () => {
    const found = await read(`${rowsOf(articles)}${rowsOf(['SKU;Name;Preis', '04;Ring;4,50'])}`);
    expect(found.rows.map(([sku]) => sku)).toEqual(['01', '02', '03', '04']);
    expect(found.codes).not.toContain('html_tables');
  });

  test('are read without a warning about others if there is only one, with rows of any width', async () => {
    const found = await read(rowsOf(['SKU;Name;Preis', '01;Nagel', '02;Haken;2,50;x']), { options: { key: null } });
    expect([found.rows.length, found.codes.includes('html_tables')]).toEqual([2, false]);
  });
});

test('rows and texts in comments are not read, and rows keep their lines', async () => {
  const comment = `<!-- old:\n${rowsOf(['00;Rest;1'])}\n-->`;
  const table = rowsOf([...articles, '01;Nagel;9,50']).replace('</tr>\n', `</tr>\n${comment}\n`);
  const page = table.replace('Haken', 'Hak<!-- <b>x</b> -->en');
  const { rejected, rows } = await importContent(page, { key: 'SKU' });
  expect(rows.map(([, name]) => name)).toEqual(['Haken', 'Öse', 'Nagel']);
  expect(rejected.map(({ line }) => line)).toEqual([5]);
});

test('a row with a cell of more than 1 MB is rejected as in every format, and its text is cut', async () => {
  const long = 'x'.repeat(1024 * 1024 + 1);
  const { rejected, rows } = await importContent(rowsOf([...articles, `04;${long};4,50`]), { key: 'SKU' });
  expect(rows.map(([sku]) => sku)).toEqual(['01', '02', '03']);
  expect(rejected.map(({ line, reason, raw }) => [line, reason, raw.length])).toEqual([
    [5, 'Eine Zelle ist größer als erlaubt (1 MB).', 10_000],
  ]);
});

describe('a page without a table', () => {
  const refusal = async (html: string) => {
    const { result } = await importContent(`<!doctype html><html>${html}</html>`);
    if (result.ok || result.code !== 'html_page') throw new Error('not refused as a page');
    return result.message;
  };

  test.each([
    ['a long script', `<title>Anmelden</title><script>token="geheim";${'x();'.repeat(10_000)}</script>`],
    ['a script before the text', `<script>token="geheim";${'x();'.repeat(10_000)}</script><h1>Anmelden</h1>`],
    ['an unclosed script', '<title>Anmelden</title><script>token="geheim"'],
    ['a style element in capitals', '<STYLE>.geheim{}</STYLE ><title>Anmelden</title>'],
    ['a comment', '<!-- <b>geheim</b> > --><h1>Anmelden</h1>'],
    ['an unclosed comment', '<h1>Anmelden</h1><!-- <b>geheim</b> '],
  ])('is quoted by its visible text: %s', async (_, html) => {
    const message = await refusal(html);
    expect(message).toContain('„Anmelden“');
    expect(message).not.toContain('geheim');
  });

  test('is quoted with its character references decoded', async () => {
    expect(await refusal('<h1>Zugang&nbsp;für H&auml;ndler &lt;neu&#62; &amp; Gäste</h1>')).toContain(
      '„Zugang für Händler <neu> & Gäste“',
    );
  });

  test.each(['<', '<a', '<!--', '<script', '<style>a</', '&', ' '])(
    'is scanned in linear time, whatever it contains: %j',
    async (piece) => {
      const scan = () => refusal(`<p>Bitte anmelden</p>${piece.repeat(200_000)}`);
      expect(await processorMs(scan)).toBeLessThan(8000);
    },
  );
});
