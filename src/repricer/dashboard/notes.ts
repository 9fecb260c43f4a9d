import type { Trx } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';
import type { StoredNote, Note } from '#shared/repricer/dashboard.ts';

/** Maximum number of notes returned, those of the newest days. */
const MOST_NOTES = 2000;

export async function notesOf(trx: Trx, company: string): Promise<StoredNote[]> {
  return trx
    .selectFrom('notes')
    .select(['id', 'day as date', 'note'])
    .where('company', '=', company)
    .orderBy('day', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_NOTES)
    .execute();
}

export async function addNote(
  trx: Trx,
  company: string,
  { date, note }: Note,
  { author, now }: { author: string; now: Date },
): Promise<void> {
  await trx.insertInto('notes').values({ company, day: date, note, author, created_at: now }).execute();
}

/** @throws 404 for a note that is not there (any more) */
export async function deleteNote(trx: Trx, company: string, id: number): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('notes')
    .where((eb) => eb.and({ company, id }))
    .executeTakeFirst();
  if (numDeletedRows !== 1n) throw notFound('Diese Notiz');
}
