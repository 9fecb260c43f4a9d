import type { Trx } from '#platform/db/database.ts';
import type { Note } from '#shared/repricer/dashboard.ts';

/** Maximum number of notes returned, those of the newest days. */
const MOST_NOTES = 2000;

export async function notesOf(trx: Trx, company: string): Promise<Note[]> {
  return trx
    .selectFrom('notes')
    .select(['day as date', 'note'])
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
