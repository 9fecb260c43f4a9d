import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { elementsNamed, readXml } from '#feed/stages/output/testing/read-back.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import { channelTemplates } from '#catalogue/channels/channel-templates.ts';
import { api } from '#shared/http/api.ts';
import { ConstructionRow, type SourceField } from '#shared/construction/schema.ts';
import { catalogueCsv } from '../../../seed/catalogue.ts';
import { hasInputData, inputFile, onlyWithInputData } from '../../stages/input-data.ts';
import { importFile, runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';

type Cell = { name: string; value: string };
type Item = readonly Cell[];

/** Returns the items of a file, parsed by a reader that shares no code with the product. @throws at the first error */
function readStrictly(bytes: Uint8Array, format: OutputFormat): Item[] {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  if (format.kind === 'csv') {
    const { delimiter, quote } = format;
    const [header = [], ...records] = parse(text, { delimiter, quote, bom: true, relax_column_count: false });
    return records.map((record) => record.map((value, index) => ({ name: header[index] ?? '', value })));
  }
  if (format.kind === 'xml') {
    return elementsNamed(readXml(text), 'item').map(({ children }) =>
      children.map(({ name, text: value }) => ({ name: name.replace(/^g:/, ''), value })),
    );
  }
  const items: unknown =
    format.kind === 'jsonl'
      ? text
          .trimEnd()
          .split('\n')
          .map((line): unknown => JSON.parse(line))
      : JSON.parse(text);
  return z
    .array(z.record(z.string(), z.unknown()))
    .parse(membersOf(items, format))
    .map((item) => flat(item));
}

const membersOf = (items: unknown, { member }: OutputFormat): unknown =>
  member === '' ? items : z.record(z.string(), z.unknown()).parse(items)[member];

/** Flattens nested properties to their paths. */
function flat(item: object, path = ''): Cell[] {
  return Object.entries(item).flatMap(([key, value]: [string, unknown]) => {
    const name = Array.isArray(item) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    if (typeof value === 'object' && value !== null) return flat(value, name);
    return value === null ? [] : [{ name, value: typeof value === 'string' ? value : JSON.stringify(value) }];
  });
}

/** A list in the file closes the gaps of missing elements, so its elements are compared in order, not by position. */
const withoutPositions = (name: string) => name.replaceAll(/\[\d+\]/g, '[]');

/** Checks that some items of the file equal their explanation. */
async function expectAsExplained(
  kontor: TestKontor,
  { masterid, id, typed }: { masterid: string; id: string; typed: boolean },
  items: readonly Item[],
): Promise<void> {
  // In CI, where time is short, one item of each template must do.
  const limit = process.env['CI'] === undefined ? 3 : 1;
  const { ids } = await kontor.ask(api.previewExport, { params: { id }, body: { limit } });
  for (const [index, itemid] of ids.entries()) {
    const explained = await kontor.ask(api.explain, { params: { masterid, itemid }, query: { export: id } });
    const stage = explained.stages.find(({ kind }) => kind === 'construction');
    const rows = stage?.kind === 'construction' ? stage.rows : [];
    // Typed JSON has numbers, which have no trailing zeros.
    const bare = (value: string) => (typed && /^-?\d+\.\d+$/.test(value) ? String(Number(value)) : value);
    const explainedValues = new Map<string, string[]>();
    for (const { name, written, kind } of rows) {
      if (kind === 'array' || written === null) continue;
      const path = withoutPositions(name);
      explainedValues.set(path, [...(explainedValues.get(path) ?? []), bare(written.trim())]);
    }
    for (const [path, values] of explainedValues) {
      const found = items[index]?.filter(({ name }) => withoutPositions(name) === path);
      expect([itemid, path, found?.map(({ value }) => bare(value.trim()))]).toEqual([itemid, path, values]);
    }
  }
}

/** In CI, which has half an hour for everything, only the first thousand items are used. */
function beginning(packed: Buffer): Uint8Array<ArrayBuffer> {
  if (process.env['CI'] === undefined) return new Uint8Array(packed);
  const lines = gunzipSync(packed).toString('latin1').split('\n');
  let count = 1001;
  // Never within a quoted cell.
  while (count < lines.length && lines.slice(0, count).join('').split('"').length % 2 === 0) count++;
  return new Uint8Array(gzipSync(Buffer.from(lines.slice(0, count).join('\n'), 'latin1')));
}

const realFile = 'de_kaufland_feed_4536.csv.gz';
const templates = [...channelTemplates().values()].filter(({ fields }) => fields.length > 0);

/** A generated catalogue, and a real one if this machine has it. */
const sources = [
  {
    of: 'a generated catalogue',
    absent: false,
    file: 'generated.csv',
    bytes: () => Buffer.from([...catalogueCsv(150)].join('')),
  },
  {
    of: `a real catalogue (${onlyWithInputData})`,
    absent: !hasInputData,
    file: realFile,
    bytes: () => beginning(readFileSync(inputFile(`catalogues/${realFile}`))),
  },
];

for (const source of sources)
  describe.skipIf(source.absent)(`every template on ${source.of}`, () => {
    let kontor: TestKontor;
    let masterid: string;
    let fields: readonly SourceField[];
    beforeAll(async () => {
      kontor = await testKontor();
      ({ masterid } = await kontor.ask(api.createMaster, { body: { name: 'Echt' } }));
      const bytes = new Uint8Array(source.bytes());
      expect(await importFile(kontor, masterid, { name: source.file, bytes })).toMatchObject({ state: 'done' });
      fields = await kontor.ask(api.fieldData, { query: { masterid } });
    });
    afterAll(() => kontor.close());

    /**
     * The present diagnosis runs the same code for every template: in CI, which has half an hour, only a third of them is
     * diagnosed again.
     */
    const diagnosedAnew = templates.filter((_, index) => process.env['CI'] === undefined || index % 3 === 0);
    it.each(templates)(
      "CON-05 GEN-09 $channel is written for a strict reader to find every item, and the check of now equals the run's",
      async (template) => {
        const { channel, fields: templateFields } = template;
        const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: channel, channel } });
        const body = templateFields.slice(0, 60).map(({ name, sources, many }, index) => {
          const names = new Set([name, ...sources].map((one) => one.toLowerCase()));
          const found = fields.find((field) => names.has(field.name.toLowerCase()));
          const part = { type: '_field', value: found?.value ?? '', caption: '' };
          const field = found === undefined ? [] : many ? [{ name: '', value: part }] : [part];
          return ConstructionRow.parse({
            id: String(index),
            exportfield: name,
            field,
            valuetype: many ? 'array' : 'field',
          });
        });
        expect(body.filter(({ field }) => field.length > 0).length).toBeGreaterThan(0);
        await kontor.ask(api.saveConstruction, { params: { projectId: id }, body });
        const { run, bytes } = await runExport(kontor, id);
        expect(run).toMatchObject({ state: 'done' });
        const { settings } = await kontor.ask(api.export, { params: { id } });
        const read = readStrictly(bytes, settings.format);
        expect(read.length).toBe(run.accepted);
        await expectAsExplained(kontor, { masterid, id, typed: settings.format.typed }, read);
        const past = await kontor.ask(api.diagnosis, { params: { id } });
        expect(past).toMatchObject({ state: 'checked', readiness: { items: run.accepted } });
        expect(past.problems.length).toBeGreaterThan(0);
        if (!diagnosedAnew.includes(template)) return;
        const { readiness, problems } = await kontor.ask(api.diagnoseNow, { params: { id }, body: {} });
        expect({ readiness, problems }).toEqual({ readiness: past.readiness, problems: past.problems });
        for (const { key, items } of past.problems.slice(0, 2)) {
          const page = await kontor.ask(api.problemItems, { params: { id }, body: { problem: key, limit: 200 } });
          expect(page.items).toHaveLength(Math.min(items, 200));
        }
      },
    );
  });
