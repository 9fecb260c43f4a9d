import { sql } from 'kysely';
import type { Trx } from './db.ts';
import { KontorError } from './errors.ts';

/** A subject's state as it was saved: JSON text as it came over the wire, with the number of its revision (0: never saved). */
export type Document = { body: string | undefined; revision: number };

export type Revision = { revision: number; author: string; createdAt: Date };

/** The newest (or a given) revision of one subject in one scope (design 2.3). */
export async function loadDocument(
  trx: Trx,
  company: string,
  subject: string,
  scope: string,
  revision?: number,
): Promise<Document> {
  const { rows } = await sql<{ body: string; revision: number }>`
    select body, revision from documents
    where company = ${company} and subject = ${subject} and scope = ${scope}
      and (${revision ?? null}::int is null or revision = ${revision ?? null}::int)
    order by revision desc limit 1`.execute(trx);
  return { body: rows[0]?.body, revision: rows[0]?.revision ?? 0 };
}

/**
 * Saves a new revision and returns its number. `expected` (from If-Match) must be the newest one, else 409 with the
 * name of who saved in between. Two saves at the same moment: the key lets only one through.
 */
export async function saveDocument(
  trx: Trx,
  place: { company: string; subject: string; scope: string },
  save: { body: string; author: string; expected?: number | undefined },
): Promise<number> {
  const { company, subject, scope } = place;
  const { rows } = await sql<{ revision: number; author: string }>`
    select revision, author from documents
    where company = ${company} and subject = ${subject} and scope = ${scope} order by revision desc limit 1`.execute(
    trx,
  );
  const newest = rows[0]?.revision ?? 0;
  if (save.expected !== undefined && save.expected !== newest) throw stale(rows[0]?.author);
  const next = newest + 1;
  const inserted = await sql`
    insert into documents (company, subject, scope, revision, body, author)
    values (${company}, ${subject}, ${scope}, ${next}, ${save.body}, ${save.author})
    on conflict do nothing`.execute(trx);
  if (inserted.numAffectedRows === 0n) throw stale(undefined);
  return next;
}

function stale(author: string | undefined): KontorError {
  const who = author === undefined ? '' : ` von ${author}`;
  return new KontorError(
    409,
    'stale',
    `Der Stand wurde zwischenzeitlich${who} geändert. Ihre Eingaben sind noch da und wurden nicht gespeichert: bitte die Seite neu laden und die Änderung wiederholen.`,
  );
}

/** All revisions, newest first. */
export async function listRevisions(trx: Trx, company: string, subject: string, scope: string): Promise<Revision[]> {
  const { rows } = await sql<{ revision: number; author: string; created_at: Date }>`
    select revision, author, created_at from documents
    where company = ${company} and subject = ${subject} and scope = ${scope} order by revision desc`.execute(trx);
  return rows.map((row) => ({ revision: row.revision, author: row.author, createdAt: row.created_at }));
}
