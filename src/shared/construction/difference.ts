import {
  keyOf,
  partOf,
  usedEntries,
  valueTypeOf,
  valueTypes,
  type ConstructionRow,
  type SourceEntry,
} from './schema.ts';
import { requirements } from '#shared/channels/requirement.ts';
import { fieldWord, quoted } from '#shared/rules/sentences.ts';
import { longestRising } from '#shared/rules/difference.ts';

/** Returns the source of a row as a German text: „Feld Titel + „ - “ + Feld Marke“. */
export function sourceSentence(row: Pick<ConstructionRow, 'field' | 'valuetype'>): string {
  const filled = usedEntries(row).filter((entry) => partOf(entry).value !== '');
  return filled.length === 0 ? 'ohne Quelle' : filled.map(entryWord).join(' + ');
}

function entryWord(entry: SourceEntry): string {
  const { type, value, caption } = partOf(entry);
  const key = keyOf(entry);
  if (key !== '') return `${key}: ${entryWord({ type, value, caption })}`;
  if (type === '_string' || type === '_default') return quoted(value);
  return `Feld ${fieldWord(caption === '' ? value : caption)}`;
}

/** Returns the changes between two constructions of an export as German sentences. */
export function constructionChanges(before: readonly ConstructionRow[], after: readonly ConstructionRow[]): string[] {
  const was = new Map(before.map((row) => [row.id, row]));
  const is = new Set(after.map(({ id }) => id));
  const sentences = after.flatMap((row) => {
    const old = was.get(row.id);
    if (old === undefined) return [`Exportfeld ${quoted(row.exportfield)} angelegt: ${sourceSentence(row)}.`];
    return rowChanges(old, row);
  });
  const removed = before.filter(({ id }) => !is.has(id));
  const indexes = new Map(before.map(({ id }, index) => [id, index]));
  const common = after.filter(({ id }) => was.has(id));
  const unmoved = longestRising(common.map(({ id }) => indexes.get(id) ?? 0));
  const moved = common.filter((_, index) => !unmoved.has(index));
  return [
    ...sentences,
    ...removed.map((row) => `Exportfeld ${quoted(row.exportfield)} gelöscht (${sourceSentence(row)}).`),
    ...moved.map((row) => `Exportfeld ${quoted(row.exportfield)}: an Stelle ${after.indexOf(row) + 1} verschoben.`),
  ];
}

function rowChanges(old: ConstructionRow, row: ConstructionRow): string[] {
  if (JSON.stringify(old) === JSON.stringify(row)) return [];
  const name = `Exportfeld ${quoted(row.exportfield)}`;
  const sentences: string[] = [];
  if (old.exportfield !== row.exportfield) sentences.push(`${name}: hieß vorher ${quoted(old.exportfield)}.`);
  const [from, to] = [sourceSentence(old), sourceSentence(row)];
  if (from !== to) sentences.push(`${name}: kam vorher aus „${from}“, kommt jetzt aus „${to}“.`);
  if (old.mp_state !== row.mp_state) {
    sentences.push(
      `${name}: war „${requirements[old.mp_state].label}“, ist jetzt „${requirements[row.mp_state].label}“.`,
    );
  }
  const [kind, newKind] = [valueTypeOf(old), valueTypeOf(row)];
  if (kind !== newKind && from === to)
    sentences.push(`${name}: Wertart war „${valueTypes[kind].label}“, ist jetzt „${valueTypes[newKind].label}“.`);
  if (old.description !== row.description) sentences.push(`${name}: Beschreibung geändert.`);
  return sentences.length === 0 ? [`${name}: geändert.`] : sentences;
}
