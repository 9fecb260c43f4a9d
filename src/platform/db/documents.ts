import type { Trx } from './database.ts';
import { pg } from './pg.ts';
import { KontorError } from '#platform/errors.ts';

/** A subject's state as it was saved: JSON text as it came over the wire, with the number of its revision (0: never saved). */
export type Document = { body: string | undefined; revision: number; author: string; createdAt: Date | undefined };

/** One save without its content; `note` says what it was where it was no plain edit. `bytes`: of its content and of that before it. */
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

/** The newest (or a given) revision of one subject in one scope; every save is kept as a revision. */
export async function loadDocument(
  trx: Trx,
  company: string,
  subject: string,
  scope: string,
  revision?: number,
): Promise<Document> {
  const { rows } = await pg<{ body: string; revision: number; author: string; created_at: Date }>`
    select body, revision, author, created_at from documents
    where company = ${company} and subject = ${subject} and scope = ${scope}
      and (${revision ?? null}::int is null or revision = ${revision ?? null}::int)
    order by revision desc limit 1`.execute(trx);
  const [found] = rows;
  return {
    body: found?.body,
    revision: found?.revision ?? 0,
    author: found?.author ?? '',
    createdAt: found?.created_at,
  };
}

/**
 * Saves a new revision and returns its number. `expected` (from If-Match) must be the newest one, else 409 with the
 * name of who saved in between. Two saves at the same moment: the key lets only one through.
 */
export async function saveDocument(
  trx: Trx,
  place: DocumentPlace,
  save: { body: string; author: string; expected?: number | undefined; note?: string | undefined },
): Promise<number> {
  const { company, subject, scope } = place;
  const { rows } = await pg<{ revision: number; author: string }>`
    select revision, author from documents
    where company = ${company} and subject = ${subject} and scope = ${scope} order by revision desc limit 1`.execute(
    trx,
  );
  const newest = rows[0]?.revision ?? 0;
  if (save.expected !== undefined && save.expected !== newest) throw stale(rows[0]?.author);
  const next = newest + 1;
  const inserted = await pg`
    insert into documents (company, subject, scope, revision, body, author, note)
    values (${company}, ${subject}, ${scope}, ${next}, ${save.body}, ${save.author}, ${save.note ?? null})
    on conflict do nothing`.execute(trx);
  if (inserted.numAffectedRows === 0n) throw stale(undefined);
  return next;
}

/** A save that was made on an older state; `author`: who saved in between. */
export function stale(author: string | undefined): KontorError {
  const principal = author === undefined ? '' : ` von ${author}`;
  return new KontorError(
    409,
    'stale',
    `Der Stand wurde zwischenzeitlich${principal} geändert. Ihre Eingaben sind noch da und wurden nicht gespeichert: bitte die Seite neu laden und die Änderung wiederholen.`,
  );
}

/** Revisions of one document, newest first, those older than `before` (a revision number) if given. */
export function listRevisions(
  trx: Trx,
  { company, subject, scope }: DocumentPlace,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<Revision[]> {
  return revisionsWhere(
    trx,
    pg`d.company = ${company} and d.subject = ${subject} and d.scope = ${scope}
      and (${before ?? null}::int is null or d.revision < ${before ?? null}::int)`,
    { limit },
  );
}

/** Revisions of all documents of a company, newest first. */
export function listActivity(trx: Trx, company: string, page: { offset: number; limit: number }): Promise<Revision[]> {
  return revisionsWhere(trx, pg`d.company = ${company}`, page);
}

async function revisionsWhere(
  trx: Trx,
  where: ReturnType<typeof pg>,
  { offset = 0, limit }: { offset?: number; limit: number },
): Promise<Revision[]> {
  type Row = Omit<Revision, 'createdAt'> & { created_at: Date };
  const { rows } = await pg<Row>`
    select d.subject, d.scope, d.revision, d.author, d.created_at, d.note,
      octet_length(d.body) + coalesce(octet_length(p.body), 0) as bytes
    from documents d
    left join documents p on p.company = d.company and p.subject = d.subject and p.scope = d.scope
      and p.revision = d.revision - 1
    where ${where} order by d.created_at desc, d.subject, d.scope, d.revision desc limit ${limit} offset ${offset}`.execute(
    trx,
  );
  return rows.map(({ created_at, ...row }) => ({ ...row, createdAt: created_at }));
}

type RevisionKey = Pick<Revision, 'subject' | 'scope' | 'revision'>;
const keyOf = ({ subject, scope, revision }: RevisionKey) => `${subject} ${scope} ${revision}`;

/** The contents of these saves and of those before them, to be looked up by their keys. */
export async function loadContents(
  trx: Trx,
  company: string,
  keys: readonly RevisionKey[],
): Promise<(key: RevisionKey) => { body: string; before: string | undefined } | undefined> {
  if (keys.length === 0) return () => undefined;
  const { rows } = await pg<RevisionKey & { body: string; before: string | null }>`
    select d.subject, d.scope, d.revision, d.body, p.body as before
    from unnest(${keys.map(({ subject }) => subject)}::text[], ${keys.map(({ scope }) => scope)}::text[],
      ${keys.map(({ revision }) => revision)}::int[]) as k(subject, scope, revision)
    join documents d on d.company = ${company} and d.subject = k.subject and d.scope = k.scope and d.revision = k.revision
    left join documents p on p.company = d.company and p.subject = d.subject and p.scope = d.scope
      and p.revision = d.revision - 1`.execute(trx);
  const found = new Map(rows.map((row) => [keyOf(row), { body: row.body, before: row.before ?? undefined }]));
  return (key) => found.get(keyOf(key));
}
