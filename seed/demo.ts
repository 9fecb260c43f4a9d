import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createExport } from '#catalogue/exports.ts';
import { createMaster } from '#catalogue/masters.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { importJob } from '#feed/import/job.ts';
import { saveConstruction } from '#feed/stages/construction/store.ts';
import { saveRules } from '#feed/stages/rules/store.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import { addJob } from '#platform/jobs/job-definition.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { ExportSettings } from '#shared/exports/schema.ts';
import { Rule } from '#shared/rules/schema.ts';
import { catalogueCsv } from './catalogue.ts';
import { seedMarket } from './demo-market.ts';

export const demoItems = 5000;

/**
 * Fills a company with what a merchant would have after his first hour: a catalogue (imported like any upload), two master
 * rules, an export with its own rule and fields. The jobs run as soon as the workers start.
 */
export async function seedDemo(
  deps: { database: Database; storagePaths: StoragePaths; ids: Ids; clock: Clock },
  company: string,
): Promise<void> {
  const { database, storagePaths, ids } = deps;
  const masterid = ids.id();
  const importId = ids.id();
  const file = storagePaths.incoming(company, masterid, importId);
  await mkdir(dirname(file), { recursive: true });
  await pipeline(Readable.from(catalogueCsv(demoItems)), createWriteStream(file, { flush: true }));
  const exportId = ids.id();
  const author = 'Demo';
  await database.company(company, async (trx) => {
    await createMaster(trx, company, masterid, 'Nordkap Sortiment');
    await addJob(trx, importJob, {
      company,
      id: importId,
      subject: `master:${masterid}`,
      payload: { owner: masterid, source: 'nordkap-artikel.csv', contentType: 'text/csv', options: {} },
    });
    await saveRules(trx, { company, scope: `master:${masterid}` }, masterRules(), author, undefined);
    await createExport(trx, {
      company,
      masterid,
      id: exportId,
      feedToken: ids.secret(),
      settings: ExportSettings.parse({
        name: 'Google Shopping DE',
        channel: 'Google Merchant Center',
        format: { kind: 'xml', style: 'google' },
        filename: 'google-shopping.xml',
      }),
      author,
    });
    await saveRules(trx, { company, scope: `export:${exportId}` }, exportRules(), author, undefined);
    await saveConstruction(trx, { company, id: exportId }, construction(), author, undefined);
    await seedMarket(trx, { company, masterid, account: ids.id(), now: deps.clock.now() });
  });
}

const field = (name: string) => ({ type: '_field', value: name });
const text = (value: string) => ({ type: '_string', value });

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
    ['brand', 'Recommended', [field('Marke')], ''],
    ['gtin', 'Recommended', [field('EAN')], ''],
    ['condition', 'Optional', [text('new')], ''],
    ['product_type', 'Optional', [field('Kategoriepfad')], ''],
  ];
  return rows.map(([exportfield, mp_state, parts, description], index) =>
    ConstructionRow.parse({
      id: String(index + 1),
      exportfield,
      mp_state,
      description,
      field: parts.map((part) => ({ ...part, caption: '' })),
    }),
  );
}
