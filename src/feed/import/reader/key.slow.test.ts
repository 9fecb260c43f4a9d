import { describe, expect, test } from 'vitest';
import { importContent } from './import-fixture.ts';

describe('key of the items', () => {
  test('proposes a complete and unique column with a usual name before other unique ones', async () => {
    const { result, ids } = await importContent(
      'Bezeichnung;EAN;Artikelnummer\nA;4006381333931;x1\nB;4012345678901;x2\n',
    );
    expect(result).toMatchObject({ ok: true, key: 'Artikelnummer' });
    expect(ids).toEqual(['x1', 'x2']);
  });

  test('never drops rows for a guessed key: uses the next candidate, or row numbers with a warning', async () => {
    const next = await importContent('id;ean\n1;4006381333931\n1;4012345678901\n');
    expect(next.result).toMatchObject({ ok: true, key: 'ean', accepted: 2 });
    const none = await importContent('id;titel\n1;a\n1;b\n;c\n');
    expect(none.result).toMatchObject({ ok: true, key: null, accepted: 3 });
    expect(none.ids).toEqual(['1', '2', '3']);
    if (none.result.ok) expect(none.result.warnings[0]?.message).toContain('„id“ (1 leer, 1 doppelt)');
  });

  test.each(['fast', 'exact'] as const)(
    'I8 with a chosen key the last duplicate wins, and rows without a key are rejected, each with its line (%s)',
    async (way) => {
      const text = 'sku;name\n1;a\n2;"b\nb"\n1;c\n;ohne\n3;d\n2;e\n';
      const { result, rows, ids, rejected } = await importContent(text, { key: 'sku', way });
      expect(result).toMatchObject({ ok: true, rowsIn: 6, accepted: 3, rejected: 1, duplicates: 2 });
      expect(ids).toEqual(['1', '3', '2']);
      expect(rows.map((row) => row[1])).toEqual(['c', 'd', 'e']);
      expect(rejected.map((row) => [row.kind, row.line])).toEqual([
        ['duplicate', 2],
        ['duplicate', 3],
        ['rejected', 6],
      ]);
      expect(rejected[0]?.reason).toBe('Doppelte Artikelnummer „1“; eine spätere Zeile ersetzt sie');
    },
  );

  test('the numbers of an item’s variants, one per line, are no key', async () => {
    const product = (id: number, sizes: readonly string[]) =>
      `<product id="${id}"><name>N</name><variants>${sizes.map((size) => `<variant sku="${id}-${size}"/>`).join('')}</variants></product>`;
    const xml = await importContent(`<products>${product(1, ['S', 'M'])}${product(2, ['L'])}</products>`, {
      name: 'a.xml',
    });
    expect(xml.result).toMatchObject({ ok: true, key: '@id' });
    const list = [1, 2].map((id) => ({ id, variants: { sku: [`${id}-S`, `${id}-M`] } }));
    const json = await importContent(JSON.stringify(list), { name: 'a.json' });
    expect(json).toMatchObject({ result: { ok: true, key: 'id' }, ids: ['1', '2'] });
  });

  test('refuses a key that is not in the file, and lists the fields', async () => {
    const { result } = await importContent('sku;name\n1;a\n', { key: 'ordernumber' });
    expect(result).toMatchObject({ ok: false, code: 'key_missing', message: expect.stringContaining('„sku“, „name“') });
  });

  test('the option overrides the stored key, and null means row numbers', async () => {
    const byOption = await importContent('sku;name\nx;a\n', { key: 'fehlt', options: { key: 'name' } });
    expect(byOption.result).toMatchObject({ ok: true, key: 'name' });
    const byRow = await importContent('sku;name\nx;a\n', { key: null });
    expect(byRow).toMatchObject({ result: { ok: true, key: null, warnings: [] }, ids: ['1'] });
  });

  test("fields keep their ids across snapshots by name, new ones get higher ids, and an item's hash depends on its values", async () => {
    const known = [
      { id: 'f0007', name: 'name' },
      { id: 'f0002', name: 'sku' },
    ];
    const first = await importContent('sku;name;neu\n1;a;x\n2;b;\n', { knownFields: known });
    if (!first.result.ok) throw new Error(first.result.message);
    expect(first.result.fields.map((field) => field.id)).toEqual(['f0002', 'f0007', 'f0008']);
    const second = await importContent('neu;name;sku\nx;a;1\ny;b;2\n', {
      knownFields: [...known, { id: 'f0008', name: 'neu' }],
    });
    expect(second.hashes[0]).toBe(first.hashes[0]);
    expect(second.hashes[1]).not.toBe(first.hashes[1]);
  });

  test.each([
    ['listing-id;seller-sku;asin1\nL1X;S1;B1\nL2X;S2;B2\n', 'seller-sku'],
    ['*ConditionID;CustomLabel\n1000;EB-1\n2000;EB-2\n', 'CustomLabel'],
    ['Listing-ID;Händler-SKU\nL1X;S1\nL2X;S2\n', 'Händler-SKU'],
    ['*Artikelnummer;listing-id\nA1;L1X\nA2;L2X\n', '*Artikelnummer'],
    ['ID,Typ,Artikelnummer\n11,simple,K1\n12,variable,H1\n', 'Artikelnummer'],
    ['Id;SKU;EAN\n10001;A1;4006381333931\n10002;A2;4012345678901\n', 'SKU'],
    ['id;parent_id;product_number\n0190a1;;SW1\n0190a2;0190a1;SW1.1\n', 'product_number'],
    ['Item.id;Variation.id;Variation.number\n101;1001;A1\n101;1002;A2\n', 'Variation.number'],
    ['Item number;Title;Custom label (SKU)\n110551234567;Kanne;E1\n110551234568;Besen;E2\n', 'Custom label (SKU)'],
    ['OXID;OXTITLE;OXARTNUM\n05848a;Kanne;1402\n05848b;Besen;1403\n', 'OXARTNUM'],
    ['[{"id":1,"sku":"A1"},{"id":2,"sku":"A2"}]', 'sku'],
    ['ID,Type,SKU\n11,simple,K1\n12,variable,\n', 'ID'],
    ['ID,Type,SKU\n11,simple,K1\n12,variable,K1\n', 'ID'],
    ['id;Lieferanten-SKU\n1;L1\n2;L2\n', 'id'],
    ['id;Parent SKU\n1;P1\n2;P2\n', 'id'],
    ['listing-id\u200b;\u200bsku\u2060\nL1X;A1\nL2X;A2\n', 'sku'],
  ])('prefers the number assigned by the merchant: %j', async (text, key) => {
    expect((await importContent(text)).result).toMatchObject({ ok: true, key });
  });

  test('reports the kind, fill count and an example of every field', async () => {
    const { result } = await importContent(
      'id;EAN;Preis;Bild;Link;Text;Menge;Datum;aktiv;leer\n' +
        '1;4006381333931;19,90;https://a.example/1.jpg;https://a.example/p;<p>x</p>;5;01.02.2026;ja;\n' +
        '2;4012345678901;5,00;https://a.example/2.jpg;https://a.example/q;<b>y</b>;7;02.02.2026;nein;\n',
    );
    if (!result.ok) throw new Error(result.message);
    const guesses = Object.fromEntries(result.fields.map((field) => [field.name, field.guess]));
    expect(guesses).toMatchObject({
      EAN: 'gtin',
      Preis: 'price',
      Bild: 'image',
      Link: 'url',
      Text: 'html',
      Menge: 'integer',
      Datum: 'date',
      aktiv: 'boolean',
      leer: 'text',
    });
    expect(result.fields.at(-1)).toMatchObject({ filled: 0, example: '' });
    expect(result.fields[2]).toMatchObject({ filled: 2, example: '19,90' });
  });

  test.each([
    [
      'idealo',
      'Artikelnummer im Shop;Herstellerartikelnummer (HAN);Produktname\nA1;H1;x\nA2;H2;y\n',
      'Artikelnummer im Shop',
    ],
    [
      'GS1',
      '<m><i><t><gtin>04006381333931</gtin><d l="de">x</d></t></i><i><t><gtin>04012345678901</gtin><d l="de">y</d></t></i></m>',
      't/gtin',
    ],
    ['nested JSON', '[{"n":{"sku":"A1","titel":"x"}},{"n":{"sku":"A2","titel":"y"}}]', 'n.sku'],
  ])('recognises an item number by additional words and at the end of a path: %s', async (_, text, key) => {
    const { result } = await importContent(text);
    expect(result).toMatchObject({ ok: true, key });
  });

  test.each([
    ['artikel_nr_intern;parent.sku\nA1;P1\nA2;P2\n', 'artikel_nr_intern'],
    ['parent.sku;artikel_nr_intern\nP1;A1\nP2;A2\n', 'artikel_nr_intern'],
    ['Interne Artikelnummer;Hersteller / EAN\nA1;4006381333931\nA2;4012345678901\n', 'Interne Artikelnummer'],
    ['EAN / GTIN;Artikel Nr intern\n4006381333931;A1\n4012345678901;A2\n', 'Artikel Nr intern'],
    ['Artikel Nr intern;EAN / GTIN\nA1;4006381333931\nA2;4012345678901\n', 'Artikel Nr intern'],
    ['Interne Artikelnummer;lieferant.sku\nA1;L1\nA2;L2\n', 'Interne Artikelnummer'],
    [`Artikel;kopf/gtin\n${[1, 2, 3, 4, 5].map((at) => `A${at};400638133393${at}\n`).join('')}`, 'Artikel'],
  ])("prefers the merchant's own numbers to those at the end of a path: %j", async (text, key) => {
    expect((await importContent(text)).result).toMatchObject({ ok: true, key });
  });
});
