import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Note } from '#shared/repricer/dashboard.ts';

/** So many are told, those of the newest days. */
const MOST_NOTES = 2000;

export async function notesOf(trx: Trx, company: string): Promise<Note[]> {
  const { rows } = await pg<Note>`select day::text as date, note from notes where company = ${company}
    order by day desc, id desc limit ${MOST_NOTES}`.execute(trx);
  return rows;
}

export async function addNote(
  trx: Trx,
  company: string,
  { date, note }: Note,
  { author, now }: { author: string; now: Date },
): Promise<void> {
  await pg`insert into notes (company, day, note, author, created_at)
    values (${company}, ${date}::date, ${note}, ${author}, ${now.toISOString()}::timestamptz)`.execute(trx);
}
