import { expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';

const list = '[{"sku":"1","name":"Kanne"},{"sku":"2","name":"Töpfe"}]';

test.each([
  ['a.js', `callback(${list});`],
  ['a.json', `/**/ jQuery1_2.load(\n${list}\n)`],
  ['a.csv', `\ufeff  window.shop.products = ${list};\n`],
  ['a.js', `var data={"products":${list}};`],
  ['a.json', `)]}',\n${list}`],
  ['a.json', `while(1);${list}`],
  ['a.json', `for (;;);{"page":1,"products":${list}}`],
])('JSON in a call, an assignment or behind a guard is read, and a warning says so: %s %s', async (name, content) => {
  const { result, rows } = await importContent(content, { name });
  expect(rows).toEqual([
    ['1', 'Kanne'],
    ['2', 'Töpfe'],
  ]);
  expect(result).toMatchObject({ ok: true, key: 'sku', format: { format: 'json' } });
  expect(result.ok && result.warnings.map(({ code }) => code)).toEqual(['json_wrapped']);
});

test.each([
  [`callback(${list}); alert(1)`, 'json_syntax'],
  [`callback(${list}, ${list})`, 'json_syntax'],
  [`${list});`, 'json_syntax'],
  [`callback(${list.slice(0, -5)}`, 'json_syntax'],
])('more than that is no JSON: %s', async (content, code) => {
  expect((await importContent(content, { name: 'a.json' })).result).toMatchObject({ ok: false, code });
});

test('a table whose first name looks like a call stays a table', async () => {
  for (const head of ['f([x]);b', 'a=[{};b', 'preis(["EUR"]);b']) {
    const { result } = await importContent(`${head}\n1;2\n3;4\n`);
    expect(result).toMatchObject({ ok: true, accepted: 2, format: { format: 'csv' } });
  }
});

test.each([
  ['filter={"a":1};sku\n1;2\n2;3\n3;4', 3],
  ['attrs=[{"a":1}],sku\n1,2', 1],
])('a table with JSON in its first name stays a table: %j', async (content, accepted) => {
  expect((await importContent(content)).result).toMatchObject({ ok: true, accepted, format: { format: 'csv' } });
});

test.each(['data={"sku":"1"}\ndata={"sku":"2"}', 'cb({"sku":"1"});\ncb({"sku":"2"});'])(
  'several calls or assignments are refused with that reason: %j',
  async (content) => {
    const message = expect.stringContaining('mehrere Aufrufe oder Zuweisungen');
    expect((await importContent(content)).result).toMatchObject({ ok: false, code: 'json_syntax', message });
  },
);
