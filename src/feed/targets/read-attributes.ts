import { TARGET_LIMITS } from '#shared/targets/schema.ts';
import type { Draft } from './draft.ts';
import { partsOf } from './list-text.ts';
import { isAttribute, isId, isInfo, isLevel, isName, isPath, isRequired, isValue } from './roles.ts';

type Row = readonly string[];
const cellOf = (record: Row, index: number): string => (index === -1 ? '' : (record[index] ?? '').trim());

/**
 * A table of attributes and the values that each may have: its entries are the values, and say of which attribute they are. A value that several
 * attributes have gets an id with its attribute, so that none is lost. Undefined for other tables.
 */
export function readValues(head: Row, rows: readonly Row[]): Draft[] | undefined {
  const attribute = head.findIndex(isAttribute);
  const value = head.findIndex((title, index) => isValue(title) && index !== attribute);
  const isOther = (title: string, index: number) =>
    index !== attribute && index !== value && (isPath(title) || isLevel(title) || (isName(title) && !isId(title)));
  if (attribute === -1 || value === -1 || head.some(isOther)) return undefined;
  const id = head.findIndex(
    (title, index) => isId(title) && index !== attribute && index !== value && tellsApart(rows, index),
  );
  const several = /werte|values|ausprägungen/i.test(head[value] ?? '');
  const info = head.findIndex((title, index) => isInfo(title) && index !== attribute && index !== value);
  const found = rows.flatMap((record) => {
    const cell = cellOf(record, value);
    const values = several ? partsOf(cell, /[|;\n]/).filter((one) => one !== '') : [cell];
    const more = { attribute: cellOf(record, attribute), info: cellOf(record, info) };
    return values.map((name) => ({ ...more, name, id: values.length > 1 ? '' : cellOf(record, id) }));
  });
  const valuesOf = Map.groupBy(found, ({ name }) => name);
  const shared = new Set(
    [...valuesOf].flatMap(([name, all]) => (all.some((one) => one.attribute !== all[0]?.attribute) ? [name] : [])),
  );
  return found.map((one) => ({
    id: one.id || (shared.has(one.name) ? `${one.attribute} > ${one.name}` : one.name),
    name: one.name,
    info: [one.attribute, one.info].filter((text) => text !== '').join(', '),
  }));
}

/** Whether every row has a value of its own in a column. Ends at the first that has none: a file may have thousands of columns. */
export function tellsApart(rows: readonly Row[], index: number): boolean {
  const seen = new Set(['']);
  return rows.every((row) => {
    const cell = cellOf(row, index);
    return !seen.has(cell) && seen.add(cell);
  });
}

/**
 * The entries of a table with one row for each attribute of a category: each once, with all its attributes. Unchanged where no column names
 * attributes, or where the attributes are the entries (`used`: columns that are read otherwise).
 */
export function withAttributes(
  { head, rows, used }: { head: Row; rows: readonly Row[]; used: ReadonlySet<number> },
  drafts: readonly Draft[],
): { drafts: Draft[]; warnings: string[] } {
  const attribute = head.findIndex((title, index) => isAttribute(title) && !used.has(index));
  if (attribute === -1) return { drafts: [...drafts], warnings: [] };
  const required = head.findIndex(isRequired);
  const value = head.findIndex((title, index) => isValue(title) && !used.has(index));
  const entries = new Map<string, Draft & { attributes: { name: string; required: boolean }[] }>();
  for (const [at, draft] of drafts.entries()) {
    const record = rows[at] ?? [];
    const key = JSON.stringify([draft.id, draft.name, draft.path ?? []]);
    const entry = entries.get(key) ?? { ...draft, attributes: [] };
    entries.set(key, entry);
    const name = cellOf(record, attribute);
    const isKnown =
      entry.attributes.some((one) => one.name === name) || entry.attributes.length >= TARGET_LIMITS.attributes;
    if (name !== '' && !isKnown) entry.attributes.push({ name, required: yes.test(cellOf(record, required)) });
  }
  const hasValues = rows.some((record) => cellOf(record, value) !== '');
  return { drafts: [...entries.values()], warnings: hasValues ? [valuesLeft] : [] };
}

const yes = /^(?:ja|yes|true|wahr|1|x|pflicht|required|high)$/i;
const valuesLeft =
  'Die Datei nennt zu Attributen auch Werte: Zu den Einträgen gehören die Attribute, ihre Werte sind nicht übernommen. Als eigene Liste lassen sie sich mit der Kopfzeile „Attribut;Wert“ hochladen.';
