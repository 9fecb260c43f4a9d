import { filterDefinition, type CategoryRow, type Mapping, type MappingRow, type RowCondition } from './schema.ts';
import { fieldWord, quoted } from '#shared/rules/sentences.ts';
import { countText } from '#shared/values/integer-text.ts';

type Row = MappingRow | CategoryRow;

/** Rows that a sentence of the history names; the others are counted. */
const NAMED = 5;

/** Returns a row as a German sentence: „Wenn Farbe entspricht „rot“, dann „Rot““. */
export function rowSentence(row: Row): string {
  const conditions: readonly RowCondition[] =
    'producttyp' in row
      ? row.field
      : [{ input: row.field[0] ?? { type: '_string', value: '', caption: '' }, filter: row.filter, value: row.value }];
  const sentences = conditions.map(({ input, filter, value }) => {
    return `${sourceWord(input)} ${filterDefinition(filter).label} ${quoted(value)}`;
  });
  const target = row.target === '' ? 'nichts' : quoted(row.catname === '' ? row.target : row.catname);
  return `Wenn ${sentences.join(' und ')}, dann ${target}`;
}

/** Returns what a condition reads: a fixed text quoted, a mapping or an internal field by its name. */
function sourceWord({ type, value }: RowCondition['input']): string {
  if (type === '_string' || type === '_default') return quoted(value);
  return fieldWord(type === '_field' || value === '' ? value : `${type}:${value}`);
}

/** Returns the changes between two tables of rows as German sentences; thousands of rows are summed up. */
export function rowChanges(before: readonly Row[], after: readonly Row[]): string[] {
  const was = new Map(before.map((row) => [row.id, row]));
  const is = new Set(after.map(({ id }) => id));
  const added = after.filter(({ id }) => !was.has(id));
  const removed = before.filter(({ id }) => !is.has(id));
  const changed = after.filter((row) => {
    const old = was.get(row.id);
    return old !== undefined && JSON.stringify(old) !== JSON.stringify(row);
  });
  const order = (list: readonly Row[], known: { has(id: string): boolean }) =>
    list
      .filter(({ id }) => known.has(id))
      .map(({ id }) => id)
      .join('\n');
  return [
    ...summed(added, 'Zeile angelegt', 'Zeilen angelegt', rowSentence),
    ...summed(removed, 'Zeile gelöscht', 'Zeilen gelöscht', rowSentence),
    ...summed(changed, 'Zeile geändert', 'Zeilen geändert', (row) => rowChange(was.get(row.id) ?? row, row)),
    ...(order(before, is) === order(after, was) ? [] : ['Zeilen umsortiert.']),
  ];
}

function rowChange(old: Row, row: Row): string {
  const state = old.active === row.active ? '' : ` (${row.active ? 'aktiviert' : 'pausiert'})`;
  const [before, after] = [rowSentence(old), rowSentence(row)];
  if (before !== after) return `${before} → ${after}${state}`;
  // Lists of channels have several entries of one name.
  const id = ({ target }: Row) => (target === '' ? 'ohne Kennung' : `Kennung ${target}`);
  return old.target === row.target ? `${after}${state}` : `${before} (${id(old)}) → ${after} (${id(row)})${state}`;
}

function summed(rows: readonly Row[], one: string, many: string, sentence: (row: Row) => string): string[] {
  if (rows.length === 0) return [];
  if (rows.length <= NAMED) return rows.map((row) => `${one}: ${sentence(row)}.`);
  const named = rows.slice(0, NAMED - 2).map((row) => sentence(row));
  return [`${rows.length.toLocaleString('de-DE')} ${many}, zum Beispiel: ${named.join('; ')}.`];
}

/** Returns the changes between two lists of mappings as German sentences. */
export function mappingChanges(before: readonly Mapping[], after: readonly Mapping[]): string[] {
  const was = new Map(before.map((mapping) => [mapping.id, mapping]));
  const is = new Set(after.map(({ id }) => id));
  const name = ({ name: text }: Mapping) => `Mapping ${quoted(text)}`;
  const idsIn = (list: readonly Mapping[], known: { has(id: string): boolean }) =>
    list
      .filter(({ id }) => known.has(id))
      .map(({ id }) => id)
      .join();
  return [
    ...after.flatMap((mapping) => {
      const old = was.get(mapping.id);
      if (old === undefined)
        return [`${name(mapping)} angelegt mit ${countText(mapping.data.length, 'Zeile', 'Zeilen')}.`];
      return mappingChange(old, mapping).map((text) => `${name(mapping)}: ${text}`);
    }),
    ...before.filter(({ id }) => !is.has(id)).map((mapping) => `${name(mapping)} gelöscht.`),
    ...(idsIn(before, is) === idsIn(after, was) ? [] : ['Mappings umsortiert.']),
  ];
}

function mappingChange(old: Mapping, mapping: Mapping): string[] {
  return [
    ...(old.name === mapping.name ? [] : [`hieß vorher ${quoted(old.name)}.`]),
    ...(old.active === mapping.active ? [] : [mapping.active ? 'aktiviert.' : 'pausiert.']),
    ...(old.description === mapping.description && old.intern === mapping.intern
      ? []
      : ['Beschreibung oder Notiz geändert.']),
    ...(JSON.stringify(old.lookupdata) === JSON.stringify(mapping.lookupdata) ? [] : ['Zielwerte geändert.']),
    ...rowChanges(old.data, mapping.data),
  ];
}

type ListVersion = { source: string; entries: readonly { id: string; name: string }[] };

/** Returns the changes between two versions of a channel's list as German sentences. */
export function targetListChanges(before: ListVersion | undefined, after: ListVersion): string[] {
  const was = new Map(before?.entries.map((entry) => [entry.id, entry]));
  const is = new Set(after.entries.map(({ id }) => id));
  const added = after.entries.filter(({ id }) => !was.has(id)).length;
  const known = after.entries.flatMap((entry) => {
    const old = was.get(entry.id);
    return old === undefined ? [] : [{ entry, old }];
  });
  const renamed = known.filter(({ entry, old }) => entry.name !== old.name).length;
  // Its product type, colour value or attributes.
  const other = known.filter(
    ({ entry, old }) => entry.name === old.name && JSON.stringify(entry) !== JSON.stringify(old),
  ).length;
  const removed = [...was.keys()].filter((id) => !is.has(id)).length;
  const count = (number: number, word: string) => (number === 0 ? [] : [`${number.toLocaleString('de-DE')} ${word}`]);
  const parts = [
    ...count(added, 'neu'),
    ...count(removed, 'weggefallen'),
    ...count(renamed, 'umbenannt'),
    ...count(other, 'mit anderen Angaben'),
  ];
  const what = parts.length === 0 ? 'ohne Änderung' : parts.join(', ');
  return [
    `Liste aus ${quoted(after.source)} geladen: ${countText(after.entries.length, 'Eintrag', 'Einträge')} (${what}).`,
  ];
}
