import { expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';

const expected = [
  ['01', 'Käse', '1.50'],
  ['02', 'Öl', ''],
];

test.each([
  [
    'MySQL',
    '<resultset statement="x"><row><field name="sku">01</field><field name="titel">Käse</field><field name="preis">1.50</field></row><row><field name="sku">02</field><field name="titel">Öl</field><field name="preis" xsi:nil="true" xmlns:xsi="x"/></row></resultset>',
  ],
  [
    'phpMyAdmin',
    '<pma_xml_export><database name="shop"><table><column name="sku">01</column><column name="titel">Käse</column><column name="preis">1.50</column></table><table><column name="sku">02</column><column name="titel">Öl</column><column name="preis"></column></table></database></pma_xml_export>',
  ],
  [
    'Solr',
    '<response><result><doc><str name="sku">01</str><str name="titel">Käse</str><float name="preis">1.50</float></doc><doc><str name="sku">02</str><str name="titel">Öl</str></doc></result></response>',
  ],
])('fields whose name is in an attribute get that name, as %s writes them', async (_, content) => {
  const { result, rows } = await importContent(content, { name: 'feed.xml' });
  expect(result).toMatchObject({
    ok: true,
    key: 'sku',
    fields: [{ name: 'sku' }, { name: 'titel' }, { name: 'preis' }],
  });
  expect(rows).toEqual(expected);
});

test('elements mixed with others, repeated, with children or of different kinds keep their own names', async () => {
  for (const item of [
    '<sku>1</sku><field name="a">x</field><field name="b">y</field>',
    '<field name="a">x</field><field name="a">y</field>',
    '<field name="a"><b>x</b></field><field name="c">y</field>',
    '<title name="a">x</title><text name="b">y</text>',
  ]) {
    const { result } = await importContent(`<rows><row>${item}</row><row>${item}</row></rows>`, { name: 'feed.xml' });
    expect(result.ok && result.fields.some(({ name }) => name.endsWith('@name'))).toBe(true);
  }
});
