import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogueCsv } from '../../../seed/catalogue.ts';
import { hasInputData, inputFile, onlyWithInputData } from '../../../test/stages/input-data.ts';
import { templateOf } from '#catalogue/channels/channel-templates.ts';
import { CalculatorProcesses } from '#platform/duckdb/calculator-processes.ts';
import { CompanyLoads } from '#platform/duckdb/company-loads.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { SnapshotRecord } from '#catalogue/snapshots.ts';
import { templateRow } from '#shared/channels/template-row.ts';
import { noTables } from '#feed/stages/assignments/tables.ts';
import { importInThisProcess } from '#feed/import/reader/import-here.ts';
import { withFolder } from '#feed/import/reader/import-fixture.ts';
import { suggestSources } from './source-suggestions.ts';

/** The sources a merchant would choose for Google's fields, by catalogue; fields that a catalogue lacks are left out. */
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

/** The expected sources for a generated catalogue of the project and a small one of an English shop. */
const ownTruth: typeof truth = {
  'generated.csv': {
    id: 'Artikelnummer',
    title: 'Titel',
    description: 'Beschreibung',
    price: 'Preis',
    link: 'Link',
    image_link: 'Bild 1',
    gtin: 'EAN',
    brand: 'Marke',
    condition: 'Zustand',
    color: 'Farbe',
    size: 'Größe',
    material: 'Material',
    availability: 'Verfügbarkeit',
  },
  'shop-english.csv': {
    id: 'sku',
    title: 'product_name',
    description: 'description',
    price: 'retail_price',
    link: 'product_url',
    image_link: 'main_image',
    gtin: 'barcode',
    brand: 'manufacturer',
  },
};

test(
  'CON-01 nine in ten of Google’s fields get the right source from our sample catalogues',
  { timeout: 120_000 },
  async () => {
    await withFolder(async (folder) => {
      const generated = path.join(folder, 'generated.csv');
      writeFileSync(generated, [...catalogueCsv(200)].join(''));
      const own = (file: string) => (file === 'generated.csv' ? generated : path.join(ownCatalogues, file));
      await expectHits(ownTruth, own);
    });
  },
);

describe.skipIf(!hasInputData)(`hit rates on real catalogues (${onlyWithInputData})`, () => {
  test(
    'CON-01 nine in ten of Google’s fields get the right source without earlier decisions',
    { timeout: 300_000 },
    () => expectHits(truth, (file) => inputFile(`catalogues/${file}`)),
  );
});

const ownCatalogues = path.resolve(import.meta.dirname, '../../../test/data/import/catalogues');

/** Expects that at least nine in ten of all wanted sources, and of the central ones, are suggested. */
async function expectHits(wantedSources: typeof truth, fileOf: (name: string) => string): Promise<void> {
  const hits = { central: [0, 0], all: [0, 0] } satisfies Record<string, [number, number]>;
  const misses: string[] = [];
  for (const [name, wanted] of Object.entries(wantedSources)) {
    const found = await suggestionsFor(fileOf(name));
    for (const [field, source] of Object.entries(wanted)) {
      const hit = found.get(field) === source;
      for (const count of central.has(field) ? [hits.all, hits.central] : [hits.all]) {
        count[0] += hit ? 1 : 0;
        count[1] += 1;
      }
      if (!hit) misses.push(`${name} ${field}: ${found.get(field) ?? 'nichts'} statt ${source}`);
    }
  }
  const words = ([right, of]: readonly number[]) => `${right} von ${of}`;
  // oxlint-disable-next-line no-console -- the figure is the purpose of the test
  console.log(
    `Quellen: ${words(hits.central)} (id, title, price, link, image_link), ${words(hits.all)} insgesamt`,
    misses,
  );
  expect(hits.central[0] / hits.central[1]).toBeGreaterThanOrEqual(0.9);
  expect(hits.all[0] / hits.all[1]).toBeGreaterThanOrEqual(0.9);
}

test('sources are still suggested if the process that computes them is lost to another question', async () => {
  const processes: CalculatorProcesses[] = [];
  const found = await suggestionsFor(path.join(ownCatalogues, 'shop-english.csv'), (folder) => {
    const loads = new CompanyLoads(() => performance.now());
    const calculators = new CalculatorProcesses({ folder, threads: 1 }, { most: 2, restMs: 300 }, loads);
    processes.push(calculators);
    let killed = false;
    const timer = setInterval(() => {
      const [pid] = calculators.pids();
      if (pid === undefined || killed) return;
      killed = true;
      clearInterval(timer);
      process.kill(pid, 'SIGKILL');
    }, 1);
    return Promise.resolve(new DuckDb(calculators));
  });
  expect(found.get('title')).toBe('product_name');
  await expect.poll(() => processes[0]?.pids(), { timeout: 20_000 }).toEqual([]);
});

test('CON-01 the running number is suggested for Amazon’s required number of the message, and nowhere else', async () => {
  const file = path.join(ownCatalogues, 'shop-english.csv');
  const amazon = await suggestionsFor(file, undefined, 'amazon');
  expect([...amazon].filter(([, source]) => source === 'index')).toEqual([['messageId', 'index']]);
  for (const channel of ['google', 'idealo', 'otto', 'kaufland_inventory', 'ebay', 'check24']) {
    const found = await suggestionsFor(file, undefined, channel);
    expect([channel, [...found].filter(([, source]) => source === 'index')]).toEqual([channel, []]);
  }
});

async function suggestionsFor(
  file: string,
  open: (folder: string) => Promise<DuckDb> = (folder) => DuckDb.open({ folder }),
  channel = 'google',
): Promise<Map<string, string>> {
  const template = templateOf(channel);
  if (!template) throw new Error('no template');
  return withFolder(async (folder) => {
    const output = path.join(folder, 'out.parquet');
    const request = {
      file,
      originalName: path.basename(file),
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
    const duckdb = await open(folder);
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
