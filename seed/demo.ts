import { createExport } from '#catalogue/exports.ts';
import { templateOf } from '#catalogue/channels/channel-templates.ts';
import { createMaster } from '#catalogue/masters.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { EXAMPLES_JOB } from '#company/examples.ts';
import { saveDifference } from '#feed/difference/settings.ts';
import { importJob } from '#feed/import/job.ts';
import { saveTable, targetSubject } from '#feed/stages/assignments/store.ts';
import { saveConstruction } from '#feed/stages/construction/store.ts';
import { saveStockSettings } from '#orders/stock/settings.ts';
import { saveRules } from '#feed/stages/rules/store.ts';
import type { Clock } from '#platform/clock.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import { saveDocument } from '#platform/db/documents.ts';
import { addJob } from '#platform/jobs/job-definition.ts';
import type { INTERNAL_FIELDS } from '#shared/assignments/schema.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { ExportSettings } from '#shared/exports/schema.ts';
import { Rule } from '#shared/rules/schema.ts';
import { StockSettings } from '#shared/stock/settings.ts';
import { demoAssignments } from './demo-assignments.ts';
import { demoItems, writeCatalogue } from './demo-file.ts';
import { seedMarket } from './demo-market.ts';
import { storyJob } from './demo-story.ts';

const author = 'Demo';

/**
 * Fills a company with a merchant's data after some weeks: a catalogue (imported like any upload) with two master rules, an
 * export with its own rules, fields, categories and brands, a shop as a channel of orders, and offers at a marketplace. Its jobs
 * run as soon as the workers start; the story's job adds the rest. Writes the file and returns the function that inserts the
 * rows.
 */
export async function seedDemo(
  { storagePaths, ids, clock }: { storagePaths: StoragePaths; ids: Ids; clock: Clock },
  company: string,
): Promise<(trx: Trx) => Promise<void>> {
  const [masterid, importId, exportId, shop, account] = [ids.id(), ids.id(), ids.id(), ids.id(), ids.id()];
  await writeCatalogue(storagePaths, storagePaths.incoming(company, masterid, importId), demoItems);
  return async (trx) => {
    await createMaster(trx, company, masterid, 'Nordkap Sortiment');
    await addJob(trx, importJob, {
      company,
      id: importId,
      subject: `master:${masterid}`,
      payload: { owner: masterid, source: 'nordkap-artikel.csv', contentType: 'text/csv', options: {} },
    });
    await saveRules(trx, { company, scope: `master:${masterid}` }, masterRules(), author, undefined);
    const stock = StockSettings.parse({ field: 'Bestand', buffer_pieces: 1 });
    await saveStockSettings(trx, { company, masterid }, stock, { author, expected: undefined });
    await createExport(trx, {
      company,
      masterid,
      id: exportId,
      feedToken: ids.secret(),
      settings: ExportSettings.parse({
        name: 'Google Shopping DE',
        channel: 'google',
        format: templateOf('google')?.format ?? { kind: 'xml', style: 'google' },
        filename: 'google-shopping.xml',
      }),
      author,
    });
    await seedExport(trx, { company, id: exportId });
    await seedMarket(trx, { company, masterid, account, now: clock.now() });
    const payload = { masterid, feed: exportId, shop, account };
    await addJob(trx, storyJob, { company, id: ids.id(), subject: EXAMPLES_JOB.subject, payload });
  };
}

async function seedExport(trx: Trx, ref: { company: string; id: string }): Promise<void> {
  const scope = `export:${ref.id}`;
  await saveRules(trx, { company: ref.company, scope }, exportRules(), author, undefined);
  await saveConstruction(trx, ref, construction(), author, undefined);
  for (const { table, source, entries, rows } of demoAssignments()) {
    const body = JSON.stringify({ source, entries });
    const place = { company: ref.company, subject: targetSubject(table), scope };
    await saveDocument(trx, place, { body, author, expected: undefined });
    await saveTable(trx, { ...ref, table }, rows, { author, expected: undefined });
  }
  const difference = { action_on_difference: 'block_send', neg_difference: 10 } as const;
  await saveDifference(trx, { company: ref.company, scope }, difference, { author, expected: undefined });
}

const field = (name: string) => ({ type: '_field', value: name });
const text = (value: string) => ({ type: '_string', value });
/** A field that the tables of an export fill. */
const intern = (value: (typeof INTERNAL_FIELDS)[number]['value']) => ({ type: '_intern', value });

function masterRules(): Rule[] {
  return [
    {
      id: 'DemoMarke1',
      name: 'Marke BOSCH vereinheitlichen',
      description: 'Der Lieferant schreibt die Marke auf zwei Arten.',
      active: true,
      querys: [
        {
          id: 'q1',
          field: 'Marke',
          select: 'is_equal',
          selecttyp: 'text',
          value: 'BOSCH GmbH',
          valuetyp: '_string',
          type: '',
        },
      ],
      actions: [
        {
          id: 'a1',
          field: 'Marke',
          select: 'set',
          selecttyp: 'input',
          type: '',
          value: [text('Bosch')],
          actionOperator: '',
        },
      ],
    },
    {
      id: 'DemoTitel2',
      name: 'Titel auf 70 Zeichen kürzen',
      description: '',
      active: true,
      querys: [
        {
          id: 'q1',
          field: 'Titel',
          select: 'length_exceeds',
          selecttyp: 'text',
          value: '70',
          valuetyp: '_string',
          type: '',
        },
      ],
      actions: [
        {
          id: 'a1',
          field: 'Titel',
          select: 'maxlength',
          selecttyp: 'maxlength',
          type: '',
          value: [{ type: '_number', value: '70' }],
          actionOperator: '',
        },
      ],
    },
  ].map((rule) => Rule.parse(rule));
}

function exportRules(): Rule[] {
  return [
    {
      id: 'DemoLager3',
      name: 'Ohne Bestand nicht ausgeben',
      active: true,
      querys: [
        {
          id: 'q1',
          field: 'Bestand',
          select: 'is_less_equal',
          selecttyp: 'text',
          value: '0',
          valuetyp: '_string',
          type: '',
        },
      ],
      actions: [
        { id: 'a1', field: '@ALL@', select: 'unset', selecttyp: 'input', type: '', value: [], actionOperator: '' },
      ],
    },
    {
      id: 'DemoPreis4',
      name: 'Ohne Preis nicht ausgeben',
      active: true,
      querys: [
        { id: 'q1', field: 'Preis', select: 'is_empty', selecttyp: 'text', value: '', valuetyp: '_string', type: '' },
      ],
      actions: [
        { id: 'a1', field: '@ALL@', select: 'unset', selecttyp: 'input', type: '', value: [], actionOperator: '' },
      ],
    },
  ].map((rule) => Rule.parse(rule));
}

function construction(): ConstructionRow[] {
  const rows: [string, 'Required' | 'Recommended' | 'Optional', ReturnType<typeof field>[], string][] = [
    ['id', 'Required', [field('Artikelnummer')], 'Eindeutige Kennung des Artikels, höchstens 50 Zeichen.'],
    ['title', 'Required', [field('Titel')], 'Höchstens 150 Zeichen.'],
    ['description', 'Required', [field('Beschreibung')], 'Höchstens 5.000 Zeichen.'],
    ['link', 'Required', [field('Link')], 'Adresse der Artikelseite.'],
    ['image_link', 'Required', [field('Bild 1')], 'Adresse des Hauptbildes.'],
    ['price', 'Required', [field('Preis'), text(' EUR')], 'Preis mit Währung.'],
    ['availability', 'Required', [field('Verfügbarkeit')], ''],
    ['brand', 'Recommended', [intern('brand_name')], 'Marke aus der Zuordnung.'],
    ['gtin', 'Recommended', [field('EAN')], ''],
    ['condition', 'Optional', [text('new')], ''],
    ['google_product_category', 'Optional', [intern('category_name')], 'Kategorie aus der Zuordnung.'],
    ['product_type', 'Optional', [field('Kategoriepfad')], ''],
  ];
  return rows.map(([exportfield, mp_state, parts, description], index) =>
    ConstructionRow.parse({
      id: String(index + 1),
      exportfield,
      mp_state,
      description,
      del_allowed: mp_state !== 'Required',
      field: parts.map((part) => ({ ...part, caption: '' })),
    }),
  );
}
