import type { Trx } from '#platform/db/database.ts';
import type { DeletionRecord } from '#shared/operations/trash.ts';

/** A deletion that a user requested. */
export type Deletion = {
  readonly company: string;
  readonly id: string;
  readonly kind: DeletionRecord['kind'];
  readonly subject: string;
  readonly name: string;
  readonly askedBy: string;
  readonly askedAt: Date;
};
/** What was deleted: rows by table, files and their bytes. */
export type Gone = {
  readonly rows: Readonly<Record<string, number>>;
  readonly files: number;
  readonly bytes: number;
};

/** Records what was deleted, in numbers. */
export async function recordDeletion(trx: Trx, deletion: Deletion, deleted: Gone, now: Date): Promise<void> {
  const { company, id, kind, subject, name, askedBy, askedAt } = deletion;
  const rows = Object.fromEntries(Object.entries(deleted.rows).filter(([, count]) => count > 0));
  await trx
    .insertInto('deletion_records')
    .values({
      company,
      id,
      kind,
      subject,
      name,
      asked_by: askedBy,
      asked_at: askedAt,
      done_at: now,
      table_rows: JSON.stringify(rows),
      row_count: Object.values(rows).reduce((sum, count) => sum + count, 0),
      file_count: deleted.files,
      bytes: deleted.bytes,
    })
    .execute();
}

/** Returns a company's permanent deletions, newest first. */
export async function listDeletions(trx: Trx, company: string): Promise<DeletionRecord[]> {
  const rows = await trx
    .selectFrom('deletion_records')
    .select(['id', 'kind', 'name', 'asked_by as askedBy', 'asked_at as askedAt', 'done_at as doneAt'])
    .select(['row_count as rows', 'file_count as files', 'bytes'])
    .where('company', '=', company)
    .orderBy('done_at', 'desc')
    .orderBy('id')
    .limit(100)
    .execute();
  return rows.map(({ askedAt, doneAt, ...row }) => ({
    ...row,
    askedAt: askedAt.toISOString(),
    doneAt: doneAt.toISOString(),
  }));
}
