import type { Mapping, MappingRow } from '#shared/assignments/schema.ts';
import { type DocumentShape, fieldsShape } from '#client/editor/document-shape.ts';
import { lineShape } from '#client/fields/assignments/lines/line-shape.ts';
import { formatCount } from '#client/ui/text/formats.ts';
import type { Head } from './detail-box.tsx';

/** The edited parts of a mapping: its head and its rows, saved together. */
export type MappingDocument = Head & { readonly data: readonly MappingRow[] };

export const documentOf = ({ name, active, description, intern, lookupdata, data }: Mapping): MappingDocument => ({
  name,
  active,
  description,
  intern,
  lookupdata,
  data,
});

export const headOf = ({ data: _data, ...head }: MappingDocument): Head => head;

const heads = fieldsShape<Head>({
  labels: {
    name: 'Name',
    active: 'Aktiv',
    description: 'Beschreibung',
    intern: 'Interne Notiz',
    lookupdata: 'Zielwerte',
  },
  words: (path, value) =>
    path === 'lookupdata' && Array.isArray(value) ? formatCount(value.length, 'Zielwert', 'Zielwerte') : undefined,
});
const rows = lineShape<MappingRow>();

/** A mapping is merged by the fields of its head and by its rows. */
export const mappingShape: DocumentShape<MappingDocument> = {
  countChanges: (before, after) =>
    heads.countChanges(headOf(before), headOf(after)) + rows.countChanges(before.data, after.data),
  sentences: (before, after) => [
    ...heads.sentences(headOf(before), headOf(after)),
    ...rows.sentences(before.data, after.data),
  ],
  merge: (base, mine, theirs, choices) => {
    const head = heads.merge(headOf(base), headOf(mine), headOf(theirs), choices);
    const data = rows.merge(base.data, mine.data, theirs.data, choices);
    return {
      merged: { ...head.merged, data: data.merged },
      conflicts: [...head.conflicts, ...data.conflicts],
      orderConflict: data.orderConflict,
    };
  },
  typedPlace: (before, after) =>
    before.data === after.data
      ? heads.typedPlace(headOf(before), headOf(after))
      : rows.typedPlace(before.data, after.data),
};
