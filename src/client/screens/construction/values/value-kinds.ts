import {
  type ConstructionRow,
  keyOf,
  partOf,
  type SourceEntry,
  type SourcePart,
  type ValueType,
  valueTypeNames,
  valueTypeOf,
} from '#shared/construction/schema.ts';

/** The two views of the editor: tabs by group (CON-06) and one table with labels (CON-07). */
export type View = 'tabs' | 'table';

/** CON-03: only the labelled view offers fixed texts and choices as kinds of their own. A row keeps the kind it has. */
export function offeredKinds(view: View, row: ConstructionRow): ValueType[] {
  const now = valueTypeOf(row);
  return valueTypeNames.filter((kind) => view === 'table' || kind === now || (kind !== 'input' && kind !== 'select'));
}

export const emptyText: SourcePart = { type: '_string', value: '', caption: '' };

/** Changes the kind of value. Fields, texts and names that fit the new kind are kept. */
export function changeValueType(row: ConstructionRow, valuetype: ValueType): ConstructionRow {
  return { ...row, valuetype, field: fittingEntries(row.field, valuetype) };
}

function fittingEntries(entries: readonly SourceEntry[], valuetype: ValueType): SourceEntry[] {
  const parts = entries.map(partOf);
  const atLeastOne = entries.length === 0 ? [emptyText] : entries;
  switch (valuetype) {
    case 'combine':
      return atLeastOne.map(partOf);
    case 'array':
      return atLeastOne.map((entry) => ({ name: nameOf(entry), value: partOf(entry) }));
    case 'array_key_value':
      return atLeastOne.map((entry) => ({
        key: { type: '_string', value: nameOf(entry) },
        value: partOf(entry),
      }));
    case 'field':
      return parts.filter((part) => part.type !== '_string').slice(0, 1);
    case 'select':
      return parts.filter(isLiteral).slice(0, 1);
    case 'input': {
      const [text = emptyText] = parts.filter(isLiteral);
      return [{ ...text, type: '_string' }];
    }
  }
}

const isLiteral = ({ type }: SourcePart): boolean => type === '_string' || type === '_default';

/** Returns the name of an entry: in a list it is for the user, in a pair for the channel. */
const nameOf = (entry: SourceEntry): string => ('name' in entry ? entry.name : keyOf(entry));
