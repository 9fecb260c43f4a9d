import fc from 'fast-check';
import { evaluate, type Item } from '#engine/testing/evaluator.ts';
import { CATALOGUE, rules } from '#engine/testing/random-rules.ts';
import { Mapping } from '#shared/assignments/schema.ts';
import { ConstructionRow, partOf, type SourcePart } from '#shared/construction/schema.ts';
import type { ExportImpact } from '#shared/rules/effect.ts';
import type { Rule } from '#shared/rules/schema.ts';

/** The rules of both scopes. */
export type Lists = { readonly masterRules: readonly Rule[]; readonly exportRules: readonly Rule[] };

/** A row of the export as its construction defines it, computed in plain TypeScript. */
export type Exported = { id: string; values: (string | null)[] };

export function exported(articles: readonly Item[], lists: Lists, rows: readonly ConstructionRow[]): Exported[] {
  const behindMaster = new Map(evaluate(articles, CATALOGUE, lists.masterRules).items.map((item) => [item.id, item]));
  const all = evaluate(articles, CATALOGUE, [...lists.masterRules, ...lists.exportRules]).items;
  return all.map(({ id, fields }, at) => {
    const titled = behindMaster.get(id)?.fields.get('Titel')?.toLowerCase() ?? '';
    const mapped = titled.includes('rot') ? 'R' : titled.includes('a') ? 'A' : '';
    const part = ({ type, value }: SourcePart) => {
      if (type === '_string') return value;
      if (type === '_mapping') return mapped;
      if (type === '_intern') return String(at + 1);
      return value === '_id' ? id : (fields.get(value) ?? '');
    };
    return { id, values: rows.map((row) => row.field.map(partOf).map(part).join('') || null) };
  });
}

/** The differences between the two files, counted row by row. */
export function compared(before: readonly Exported[], after: readonly Exported[], rows: readonly ConstructionRow[]) {
  const [was, is] = [new Map(before.map((one) => [one.id, one])), new Map(after.map((one) => [one.id, one]))];
  const removed = before.filter(({ id }) => !is.has(id)).map(({ id }) => id);
  const added = after.filter(({ id }) => !was.has(id)).map(({ id }) => id);
  const both = before.filter(({ id }) => is.has(id));
  const fields = rows.map((row, at) => {
    const pairs = both.map(({ id, values }) => ({
      id,
      before: values[at] ?? null,
      after: is.get(id)?.values[at] ?? null,
    }));
    const changed = pairs.filter((pair) => pair.before !== pair.after);
    return {
      name: row.exportfield,
      required: row.mp_state === 'Required',
      changed: changed.length,
      emptied: changed.filter((pair) => pair.after === null).length,
      samples: changed.slice(0, 3),
    };
  });
  const changedItems = both.filter(({ id, values }) =>
    values.some((value, at) => value !== is.get(id)?.values[at]),
  ).length;
  return {
    before: before.length,
    after: after.length,
    removed: removed.length,
    added: added.length,
    changedItems,
    changedValues: fields.reduce((sum, { changed }) => sum + changed, 0),
    fields: fields.filter(({ changed }) => changed > 0),
    removedItems: removed.slice(0, 10),
    addedItems: added.slice(0, 10),
  };
}

export const sorted = (impact: Omit<ExportImpact, 'id' | 'name'>) => ({
  ...impact,
  fields: impact.fields.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
});

export const row = (id: string, exportfield: string, field: object[], mp_state = '') =>
  ConstructionRow.parse({ id, exportfield, field, mp_state });

export const from = (value: string, type = '_field') => ({ type, value });

export const construction = [
  row('1', 'id', [from('_id')], 'Required'),
  row('2', 'title', [from('Titel')], 'Required'),
  row('3', 'both', [from('marke "x"'), from(' / ', '_string'), from('größe')]),
  row('4', 'price', [from('Preis')], 'Required'),
  row('5', 'new', [from('neu')]),
  row('6', 'fixed', [from('EUR', '_string')]),
];

export const mapped = [...construction, row('7', 'mapped', [from('Farben', '_mapping')])];

export const numbered = [...construction, row('8', 'number', [from('index', '_intern')])];

export const mapping = Mapping.parse({
  id: 'farben',
  name: 'Farben',
  active: true,
  data: [
    { id: '1', field: [from('Titel')], filter: 'contains', value: 'rot', target: 'R' },
    { id: '2', field: [from('Titel')], filter: 'contains', value: 'A', target: 'A' },
  ],
});

export const passed = [...CATALOGUE, 'neu'].map((name) => row(name, name, [from(name)]));

/** A list of rules as a user may have edited it. */
export const edit = fc.record({
  kind: fc.constantFrom('drop', 'add', 'swap', 'pause', 'replace'),
  at: fc.nat({ max: 9 }),
  with: rules,
});

export function edited(list: readonly Rule[], edits: readonly { kind: string; at: number; with: Rule[] }[]): Rule[] {
  let now = [...list];
  for (const { kind, at, with: others } of edits) {
    const index = now.length === 0 ? 0 : at % now.length;
    const [one, next, other] = [now[index], now[index + 1], others[0]];
    if (kind === 'drop') now = now.toSpliced(index, 1);
    if (kind === 'add' && other) now = now.toSpliced(index, 0, other);
    if (kind === 'replace' && other) now = now.toSpliced(index, 1, other);
    if (kind === 'swap' && one && next) now = now.toSpliced(index, 2, next, one);
    if (kind === 'pause' && one) now = now.toSpliced(index, 1, { ...one, active: !one.active });
  }
  return now;
}
