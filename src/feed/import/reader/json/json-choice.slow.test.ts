import { describe, expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';

async function importJson(document: unknown, element?: string) {
  const options = element === undefined ? {} : { element };
  const content = typeof document === 'string' ? document : JSON.stringify(document);
  const { result, rows, rejected } = await importContent(content, { name: 'artikel.json', options });
  if (!result.ok) return { code: result.code, message: result.message };
  const names = result.fields.map((field) => field.name);
  const items = rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]])));
  const warned = result.warnings.map(({ code }) => code);
  return { items, names, element: result.format.element, key: result.key, warned, rejected: rejected.length };
}

const kanne = { sku: 'K1', name: 'Kanne', price: 10.5 };
const besen = { sku: 'B2', name: 'Besen', price: 3 };
const sides = [1, 2, 3, 4].map((id) => ({ id, name: 'x' }));

describe('which list of a document contains the items', () => {
  test.each([
    ['products', { categories: sides, products: [kanne, besen] }],
    ['artikelListe', { artikelListe: [kanne, besen], facets: sides }],
    ['data.items', { data: { items: [kanne, besen] }, results: sides }],
    ['lampen', { lampen: [kanne, besen].map((item) => ({ ...item, ean: '4006381333931' })), farben: sides }],
  ])('chooses %s by its name and contents rather than its length, with a warning', async (element, document) => {
    const read = await importJson(document);
    expect(read).toMatchObject({ element, items: [{ sku: 'K1' }, { sku: 'B2' }] });
    expect(read.warned).toContain('json_list_chosen');
  });

  test.each([
    ['an empty list with a name of item lists', { products: [], facets: sides }],
    ['an empty list with a total', { total: 0, items: [] }],
    ['an object without items in it', { products: {}, status: 'ok' }],
    ['null instead of the list of items', { products: null, total: 0 }],
    ['an empty list of edges', { data: { products: { edges: [] } } }],
    ['an empty object', {}],
  ])('DIF-03 finds no items in %s, with a warning', async (_, document) => {
    const read = await importJson(document);
    expect(read.items).toEqual([]);
    expect(read.warned).toContain('no_items');
  });

  test('reads a single object with its own number as one item, with a warning', async () => {
    const read = await importJson({ ...kanne, images: [{ u: 'a' }, { u: 'b' }] });
    expect(read).toMatchObject({ key: 'sku', items: [{ sku: 'K1', images: '[{"u":"a"},{"u":"b"}]' }] });
    expect(read.warned).toContain('json_single_item');
  });

  test.each([[{ error: 'unauthorized' }], [{ errors: [{ message: 'unauthorized' }] }], [{ error: { code: 401 } }]])(
    'refuses an error response: %j',
    async (document) => expect(await importJson(document)).toMatchObject({ code: 'json_no_items' }),
  );
});

describe('pages of items', () => {
  const pages = (name: string, more: object = {}) => [
    { page: 1, ...more, [name]: [kanne] },
    { page: 2, ...more, [name]: [{ ...besen, images: [{ u: 'a' }] }] },
    { page: 3, ...more, [name]: [] },
  ];
  test.each<[string, unknown]>([
    ['items of numbered pages', pages('items')],
    ['items of pages with other members', pages('products', { shop: 'x', tags: ['a'], links: [] })],
    ['items below a container of each page', [{ data: { items: [kanne] } }, { data: { items: [besen] } }]],
    ['a name that only the page makes clear', pages('lampen', { total: 2, hasMore: false })],
    [
      'items grouped by something',
      [
        { category: 'A', products: [kanne] },
        { category: 'B', products: [besen] },
      ],
    ],
    ['pages below a name', { answers: pages('items') }],
  ])('reads %s, with a warning', async (_, document) => {
    const read = await importJson(document);
    expect(read.items).toMatchObject([
      { sku: 'K1', name: 'Kanne' },
      { sku: 'B2', name: 'Besen' },
    ]);
    expect(read.warned).toContain('json_pages');
  });

  test.each<[string, unknown[]]>([
    ['items with a list of variants', [kanne, besen].map((item) => ({ ...item, items: sides }))],
    ['items without a number', [kanne, besen].map(({ name, price }) => ({ name, price, products: sides }))],
    ['items with a list of any name', [1, 2].map((id) => ({ id, title: 'x', variants: sides }))],
    ['items with two lists', [1, 2].map((id) => ({ id, items: sides, products: sides }))],
    ['items of which one has no list', [{ id: 1, items: sides }, { id: 2 }]],
    ['products with their offers', [1, 2].map((n) => ({ '@type': 'Product', name: `N${n}`, url: 'u', offers: sides }))],
    ['products with an address and their offers', [1, 2].map((code) => ({ code, url: 'u', offers: sides }))],
  ])('reads %s as they are', async (_, document) => {
    const read = await importJson(document);
    expect(read.items).toHaveLength(2);
    expect(read.warned).not.toContain('json_pages');
  });
});

describe('lists that are no pages', () => {
  const products = [kanne, besen];
  const categories = [1, 2, 3].map((id) => ({ id, name: 'x', products: [{ sku: 'K1', name: 'Kanne' }] }));
  test.each<[string, object, number]>([
    ['the products next to their categories', { products, categories }, 2],
    [
      'the products next to groups of them',
      { products, categories: categories.map((c) => ({ brand: 'x', products: c.products })) },
      2,
    ],
    [
      'articles that name related ones',
      { articles: [1, 2].map((uvp) => ({ uvp, total: 1, relatedArticles: [kanne] })) },
      2,
    ],
    ['a graph of products with offers', { '@graph': [1, 2].map((n) => ({ name: `N${n}`, offers: sides })) }, 2],
  ])('reads %s', async (_, document, count) => {
    const read = await importJson(document);
    expect(read.items).toHaveLength(count);
    expect(read.warned).not.toContain('json_pages');
  });

  test('a list of pages that was named by hand is read as it is', async () => {
    const document = {
      answers: [
        { page: 1, items: [kanne] },
        { page: 2, items: [besen, kanne] },
      ],
    };
    expect((await importJson(document)).items).toHaveLength(3);
    expect((await importJson(document, 'answers')).items).toHaveLength(2);
  });
});

describe('items in an object, by key', () => {
  test('reads an object of objects as items, and adds the keys as a field unless one has the same values', async () => {
    const keyed = { A1: { name: 'Kanne', price: 10.5 }, A2: { name: 'Besen', price: 3 } };
    for (const [document, element] of [
      [keyed, undefined],
      [{ products: keyed, total: 2 }, 'products'],
    ] as const) {
      const read = await importJson(document);
      expect(read).toMatchObject({ element, key: 'id', names: ['id', 'name', 'price'] });
      expect(read.items).toEqual([
        { id: 'A1', name: 'Kanne', price: '10.5' },
        { id: 'A2', name: 'Besen', price: '3' },
      ]);
      expect(read.warned).toContain('json_keyed_items');
    }
    expect(await importJson({ K1: kanne, B2: besen })).toMatchObject({ key: 'sku', names: ['sku', 'name', 'price'] });
    expect(await importJson({ 17: kanne, 23: besen })).toMatchObject({
      key: 'sku',
      names: ['Schlüssel', 'sku', 'name', 'price'],
    });
    expect(await importJson({ 0: kanne, 1: besen })).toMatchObject({ names: ['sku', 'name', 'price'] });
  });

  test('reads the object that the option element names, whatever it contains', async () => {
    expect((await importJson({ products: { A1: { name: 'x' } }, y: 1 }, 'products')).items).toEqual([
      { id: 'A1', name: 'x' },
    ]);
    expect((await importJson({ a: { b: { ...kanne, c: 1 } } }, 'a.b')).items).toMatchObject([{ sku: 'K1', c: '1' }]);
    expect(await importJson({ a: { b: 1 } }, 'b')).toMatchObject({ code: 'element_missing' });
  });

  test('does not read objects with little in common, or lists inside items, as items', async () => {
    const apart = await importJson({ meta: { page: 1, size: 10 }, shop: { name: 'x', url: 'y' } });
    expect(apart.items).toEqual([{ 'meta.page': '1', 'meta.size': '10', 'shop.name': 'x', 'shop.url': 'y' }]);
    const inside = await importJson({ A1: { ...kanne, sizes: sides }, A2: { ...besen, sizes: sides } });
    expect(inside.items).toMatchObject([{ sku: 'K1' }, { sku: 'B2' }]);
  });

  test('reads items that span chunk boundaries of the file', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`A-${index}`, { text: 'ä"\\\n'.repeat(index % 40), n: index }]),
    );
    const read = await importJson(many);
    expect(read.items?.length).toBe(20_000);
    expect(read.items?.[19_999]).toEqual({ id: 'A-19999', text: many['A-19999']?.text, n: '19999' });
  });
});

describe('tables in JSON', () => {
  const rows = [
    ['K1', 'Kanne', 10.5],
    ['B2', 'Besen', 3],
  ];
  const names = ['sku', 'name', 'price'];
  test.each([
    ['columns and data', { columns: names, index: [0, 1], data: rows }],
    ['rows listed before their header', { rows, header: names }],
    [
      'rows with a list of field definitions',
      { result: { fields: names.map((name) => ({ name, type: 'text' })), rows } },
    ],
    ['a list of lists', [names, ...rows]],
    ['the values of a spreadsheet range', { range: 'A1:C3', values: [names, ...rows] }],
  ])('reads %s as a table', async (_, document) => {
    expect((await importJson(document)).items).toEqual([
      { sku: 'K1', name: 'Kanne', price: '10.5' },
      { sku: 'B2', name: 'Besen', price: '3' },
    ]);
  });

  test('I8 rejects a row that is no list, and recognises a table without a file extension', async () => {
    expect(await importJson([names, ['K1', ['a', 'b'], null], 'x'])).toMatchObject({
      items: [{ sku: 'K1', name: 'a\nb', price: '' }],
      rejected: 1,
    });
    const { result } = await importContent('[["sku","name"],["1","x"]]', { name: 'download' });
    expect(result).toMatchObject({ ok: true, accepted: 1, format: { format: 'json' } });
  });

  test.each([
    [{ sku: { 0: 'K1', 1: 'B2' }, name: { 0: 'Kanne', 1: 'Besen' } }],
    [{ sku: ['K1', 'B2'], name: ['a', 'b'] }],
  ])('refuses a column-oriented table: %j', async (document) =>
    expect(await importJson(document)).toMatchObject({ code: 'json_columns' }),
  );
});
