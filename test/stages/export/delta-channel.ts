import { api } from '#shared/http/api.ts';
import type { Run } from '#shared/runs/schema.ts';
import { importFile, masterWith, runExport, settled, type TestKontor } from '../kontor.ts';

export type Item = { titel: string; preis: string; bestand: string };
type Items = Map<string, Item>;

const start = (): Items =>
  new Map(
    Array.from({ length: 60 }, (_, index) => [
      `A-${index}`,
      { titel: `Ware ${index}`, preis: `${10 + index},50`, bestand: String(index % 7) },
    ]),
  );
export const csvOf = (items: Items) =>
  [
    'sku;titel;preis;bestand',
    ...[...items].map(([sku, { titel, preis, bestand }]) => `${sku};${titel};${preis};${bestand}`),
    '',
  ].join('\n');
/** Returns the lines of an exported file by item number. */
export const rowsOf = (text: string): Map<string, string> =>
  new Map(
    text
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => [line.split(';')[0] ?? '', line]),
  );

/** Creates a catalogue of 60 items with an export of changes, run once. */
export async function deltaChannel(kontor: TestKontor, delta: object = {}) {
  const items = start();
  const masterid = await masterWith(kontor, csvOf(items), { key: 'sku' });
  const { id } = await kontor.ask(api.createExport, {
    params: { masterid },
    body: { name: 'Kanal', format: { kind: 'csv' } },
  });
  const { settings } = await kontor.ask(api.export, { params: { id } });
  await kontor.ask(api.saveExport, {
    params: { id },
    body: { ...settings, delta: { active: true, removed: 'zero', ...delta } },
  });
  const shown = await kontor.ask(api.export, { params: { id } });
  const fetched = async (path: string) => {
    const answer = await kontor.raw(path, { as: null });
    return answer.ok ? answer.text() : String(answer.status);
  };
  return {
    masterid,
    id,
    items,
    first: await runExport(kontor, id),
    load: (now: Items) => importFile(kontor, masterid, { name: 'a.csv', bytes: csvOf(now) }),
    run: async (query = {}): Promise<Run> =>
      settled(kontor, (await kontor.ask(api.runExport, { params: { id }, query })).runid),
    changes: () => fetched(shown.deltaPath ?? ''),
    whole: () => fetched(shown.pullPath),
    stock: () => fetched(shown.feeds.find(({ type }) => type === 3)?.path ?? ''),
  };
}
