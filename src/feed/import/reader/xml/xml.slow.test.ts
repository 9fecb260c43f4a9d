import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { importContent, type FixtureOptions } from '#feed/import/reader/import-fixture.ts';

async function importXml(content: string | Buffer, options: FixtureOptions = {}) {
  const imported = await importContent(content, { name: 'feed.xml', ...options });
  const { result } = imported;
  const names = result.ok ? result.fields.map((field) => field.name) : [];
  const items = imported.rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]])));
  return { ...imported, names, items };
}

describe('XML feeds', () => {
  test('reads the repeating element with attributes, nesting, CDATA and repeated elements', async () => {
    const { items, result } = await importXml(
      '<?xml version="1.0"?><shop><kopf><a/></kopf><liste><ware nr="1"><name lang="de"> Kanne </name><bild>a.jpg</bild><bild>b.jpg</bild><mass><h>1</h></mass><text><![CDATA[<b>x</b> & y]]></text><leer/></ware><ware nr="2"><name>Besen</name></ware></liste></shop>',
    );
    expect(result).toMatchObject({ ok: true, format: { format: 'xml', element: 'shop/liste/ware' } });
    expect(items[0]).toEqual({
      '@nr': '1',
      name: 'Kanne',
      'name@lang': 'de',
      bild: 'a.jpg\nb.jpg',
      'mass/h': '1',
      text: '<b>x</b> & y',
      leer: '',
    });
    expect(items[1]).toMatchObject({ '@nr': '2', name: 'Besen' });
  });

  test('reads Google RSS and Atom with the prefix g:, whatever prefix the feed declares', async () => {
    const rss = await importXml(
      '<rss version="2.0" xmlns:x="http://base.google.com/ns/1.0"><channel><title>Shop</title><item><x:id>1</x:id><x:price>4.89 EUR</x:price><x:shipping><x:country>DE</x:country><x:price>3 EUR</x:price></x:shipping></item><item><x:id>2</x:id></item></channel></rss>',
    );
    expect(rss.items[0]).toEqual({
      'g:id': '1',
      'g:price': '4.89 EUR',
      'g:shipping/g:country': 'DE',
      'g:shipping/g:price': '3 EUR',
    });
    expect(rss.result).toMatchObject({ ok: true, key: 'g:id' });
    const atom = await importXml(
      '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0"><title>t</title><entry><g:id>7</g:id><link href="https://a.example"/></entry></feed>',
    );
    expect(atom.items).toEqual([{ 'g:id': '7', link: '', 'link@href': 'https://a.example' }]);
  });

  test('reads BMEcat products with features, prices, pictures and languages', async () => {
    const product = `<PRODUCT><SUPPLIER_PID>1</SUPPLIER_PID><PRODUCT_DETAILS><DESCRIPTION_SHORT lang="deu">Kanne</DESCRIPTION_SHORT><DESCRIPTION_SHORT lang="eng">Pot</DESCRIPTION_SHORT><KEYWORD>a</KEYWORD><KEYWORD>b</KEYWORD></PRODUCT_DETAILS><PRODUCT_FEATURES><FEATURE><FNAME>Höhe</FNAME><FVALUE>12</FVALUE><FUNIT>cm</FUNIT></FEATURE></PRODUCT_FEATURES><PRODUCT_PRICE_DETAILS><PRODUCT_PRICE price_type="net_list"><PRICE_AMOUNT>10.5</PRICE_AMOUNT></PRODUCT_PRICE><PRODUCT_PRICE price_type="net_customer"><PRICE_AMOUNT>9</PRICE_AMOUNT></PRODUCT_PRICE></PRODUCT_PRICE_DETAILS><MIME_INFO><MIME><MIME_SOURCE>1.jpg</MIME_SOURCE></MIME><MIME><MIME_SOURCE>2.jpg</MIME_SOURCE></MIME></MIME_INFO></PRODUCT>`;
    const { items, result } = await importXml(
      `<!DOCTYPE BMECAT SYSTEM "bmecat.dtd" [<!ENTITY % X "(A?)"><!ELEMENT A (#PCDATA)>]><BMECAT version="2005" xmlns="http://www.bmecat.org/bmecat/2005"><HEADER><CATALOG><LANGUAGE>deu</LANGUAGE></CATALOG></HEADER><T_NEW_CATALOG>${product}</T_NEW_CATALOG></BMECAT>`,
    );
    expect(result).toMatchObject({ ok: true, key: 'SUPPLIER_PID', format: { element: 'BMEcat' } });
    expect(items[0]).toEqual({
      SUPPLIER_PID: '1',
      DESCRIPTION_SHORT: 'Kanne',
      'DESCRIPTION_SHORT (eng)': 'Pot',
      KEYWORD: 'a\nb',
      'Merkmal: Höhe': '12',
      'Einheit: Höhe': 'cm',
      PRICE_AMOUNT: '10.5\n9',
      'Preis: net_list': '10.5',
      'Preis: net_customer': '9',
      MIME_SOURCE: '1.jpg\n2.jpg',
    });
  });

  test('uses the chosen element, by name or path, and refuses one that is missing with the possible ones', async () => {
    const text = '<a><b><x><p>1</p></x></b><c><y><q>2</q></y><y><q>3</q></y></c></a>';
    expect((await importXml(text)).items).toEqual([{ q: '2' }, { q: '3' }]);
    expect((await importXml(text, { options: { element: 'x' } })).items).toEqual([{ p: '1' }]);
    expect((await importXml(text, { options: { element: '/a/b/x' } })).items).toEqual([{ p: '1' }]);
    expect((await importXml(text, { options: { element: 'z' } })).result).toMatchObject({
      ok: false,
      code: 'element_missing',
      message: expect.stringMatching(/„z“ kommt .* nicht vor.*Mögliche Elemente: „a\/c\/y“/u),
    });
  });

  test('reads declared encodings, and wrongly declared ones with a warning', async () => {
    const text = (encoding: string) =>
      `<?xml version="1.0" encoding="${encoding}"?><l><p><id>1</id><n>Größe „X“</n></p><p><id>2</id><n>ß</n></p></l>`;
    for (const encoding of ['utf-8', 'windows-1252', 'utf-16le']) {
      expect(
        (await importXml(iconv.encode(text(encoding), encoding, { addBOM: encoding === 'utf-16le' }))).items[0],
      ).toEqual({ id: '1', n: 'Größe „X“' });
    }
    for (const [declared, real] of [
      ['utf-8', 'windows-1252'],
      ['iso-8859-1', 'utf-8'],
    ] as const) {
      const { items, result } = await importXml(iconv.encode(text(declared), real));
      expect(items[0]).toEqual({ id: '1', n: 'Größe „X“' });
      expect(result).toMatchObject({ ok: true, warnings: [{ code: 'encoding_declared_wrong' }] });
    }
  });

  test('accepts HTML entities and drops control characters, with a warning for each', async () => {
    const { items, result } = await importXml(
      '<l><p><id>1</id><n>K&uuml;che\u0001&nbsp;x</n></p><p><id>2</id></p></l>',
    );
    expect(items[0]?.['n']).toBe('Küche\u00a0x');
    const codes = result.ok ? result.warnings.map(({ code }) => code) : [];
    expect(codes).toEqual(expect.arrayContaining(['html_entities', 'xml_control_characters']));
  });

  test('reads an & that begins no reference as a character, with a warning that counts them and names the first line', async () => {
    const { items, result } = await importXml(
      '<?xml version="1.0"?>\n<l>\n<p a="x?a=1&b=2"><id>Müller & Söhne</id><n>R&D; AT&T</n><!-- & --><t><![CDATA[a & b]]></t></p>\n<p><id>2 &amp; 3</id></p></l>',
    );
    expect(items[0]).toEqual({ '@a': 'x?a=1&b=2', id: 'Müller & Söhne', n: 'R&D; AT&T', t: 'a & b' });
    expect(items[1]).toMatchObject({ id: '2 & 3' });
    const message = expect.stringMatching(/^4 Mal .*zuerst Zeile 3/u);
    expect(result).toMatchObject({
      warnings: expect.arrayContaining([expect.objectContaining({ code: 'xml_bare_ampersand', message })]),
    });
  });

  test('decodes HTML entity names and surrogate pairs', async () => {
    const { items } = await importXml(
      '<l><p><id>&check; &hearts; &Ccaron;&lambda;&LT;</id><n>&#xD83D;&#xDE00;&#X41;</n></p></l>',
    );
    expect(items).toEqual([{ id: '✓ ♥ Čλ<', n: '😀A' }]);
  });

  test('skips white space before the declaration and references to control characters, with warnings', async () => {
    for (const start of ['\n', ' ', '\ufeff\r\n', '\n\ufeff']) {
      const { items, result } = await importXml(
        `${start}<?xml version="1.0" encoding="utf-8"?>\n<l><p><id>1</id><n>a&#x1F;b&#0;c</n></p></l>`,
      );
      expect(items).toEqual([{ id: '1', n: 'abc' }]);
      const codes = result.ok ? result.warnings.map(({ code }) => code) : [];
      expect(codes).toEqual(expect.arrayContaining(['xml_late_declaration', 'xml_control_characters']));
    }
    expect((await importXml('\n\n<?xml version="1.0"?>\n<l><p></l>')).result).toMatchObject({ ok: false, line: 4 });
  });

  test('T5 neither expands nor fetches entities, and bounds depth, attributes and names', async () => {
    const laughs = `<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(100)}"><!ENTITY c "${'&b;'.repeat(100)}">]>`;
    const cases: [string, string][] = [
      [`${laughs}<l><p><id>&c;</id></p></l>`, 'xml_entity'],
      ['<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/hostname">]><l><p><id>&x;</id></p></l>', 'xml_entity'],
      ['<a>'.repeat(50_000), 'xml_too_deep'],
      [
        `<l><p ${Array.from({ length: 300 }, (_, index) => `a${index}="1"`).join(' ')}/></l>`,
        'xml_too_many_attributes',
      ],
      [`<l><${'n'.repeat(300)}/></l>`, 'xml_name_too_long'],
      ['<l><p><id>1</id></p><p><id>2', 'xml_syntax'],
      ['<l>\n<p><id>1</p></id></l>', 'xml_syntax'],
    ];
    for (const [content, code] of cases) {
      const { result, leftovers } = await importXml(content);
      expect(result).toMatchObject({ ok: false, code });
      expect(leftovers).toEqual([]);
    }
    const harmless = await importXml(`${laughs}<l><p><id>1</id></p><p><id>2</id></p></l>`);
    expect(harmless.items).toEqual([{ id: '1' }, { id: '2' }]);
  });

  test('says what is wrong with several documents or roots in one file, and what to do', async () => {
    const document = '<l><p><id>1</id></p><p><id>2</id></p></l>\n';
    const declared = `<?xml version="1.0"?>\n${document}`;
    for (const [content, line, reason] of [
      [document + document, 2, 'zweites Wurzelelement, lesbar ist nur eines'],
      [declared + declared, 3, 'nur am Anfang der Datei stehen darf'],
    ] as const)
      expect((await importXml(content)).result).toMatchObject({
        ok: false,
        code: 'xml_syntax',
        line,
        message: expect.stringContaining(reason),
      });
  });

  test('rejects an item with a value over the limit and keeps the others', async () => {
    const { result, rejected } = await importXml(
      `<l>\n<p><id>1</id><t>${'x'.repeat(1_200_000)}</t></p>\n<p><id>2</id></p></l>`,
    );
    expect(result).toMatchObject({ ok: true, accepted: 1, rejected: 1 });
    expect(rejected[0]?.line).toBe(2);
  });
});

describe('HTML tables', () => {
  test('reads an HTML table in a .xls file, and refuses a page without a table', async () => {
    const html =
      '<html><body><table><tr><th>Artikelnummer</th><th>Name</th></tr><tr><td>007</td><td>K&uuml;che &gt; <b>Topf</b><br>neu</td></tr></table></body></html>';
    expect((await importContent(html, { name: 'export.xls' })).rows).toEqual([['007', 'Küche > Topf\nneu']]);
    expect((await importContent('<!DOCTYPE html><html><body>Bitte anmelden</body></html>')).result).toMatchObject({
      ok: false,
      code: 'html_page',
    });
  });
});
