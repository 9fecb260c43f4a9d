import { z } from 'zod';
import type { Field } from '#shared/items.ts';
import { loadDocument, saveDocument } from '#platform/documents.ts';
import type { Trx } from '#platform/db.ts';
import type { SnapshotRecord } from './snapshots.ts';

/** The hidden columns of a master's grid, a document like every thing a user edits. Stored by name: it outlives imports. */
const Hidden = z.object({ hidden: z.array(z.string()) });
const place = (company: string, masterid: string) => ({ company, subject: 'columns', scope: `master:${masterid}` });

export async function gridFields(trx: Trx, snapshot: SnapshotRecord): Promise<Field[]> {
  const { company, masterid } = snapshot;
  const { body } = await loadDocument(trx, company, 'columns', place(company, masterid).scope);
  const hidden = new Set(body === undefined ? [] : Hidden.parse(JSON.parse(body)).hidden);
  return snapshot.fields.map((field) => ({
    id: field.id,
    name: field.name,
    show: hidden.has(field.name) ? 0 : 1,
    guess: field.guess,
    filled: field.filled,
    example: field.example,
  }));
}

/** Sets the visibility of the columns named; the others keep theirs (ITE-02). */
export async function saveColumns(
  trx: Trx,
  snapshot: SnapshotRecord,
  updated: readonly { id: string; show: 0 | 1 }[],
  author: string,
): Promise<void> {
  const shows = new Map(updated.map((column) => [column.id, column.show]));
  const hidden = (await gridFields(trx, snapshot))
    .filter((field) => (shows.get(field.id) ?? field.show) === 0)
    .map((field) => field.name);
  await saveDocument(trx, place(snapshot.company, snapshot.masterid), { body: JSON.stringify({ hidden }), author });
}
