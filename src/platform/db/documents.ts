import type { Expression, InferResult, SqlBool } from 'kysely';
import type { Trx } from './database.ts';
import { KontorError } from '#platform/errors.ts';
import { pg } from './pg.ts';

/** A saved document: JSON text as it was received, with its revision number (0: never saved). */
export type Document = { body: string | undefined; revision: number; author: string; createdAt: Date | undefined };

/** One save without its content; `note` describes any but a plain edit. `bytes`: of its content and the previous one together. */
export type Revision = {
  subject: string;
  scope: string;
  revision: number;
  author: string;
  createdAt: Date;
  note: string | null;
  bytes: number;
};

export type DocumentPlace = { company: string; subject: string; scope: string };

/** Returns the newest (or a given) revision of one subject in one scope; every save is kept as a revision. */
export async function loadDocument(
  trx: Trx,
  company: string,
  subject: string,
  scope: string,
  revision?: number,
): Promise<Document> {
  const row = await trx
    .selectFrom('documents')
    .select(['body', 'revision', 'author', 'created_at'])
    .where((eb) => eb.and({ company, subject, scope }))
    .where((eb) => (revision === undefined ? eb.lit(true) : eb('revision', '=', revision)))
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    body: row?.body,
    revision: row?.revision ?? 0,
    author: row?.author ?? '',
    createdAt: row?.created_at,
  };
}

/**
 * Locks a document until the transaction ends; other saves of it wait. Code that changes a part of a document takes the lock
 * before reading the whole: a concurrent save of another part is then neither lost nor a conflict.
 */
export async function lockDocument(trx: Trx, { company, subject, scope }: DocumentPlace): Promise<void> {
  const key = `document ${company} ${subject} ${scope}`;
  await pg`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx);
}

/**
 * Saves a new revision and returns its number. `expected` (from If-Match) must be the newest one, otherwise 409 with the name of
 * the author in between. Without it concurrent saves follow one another, and both are kept.
 */
export async function saveDocument(
  trx: Trx,
  ref: DocumentPlace,
  save: { body: string; author: string; expected?: number | undefined; note?: string | undefined },
): Promise<number> {
  const { company, subject, scope } = ref;
  await lockDocument(trx, ref);
  const newest = await trx
    .selectFrom('documents')
    .select(['revision', 'author'])
    .where((eb) => eb.and({ company, subject, scope }))
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst();
  const latest = newest?.revision ?? 0;
  if (save.expected !== undefined && save.expected !== latest) throw stale(newest?.author);
  const revision = latest + 1;
  const { body, author, note } = save;
  await trx.insertInto('documents').values({ company, subject, scope, revision, body, author, note }).execute();
  return revision;
}

/** The error for a save that was based on an older revision; `author`: the author of the save in between. */
export function stale(author: string | undefined): KontorError {
  const principal = author === undefined ? '' : ` von ${author}`;
  return new KontorError(
    409,
    'stale',
    `Der Stand wurde zwischenzeitlich${principal} geändert. Ihre Eingaben sind noch da und wurden nicht gespeichert: bitte die Seite neu laden und die Änderung wiederholen.`,
  );
}

/** Returns revisions of one document, newest first; only those older than `before` (a revision number) if given. */
export async function listRevisions(
  trx: Trx,
  { company, subject, scope }: DocumentPlace,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<Revision[]> {
  const rows = await revisions(trx, company, { limit })
    .where((eb) => eb.and({ 'd.subject': subject, 'd.scope': scope }))
    .where((eb) => (before === undefined ? eb.lit(true) : eb('d.revision', '<', before)))
    // Not by time: a save that waited for another is dated by the start of its transaction.
    .clearOrderBy()
    .orderBy('d.revision', 'desc')
    .execute();
  return rows.map(toRevision);
}

/** Returns revisions of all documents of a company that match `wanted` (which calls them `d`), newest first. */
export async function listActivity(
  trx: Trx,
  company: string,
  page: { offset: number; limit: number },
  wanted: Expression<SqlBool>,
): Promise<Revision[]> {
  return (await revisions(trx, company, page).where(wanted).execute()).map(toRevision);
}

const revisions = (trx: Trx, company: string, { offset = 0, limit }: { offset?: number; limit: number }) =>
  withBefore(trx, company)
    .select((eb) => [
      'd.subject',
      'd.scope',
      'd.revision',
      'd.author',
      'd.created_at',
      'd.note',
      eb(
        eb.fn<number>('octet_length', ['d.body']),
        '+',
        eb.fn.coalesce(eb.fn<number>('octet_length', ['p.body']), eb.lit(0)),
      ).as('bytes'),
    ])
    .orderBy('d.created_at', 'desc')
    .orderBy('d.subject')
    .orderBy('d.scope')
    .orderBy('d.revision', 'desc')
    .limit(limit)
    .offset(offset);

/** Selects saves as `d`, each joined with the previous one as `p`. */
const withBefore = (trx: Trx, company: string) =>
  trx
    .selectFrom('documents as d')
    .leftJoin('documents as p', (join) =>
      join
        .onRef('p.company', '=', 'd.company')
        .onRef('p.subject', '=', 'd.subject')
        .onRef('p.scope', '=', 'd.scope')
        .on((eb) => eb('p.revision', '=', eb('d.revision', '-', 1))),
    )
    .where('d.company', '=', company);

function toRevision({ created_at: createdAt, ...row }: InferResult<ReturnType<typeof revisions>>[number]): Revision {
  return { ...row, createdAt };
}

type RevisionKey = Pick<Revision, 'subject' | 'scope' | 'revision'>;
const keyOf = ({ subject, scope, revision }: RevisionKey) => `${subject} ${scope} ${revision}`;

/** Returns a lookup of the contents of these saves and of the previous ones. */
export async function loadContents(
  trx: Trx,
  company: string,
  keys: readonly RevisionKey[],
): Promise<(key: RevisionKey) => { body: string; before: string | undefined } | undefined> {
  if (keys.length === 0) return () => undefined;
  const rows = await withBefore(trx, company)
    .select(['d.subject', 'd.scope', 'd.revision', 'd.body', 'p.body as before'])
    .where((eb) =>
      eb.or(
        keys.map(({ subject, scope, revision }) =>
          eb.and([eb('d.subject', '=', subject), eb('d.scope', '=', scope), eb('d.revision', '=', revision)]),
        ),
      ),
    )
    .execute();
  const bodies = new Map(rows.map((row) => [keyOf(row), { body: row.body, before: row.before ?? undefined }]));
  return (key) => bodies.get(keyOf(key));
}
