import { CategoryRow, MappingRow } from '#shared/assignments/schema.ts';
import { api } from '#shared/http/api.ts';
import { masterWith, type TestKontor } from '../kontor.ts';

export const csv =
  'sku;titel;marke;farbe\nA-1;Bohrer groß;BOSCH;rot\nA-2;Bohrhammer;Bosch GmbH;blau\nA-3;Jacke;Fjord;dunkelblau\n' +
  'A-4;Hose;fjord;rot\nA-5;Messer;;\n';

export const field = (value: string, type: '_field' | '_mapping' | '_intern' = '_field') => ({
  type,
  value,
  caption: value,
});
export const mapped = (
  id: string,
  source: object,
  filter: string,
  value: string,
  target: string,
  more: object = {},
): MappingRow => MappingRow.parse({ id, field: [source], filter, value, target, ...more });
export const category = (
  id: string,
  conditions: [object, string, string][],
  target: string,
  more: object = {},
): CategoryRow =>
  CategoryRow.parse({
    id,
    field: conditions.map(([input, filter, value]) => ({ input, filter, value })),
    target,
    ...more,
  });

/** Creates a catalogue with an export of JSON lines. */
export async function withExport(kontor: TestKontor, items: string): Promise<{ masterid: string; exportid: string }> {
  const masterid = await masterWith(kontor, items);
  const body = { name: 'Export', format: { kind: 'jsonl' as const } };
  const { id } = await kontor.ask(api.createExport, { params: { masterid }, body });
  return { masterid, exportid: id };
}

/** Returns the objects of an exported file of JSON lines. */
export const lines = (file: string): Record<string, string | null>[] =>
  file
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string | null>);
