import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { templateOf } from '#catalogue/channel-templates.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { SnapshotRecord } from '#catalogue/snapshots.ts';
import { templateRow } from '#shared/channels/template-row.ts';
import { noTables } from '#feed/stages/assignments/tables.ts';
import { dataFolder, hasData } from '#feed/import/expected-data.ts';
import { importInThisProcess } from '#feed/import/reader/import-here.ts';
import { withFolder } from '#feed/import/reader/import-fixture.ts';
import { suggestSources } from './source-suggestions.ts';

/** What a merchant would choose for Google's fields, by catalogue; fields that it does not have are left out. */
const truth: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'de_kaufland_feed_4536.csv.gz': {
    id: 'id_offer',
    title: 'title',
    description: 'description',
    price: 'price_cs',
    image_link: 'picture_1',
    gtin: 'ean',
    brand: 'manufacturer',
    condition: 'condition',
    shipping_weight: 'weight',
  },
  'google_rss_swedishcravings_54.xml': {
    id: 'g:id',
    title: 'g:title',
    description: 'g:description',
    link: 'g:link',
    image_link: 'g:image_link',
    price: 'g:price',
    availability: 'g:availability',
    brand: 'g:brand',
    google_product_category: 'g:google_product_category',
  },
  'de_faie_agrar_feed_446.csv.gz': {
    id: 'Artikelnummer',
    title: 'Artikelbezeichnung',
    description: 'Beschreibungsfeld',
    link: 'Deeplink',
    image_link: 'Bild-Link',
    price: 'Bruttopreis',
    gtin: 'EAN',
    brand: 'Hersteller',
    shipping: 'Versandkosten',
  },
  'coffee_feed_3449.xml.gz': {
    id: 'sku',
    title: 'name',
    price: 'price',
    link: 'link',
    image_link: 'image',
    brand: 'Brand',
  },
  'pt_toys_feed_1676.xml.gz': {
    title: 'designation',
    description: 'description',
    price: 'regular_price',
    link: 'product_url',
    image_link: 'image_url',
    brand: 'brand',
    gtin: 'upc_ean',
  },
  'magento_configurable_products.csv.gz': {
    id: 'sku',
    title: 'name',
    description: 'description',
    price: 'price',
    image_link: 'base_image',
  },
  'shein-products_1000.csv.gz': {
    id: 'product_id',
    title: 'product_name',
    description: 'description',
    price: 'final_price',
    link: 'url',
    image_link: 'main_image',
    brand: 'brand',
    color: 'color',
  },
  'de_udg_textil_5257.csv.gz': {
    id: 'Hauptartikelnr',
    title: 'Artikelname',
    description: 'Beschreibung',
    brand: 'Hersteller',
  },
  'de_abalight_led_408.csv.gz': { id: 'Artikelnummer', title: 'Kurzbez.', description: 'Langtext', color: 'Farbe' },
  'flipkart_20000.csv.gz': { id: 'uniq_id', title: 'product_name', price: 'retail_price', brand: 'brand' },
  'lego_sets.csv.gz': { id: 'set_num', title: 'name' },
};
const central = new Set(['id', 'title', 'price', 'link', 'image_link']);

describe.skipIf(!hasData)('hit rates on real catalogues (skipped where the input data is absent)', () => {
  test('CON-01 Google’s fields get the right source without any earlier decision', { timeout: 300_000 }, async () => {
    const hits = { central: [0, 0], all: [0, 0] } satisfies Record<string, [number, number]>;
    const misses: string[] = [];
    for (const [file, wanted] of Object.entries(truth)) {
      const found = await suggestionsFor(file);
      for (const [name, source] of Object.entries(wanted)) {
        const hit = found.get(name) === source;
        for (const count of central.has(name) ? [hits.all, hits.central] : [hits.all]) {
          count[0] += hit ? 1 : 0;
          count[1] += 1;
        }
        if (!hit) misses.push(`${file} ${name}: ${found.get(name) ?? 'nichts'} statt ${source}`);
      }
    }
    const words = ([right, of]: readonly number[]) => `${right} von ${of}`;
    // oxlint-disable-next-line no-console -- the figure is what the test is for
    console.log(
      `Quellen: ${words(hits.central)} (id, title, price, link, image_link), ${words(hits.all)} insgesamt`,
      misses,
    );
    expect(hits.central[0] / hits.central[1]).toBeGreaterThanOrEqual(0.9);
    expect(hits.all[0] / hits.all[1]).toBeGreaterThanOrEqual(0.9);
  });
});

async function suggestionsFor(file: string): Promise<Map<string, string>> {
  const template = templateOf('google');
  if (!template) throw new Error('no template');
  return withFolder(async (folder) => {
    const output = path.join(folder, 'out.parquet');
    const request = {
      file: path.join(dataFolder, 'catalogues', file),
      originalName: file,
      options: {},
      knownFields: [],
      output,
      rejectedOutput: path.join(folder, 'rejected.jsonl'),
      workFolder: path.join(folder, 'work'),
    };
    const result = await importInThisProcess(request, { onProgress: () => undefined });
    if (!result.ok) throw new Error(result.message);
    const { fields, accepted: items, key } = result;
    const snapshot: SnapshotRecord = {
      company: 'c',
      masterid: 'm',
      number: 1,
      runid: 'r',
      source: file,
      createdAt: new Date(0),
      items,
      fields,
      key,
    };
    const rows = template.fields.map((field, index) => ({ ...templateRow(field, String(index)), field: [] }));
    const duckdb = await DuckDb.open({ folder });
    const plan = {
      snapshot,
      path: output,
      masterRules: [],
      mappings: [],
      exportRules: [],
      tables: noTables,
      construction: rows,
      attributes: [],
      template,
    };
    const found = await suggestSources(duckdb, plan, rows, [], new AbortController().signal);
    duckdb.close();
    return new Map(found.toReversed().map(({ exportfield, part }) => [exportfield, part.value]));
  });
}
