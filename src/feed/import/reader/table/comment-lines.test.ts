import { expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';

// More rows than the check for closing words reads.
const items = Array.from({ length: 12 }, (_, index) => `B${index};Kanne;9`);

async function warned(lines: readonly string[]) {
  const { result, rows } = await importContent(['sku;name;preis', 'A1;Topf;1', ...lines, ...items].join('\n'));
  if (!result.ok) throw new Error(result.message);
  return {
    rows: rows.slice(0, -items.length),
    codes: result.warnings.map(({ code }) => code),
    text: result.warnings[0]?.message ?? '',
  };
}

test('comment lines between the items are kept as items, with a warning that names the first', async () => {
  const { rows, codes, text } = await warned(['# ab hier neu', 'A2;Besen;2', '# Stand; heute', '// Ende']);
  expect(rows.map(([sku]) => sku)).toEqual(['A1', '# ab hier neu', 'A2', '# Stand', '// Ende']);
  expect(codes).toEqual(['comment_lines']);
  expect(text).toContain('3 Zeilen');
  expect(text).toContain('Zeile 3: „# ab hier neu“');
});

test('an item whose number begins with # is not a comment, whether its row is complete or short', async () => {
  expect((await warned(['#1001;Topf;1'])).codes).toEqual([]);
  expect((await warned(['#1001;Topf'])).codes).toEqual(['short_rows']);
});
