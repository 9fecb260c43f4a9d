import { describe, expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';

async function importXml(content: string) {
  const { result, rows } = await importContent(content, { name: 'feed.xml' });
  if (!result.ok) throw new Error(result.message);
  const names = result.fields.map((field) => field.name);
  const items = rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]])));
  return { items, element: result.format.element, warned: result.warnings.map(({ code }) => code) };
}

describe('which element is an item', () => {
  test.each([
    ['a list without items', '<products></products>'],
    ['a list of one empty element', '<products><product/></products>'],
    ['Google RSS with only a header', '<rss version="2.0"><channel><title>Shop</title><link>x</link></channel></rss>'],
    [
      'Atom with only a header',
      '<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:x</id><link rel="a" href="b"/><link rel="c" href="d"/></feed>',
    ],
    ['a feed with only a header', '<export><header><date>1</date><shop>x</shop></header></export>'],
    ['a response without nested elements', '<answer><status>ok</status><count>0</count></answer>'],
    [
      'an empty list next to categories',
      '<shop><categories><category id="1" parent="0">a</category><category id="2" parent="1">b</category></categories><offers/></shop>',
    ],
    ['an empty BMEcat catalogue', '<BMECAT><HEADER><X/></HEADER><T_NEW_CATALOG></T_NEW_CATALOG></BMECAT>'],
  ])('DIF-03 finds no items in %s, with a warning', async (_, content) => {
    const { items, warned } = await importXml(content);
    expect(items).toEqual([]);
    expect(warned).toContain('no_items');
  });

  test('reads a list of bare values as items with one field', async () => {
    const bare = await importXml('<skus><sku>1</sku><sku>2</sku></skus>');
    expect(bare.items).toEqual([{ sku: '1' }, { sku: '2' }]);
    expect((await importXml('<skus><sku id="1"/><sku id="2"/></skus>')).items).toEqual([
      { '@id': '1' },
      { '@id': '2' },
    ]);
    expect((await importXml('<items><item>1</item></items>')).items).toEqual([{ item: '1' }]);
  });

  test('accepts a single element with an item-like name, and any other one with a warning', async () => {
    const root = await importXml('<product><sku>1</sku><name>x</name><bild>a</bild><bild>b</bild></product>');
    expect(root).toMatchObject({ items: [{ sku: '1', name: 'x', bild: 'a\nb' }], element: 'product' });
    expect(root.warned).not.toContain('xml_one_item');
    const lamp = await importXml('<r><status>ok</status><data><lamp><sku>1</sku><name>y</name></lamp></data></r>');
    expect(lamp).toMatchObject({ items: [{ sku: '1', name: 'y' }], element: 'r/data/lamp' });
    expect(lamp.warned).toContain('xml_one_item');
  });

  test('warns about values that belong to a group of items', async () => {
    const items = '<product><sku>1</sku><name>a</name></product><product><sku>2</sku><name>b</name></product>';
    const group = (attributes: string, more: string) => `<category${attributes}>${more}${items}</category>`;
    for (const one of [group(' name="x"', ''), group('', '<title>x</title>')]) {
      const named = await importXml(`<catalog>${one}${one}</catalog>`);
      expect([named.items.length, named.warned]).toEqual([4, expect.arrayContaining(['xml_groups_left'])]);
    }
    for (const other of [
      `<catalog>${group('', '').repeat(2)}</catalog>`,
      `<shop><name>x</name>${group('', '')}</shop>`,
    ])
      expect((await importXml(other)).warned).not.toContain('xml_groups_left');
  });

  test('chooses the items rather than elements that repeat more often inside them', async () => {
    const pictures = '<pics><pic a="1" b="2"/><pic a="3" b="4"/><pic a="5" b="6"/></pics>';
    const lamp = (sku: string, more: string) => `<lamp><sku>${sku}</sku><name>n</name><price>3</price>${more}</lamp>`;
    const { items, element } = await importXml(`<catalog>${lamp('1', pictures)}${lamp('2', '')}</catalog>`);
    expect(element).toBe('catalog/lamp');
    expect(items.map((item) => item['sku'])).toEqual(['1', '2']);
  });
});
