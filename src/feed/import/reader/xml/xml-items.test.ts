import { describe, expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';

async function importItems(items: readonly string[], root = 'catalog') {
  const content = `<${root}>${items.map((item) => `<item>${item}</item>`).join('\n')}</${root}>`;
  const { result, rows } = await importContent(content, { name: 'feed.xml' });
  if (!result.ok) throw new Error(result.message);
  const names = result.fields.map((field) => field.name);
  const warned = result.warnings.map(({ code }) => code);
  return { names, warned, items: rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]]))) };
}

describe('texts with inline markup', () => {
  test('keeps the order of text and markup, as HTML, also in items with markup alone', async () => {
    const { items, names, warned } = await importItems([
      '<id>1</id><d>Text <b>fett &amp; <i>schräg</i></b> mehr<br/>&lt;neu&gt; <a href="x?a=1&amp;b" title="&quot;">da</a></d>',
      '<id>2</id><d><p>nur</p><p>Absätze</p></d>',
      '<id>3</id><d>nur Text &amp; mehr</d>',
    ]);
    expect(names).toEqual(['id', 'd']);
    expect(items.map((item) => item['d'])).toEqual([
      'Text <b>fett &amp; <i>schräg</i></b> mehr<br>&lt;neu&gt; <a href="x?a=1&amp;b" title="&quot;">da</a>',
      '<p>nur</p><p>Absätze</p>',
      'nur Text & mehr',
    ]);
    expect(warned).toContain('xml_markup');
  });

  test('keeps elements separate that are no markup, or that have no text next to them', async () => {
    const { items, warned } = await importItems([
      '<id>1</id><price>9.99<currency>EUR</currency></price><d><p>eins</p><p>zwei</p></d>',
    ]);
    expect(items).toEqual([{ id: '1', price: '9.99', 'price/currency': 'EUR', 'd/p': 'eins\nzwei' }]);
    expect(warned).not.toContain('xml_markup');
  });

  test('keeps the markup of descriptions in BMEcat', async () => {
    const product =
      '<PRODUCT><SUPPLIER_PID>1</SUPPLIER_PID><PRODUCT_DETAILS><DESCRIPTION_LONG>Text <b>fett</b> mehr</DESCRIPTION_LONG></PRODUCT_DETAILS><MIME_INFO><MIME><MIME_SOURCE>a.jpg</MIME_SOURCE></MIME><MIME><MIME_SOURCE>b.pdf</MIME_SOURCE><MIME_DESCR>Blatt</MIME_DESCR></MIME></MIME_INFO></PRODUCT>';
    const { result, rows } = await importContent(`<BMECAT><T_NEW_CATALOG>${product}</T_NEW_CATALOG></BMECAT>`);
    const names = result.ok ? result.fields.map((field) => field.name) : [];
    expect(names).toEqual(['SUPPLIER_PID', 'DESCRIPTION_LONG', 'MIME_SOURCE', 'MIME_DESCR']);
    expect(rows).toEqual([['1', 'Text <b>fett</b> mehr', 'a.jpg\nb.pdf', '\nBlatt']]);
  });
});

describe('BMEcat catalogues', () => {
  const prefixed = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><bme:BMECAT xmlns:bme="http://www.bmecat.org/bmecat/2005" version="2005"><bme:HEADER><bme:CATALOG><bme:LANGUAGE default="true">eng</bme:LANGUAGE></bme:CATALOG></bme:HEADER><bme:T_NEW_CATALOG><bme:PRODUCT><bme:SUPPLIER_PID>0001</bme:SUPPLIER_PID><bme:PRODUCT_DETAILS><bme:DESCRIPTION_SHORT lang="deu">Öse</bme:DESCRIPTION_SHORT><bme:DESCRIPTION_SHORT lang="eng">Eye</bme:DESCRIPTION_SHORT></bme:PRODUCT_DETAILS><bme:PRODUCT_FEATURES><bme:FEATURE><bme:FNAME>Width</bme:FNAME><bme:FVALUE>5</bme:FVALUE></bme:FEATURE></bme:PRODUCT_FEATURES><bme:PRODUCT_PRICE_DETAILS><bme:PRODUCT_PRICE price_type="net_list"><bme:PRICE_AMOUNT>1.99</bme:PRICE_AMOUNT></bme:PRODUCT_PRICE></bme:PRODUCT_PRICE_DETAILS></bme:PRODUCT></bme:T_NEW_CATALOG></bme:BMECAT>`;

  test.each([
    ['UTF-8', Buffer.from(prefixed('UTF-8'))],
    ['windows-1252', Buffer.from(prefixed('windows-1252'), 'latin1')],
    ['UTF-16 without a byte order mark', Buffer.from(prefixed('UTF-16'), 'utf16le')],
  ])('I8: reads a catalogue with a namespace prefix on every name, in %s', async (_, content) => {
    const { result, rows } = await importContent(content, { name: 'bmecat.xml' });
    const names = result.ok ? result.fields.map((field) => field.name) : [];
    expect(Object.fromEntries(names.map((name, at) => [name, rows[0]?.[at]]))).toEqual({
      SUPPLIER_PID: '0001',
      'DESCRIPTION_SHORT (deu)': 'Öse',
      DESCRIPTION_SHORT: 'Eye',
      'Merkmal: Width': '5',
      'Preis: net_list': '1.99',
      PRICE_AMOUNT: '1.99',
    });
  });

  test('T6 bounds the group names of an item, and warns about those left out', async () => {
    const group = (id: number) =>
      `<CATALOG_STRUCTURE type="node"><GROUP_ID>${id}</GROUP_ID><GROUP_NAME>${'x'.repeat(3000)}</GROUP_NAME><PARENT_ID>${id - 1}</PARENT_ID></CATALOG_STRUCTURE>`;
    const place = (id: number) =>
      `<ARTICLE_TO_CATALOGGROUP_MAP><ART_ID>1</ART_ID><CATALOG_GROUP_ID>${id}</CATALOG_GROUP_ID></ARTICLE_TO_CATALOGGROUP_MAP>`;
    const many = (make: (id: number) => string) => Array.from({ length: 120 }, (_, index) => make(index + 1)).join('');
    const { result, rows } = await importContent(
      `<BMECAT><T_NEW_CATALOG><CATALOG_GROUP_SYSTEM>${many(group)}</CATALOG_GROUP_SYSTEM><ARTICLE><SUPPLIER_AID>1</SUPPLIER_AID></ARTICLE>${many(place)}</T_NEW_CATALOG></BMECAT>`,
    );
    expect(rows[0]?.[2]?.split('\n')).toHaveLength(100);
    expect(rows[0]?.[1]?.length).toBeLessThan(1024 * 1024);
    expect(result).toMatchObject({ warnings: [{ code: 'bmecat_groups_cut' }] });
  });

  test('assigns items their groups as paths of names from the root', async () => {
    const group = (type: string, id: string, parent: string, names: string) =>
      `<CATALOG_STRUCTURE type="${type}"><GROUP_ID>${id}</GROUP_ID>${names}<PARENT_ID>${parent}</PARENT_ID><MIME_INFO><MIME><MIME_DESCR>x</MIME_DESCR></MIME></MIME_INFO></CATALOG_STRUCTURE>`;
    const place = (kind: string, id: string, of: string) =>
      `<${kind}_TO_CATALOGGROUP_MAP><${kind === 'PRODUCT' ? 'PROD' : 'ART'}_ID>${id}</${kind === 'PRODUCT' ? 'PROD' : 'ART'}_ID><CATALOG_GROUP_ID>${of}</CATALOG_GROUP_ID></${kind}_TO_CATALOGGROUP_MAP>`;
    const name = (text: string) => `<GROUP_NAME>${text}</GROUP_NAME>`;
    const groups = `<CATALOG_GROUP_SYSTEM>${group('root', '1', '0', name('Katalog'))}${group('node', '2', '1', '<GROUP_NAME lang="eng">Tools</GROUP_NAME><GROUP_NAME lang="deu">Werkzeug</GROUP_NAME>')}${group('leaf', '3', '2', name('Sägen &amp; mehr'))}${group('leaf', '8', '9', name('A'))}${group('leaf', '9', '8', name('B'))}</CATALOG_GROUP_SYSTEM>`;
    for (const [kind, number] of [
      ['PRODUCT', 'SUPPLIER_PID'],
      ['ARTICLE', 'SUPPLIER_AID'],
    ] as const) {
      const articles = ['01', '02', '03'].map((id) => `<${kind}><${number}>${id}</${number}></${kind}>`).join('');
      const places = [place(kind, '01', '3'), place(kind, '01', '2'), place(kind, '02', '8')].join('');
      const { result, rows } = await importContent(
        `<BMECAT><HEADER><CATALOG><LANGUAGE>deu</LANGUAGE></CATALOG></HEADER><T_NEW_CATALOG>${groups}${articles}${places}</T_NEW_CATALOG></BMECAT>`,
      );
      expect(result.ok && result.fields.map((field) => field.name)).toEqual([number, 'Kategorie', 'CATALOG_GROUP_ID']);
      expect(rows).toEqual([
        ['01', 'Werkzeug > Sägen & mehr\nWerkzeug', '3\n2'],
        ['02', 'B > A', '8'],
        ['03', '', ''],
      ]);
    }
  });

  test('keeps every variant of a feature, with its suffix for the item number', async () => {
    const variant = (value: string, supplement: string) =>
      `<VARIANT><FVALUE>${value}</FVALUE><SUPPLIER_AID_SUPPLEMENT>${supplement}</SUPPLIER_AID_SUPPLEMENT></VARIANT>`;
    const { result, rows } = await importContent(
      `<BMECAT><T_NEW_CATALOG><ARTICLE><SUPPLIER_AID>1</SUPPLIER_AID><ARTICLE_FEATURES><FEATURE><FNAME>Farbe</FNAME><VARIANTS>${variant('rot', '-R')}${variant('blau', '-B')}<VORDER>1</VORDER></VARIANTS></FEATURE></ARTICLE_FEATURES></ARTICLE></T_NEW_CATALOG></BMECAT>`,
    );
    const names = result.ok ? result.fields.map((field) => field.name) : [];
    expect(names).toEqual(['SUPPLIER_AID', 'Merkmal: Farbe', 'Zusatz der Nummer: Farbe']);
    expect(rows).toEqual([['1', 'rot\nblau', '-R\n-B']]);
  });
});

describe('repeated groups of values', () => {
  test.each([
    ['an empty value', '<attr><k>Farbe</k><v/></attr><attr><k>Größe</k><v>XL</v></attr>', 'attr/k', 'attr/v'],
    ['a missing value', '<attr><k>Farbe</k></attr><attr><k>Größe</k><v>XL</v></attr>', 'attr/k', 'attr/v'],
    ['an attribute with an empty text', '<p k="Farbe"/><p k="Größe">XL</p>', 'p@k', 'p'],
    ['nested groups', '<x><attr k="Farbe"/><attr k="Größe" v="XL"/></x>', 'x/attr@k', 'x/attr@v'],
  ])('keeps the lines of their fields aligned: %s', async (_, item, keys, values) => {
    const { items } = await importItems([`<id>1</id>${item}`]);
    expect(items[0]).toMatchObject({ id: '1', [keys]: 'Farbe\nGröße', [values]: '\nXL' });
  });

  test('omits empty lines after the last value, and aligns the lines of nested groups', async () => {
    const group = (name: string, ...attributes: [string, string?][]) =>
      `<g><n>${name}</n>${attributes.map(([k, v]) => `<a><k>${k}</k>${v === undefined ? '' : `<v>${v}</v>`}</a>`).join('')}</g>`;
    const { items } = await importItems([
      group('eins', ['Farbe', 'rot'], ['Größe']) + group('zwei', ['Farbe'], ['Größe', 'XL'], ['Höhe']),
    ]);
    expect(items[0]).toEqual({
      'g/n': 'eins\nzwei',
      'g/a/k': 'Farbe\nGröße\nFarbe\nGröße\nHöhe',
      'g/a/v': 'rot\n\n\nXL',
    });
  });

  test('does not pad single fields, or fields with several values in a group', async () => {
    const { items } = await importItems([
      '<id>1</id><bild>a</bild><bild/><bild>b</bild><pic><url/></pic><pic><url>c</url></pic><s><n>x</n><v/><v>1</v></s><s><n>y</n><v>2</v></s>',
    ]);
    expect(items[0]).toEqual({ id: '1', bild: 'a\nb', 'pic/url': 'c', 's/n': 'x\ny', 's/v': '1\n2' });
  });
});
