import { groupedFields } from '#engine/duckdb/number-groups.ts';
import { ColumnSettings, type Field, type FieldUpdate } from '#shared/items/schema.ts';
import { loadDocument, lockDocument, saveDocument } from '#platform/db/documents.ts';
import type { Trx } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';
import type { SnapshotRecord } from './snapshots.ts';

type Scope = Pick<SnapshotRecord, 'company' | 'masterid'>;

const columnsRef = ({ company, masterid }: Scope) => ({ company, subject: 'columns', scope: `master:${masterid}` });

/** Loads hidden columns and notes of a master's fields, a document like everything that a user edits. */
async function loadSettings(trx: Trx, scope: Scope): Promise<ColumnSettings & { revision: number }> {
  const { body, revision } = await loadDocument(trx, scope.company, 'columns', columnsRef(scope).scope);
  return { ...ColumnSettings.parse(body === undefined ? { hidden: [] } : JSON.parse(body)), revision };
}

/** Returns the users' notes on the fields of a master, by field name. */
export async function fieldNotes(trx: Trx, scope: Scope): Promise<Map<string, string>> {
  const { notes } = await loadSettings(trx, scope);
  return new Map(notes.map(({ name, note }) => [name, note]));
}

export async function gridFields(trx: Trx, snapshot: SnapshotRecord): Promise<Field[]> {
  const settings = await loadSettings(trx, snapshot);
  const hidden = new Set(settings.hidden);
  const notes = new Map(settings.notes.map(({ name, note }) => [name, note]));
  const groups = groupedFields(snapshot.fields);
  return snapshot.fields.map((field) => ({
    id: field.id,
    name: field.name,
    show: hidden.has(field.name) ? 0 : 1,
    guess: field.guess,
    filled: field.filled,
    example: field.example,
    note: notes.get(field.name),
    groups: groups.get(field.name),
  }));
}

/**
 * Sets visibility (ITE-02) and notes (HDR-08) of the named columns. All other settings stay, even those of fields that the live
 * snapshot lacks: the next import may bring them back.
 * @throws 404 if a field does not exist (any more)
 */
export async function saveColumns(
  trx: Trx,
  snapshot: SnapshotRecord,
  updated: readonly FieldUpdate[],
  author: string,
): Promise<void> {
  await lockDocument(trx, columnsRef(snapshot));
  const settings = await loadSettings(trx, snapshot);
  const hidden = new Set(settings.hidden);
  const notes = new Map(settings.notes.map(({ name, note }) => [name, note]));
  const nameOf = new Map(snapshot.fields.map((field) => [field.id, field.name]));
  const names = new Set(nameOf.values());
  for (const { id, name = nameOf.get(id), show, note } of updated) {
    if (name === undefined || !names.has(name)) throw notFound('Dieses Feld');
    if (show === 0) hidden.add(name);
    if (show === 1) hidden.delete(name);
    if (note === '') notes.delete(name);
    else if (note !== undefined) notes.set(name, note);
  }
  const body: ColumnSettings = { hidden: [...hidden], notes: [...notes].map(([name, note]) => ({ name, note })) };
  await saveDocument(trx, columnsRef(snapshot), { body: JSON.stringify(body), author, expected: settings.revision });
}
