import { createReadStream } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { z } from 'zod';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { showTrash } from '#catalogue/trash.ts';
import { exportedTables } from '#company/company-data.ts';
import { batchesOf } from '#operations/backup/table-rows.ts';
import { TarWriter } from '#operations/backup/tar.ts';
import type { Clock } from '#platform/clock.ts';
import { pg } from '#platform/db/pg.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { type ListedFile, streamIfThere } from '#platform/storage/store.ts';
import { temporaryName } from '#platform/jobs/job-files.ts';
import { defineJob, jobRunner, type JobRunner } from '#platform/jobs/job-definition.ts';
import type { JobContext } from '#platform/jobs/job.ts';
import { readmeOf } from './readme.ts';

export const companyExportJob = defineJob({ kind: 'company-export', payload: z.object({}), pool: 'maintenance' });
export const COMPANY_EXPORT_SUBJECT = 'company-export';

const SealedPerson = z.object({
  company: z.string(),
  channel: z.string(),
  order_id: z.string(),
  role: z.string(),
  sealed: z.string(),
});

export type SealedPerson = z.infer<typeof SealedPerson>;

export type CompanyExportDeps = {
  database: Database;
  clock: Clock;
  storagePaths: Pick<StoragePaths, 'company' | 'store'>;
  companyName: (company: string) => Promise<string>;
  /** Decrypts a stored person of an order. */
  openPerson: (row: SealedPerson) => string;
};

/** The folder of the archives, which no backup includes. */
const folderOf = (deps: { storagePaths: Pick<StoragePaths, 'company'> }, company: string) =>
  join(deps.storagePaths.company(company), 'work');

/** Returns the path of a run's archive. */
export const archivePath = (
  deps: { storagePaths: Pick<StoragePaths, 'company'> },
  company: string,
  id: string,
): string => join(folderOf(deps, company), `${id}.tar`);

/** Returns the runner that writes all data of a company into one archive: a file per table, and the company's files. */
export function companyExportRunner(deps: CompanyExportDeps): JobRunner {
  return jobRunner(companyExportJob, async (job, context) => {
    const { company } = job;
    const folder = folderOf(deps, company);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Only the newest archive is useful, so older ones are removed.
    const older = (await deps.storagePaths.store.list(folder)).filter(({ path }) => path.endsWith('.tar'));
    await deps.storagePaths.store.remove(older.map(({ path }) => path));
    const final = archivePath(deps, company, job.id);
    const temporary = temporaryName(job, final);
    const spool = `${temporary}-rows.tmp`;
    try {
      await writeArchive(deps, company, { temporary, spool }, context);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    } finally {
      await rm(spool, { force: true });
    }
    const { size: bytes } = await stat(temporary);
    return { state: 'done', result: { bytes }, files: [{ temporary, final }] };
  });
}

async function writeArchive(
  deps: CompanyExportDeps,
  company: string,
  { temporary, spool }: { temporary: string; spool: string },
  context: JobContext,
): Promise<void> {
  const { store } = deps.storagePaths;
  const root = deps.storagePaths.company(company);
  const tables = exportedTables.filter(([, how]) => how !== 'left out').map(([table]) => table);
  const listed = async () => keptFiles(root, await store.list(root));
  const { length: expected } = await listed();
  const handle = await open(temporary, 'w', 0o600);
  let done = 0;
  const step = () => {
    context.signal.throwIfAborted();
    context.progress({ done: done++, total: tables.length + expected + 1 });
  };
  try {
    const archive = new TarWriter(handle, deps.clock.now());
    const left = exportedTables.filter(([, how]) => how === 'left out').map(([table]) => table);
    const name = await deps.companyName(company);
    const readme = Buffer.from(readmeOf(name, deps.clock.now().toISOString(), left));
    await archive.add('LIESMICH.txt', readme.length, single(readme));
    const addSpooled = async (table: string) => {
      const { size } = await stat(spool);
      await archive.add(`tabellen/${table}.jsonl`, size, createReadStream(spool));
    };
    for (const table of tables) {
      step();
      await deps.database.company(company, (trx) => spoolRows(spool, companyRows(trx, deps, company, table)));
      await addSpooled(table);
    }
    step();
    await spoolRows(spool, membersOf(deps.database, company));
    await addSpooled('mitglieder');
    // After the tables: decisions that were moved out of them meanwhile are in a file by now.
    for (const { path, bytes } of await listed()) {
      step();
      const content = await streamIfThere(store, path);
      if (content) await archive.add(`dateien/${relative(root, path)}`, bytes, content);
    }
    await archive.end();
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Columns that no archive contains: whoever knows a feed's address reads its files without a session. */
const secretColumns = ['feed_token'];

/** Yields the rows of a table as JSON, in batches. */
export async function* companyRows(
  trx: Trx,
  { openPerson }: Pick<CompanyExportDeps, 'openPerson'>,
  company: string,
  table: string,
) {
  await showTrash(trx);
  await pg`set local statement_timeout = 0`.execute(trx);
  const query = pg`select (to_jsonb(t) - ${secretColumns}::text[])::text as row from ${pg.table(table)} t
    where company = ${company}`;
  for await (const rows of batchesOf(trx, query)) {
    const lines = table === 'order_persons' ? rows.map((row) => opened(row, openPerson)) : rows;
    yield `${lines.join('\n')}\n`;
  }
}

function opened(row: string, openPerson: CompanyExportDeps['openPerson']): string {
  const { sealed, ...rest } = z.record(z.string(), z.unknown()).parse(JSON.parse(row));
  const person: unknown = JSON.parse(openPerson(SealedPerson.parse({ ...rest, sealed })));
  return JSON.stringify({ ...rest, person });
}

async function* membersOf({ kysely }: Database, company: string): AsyncGenerator<string> {
  const members = await kysely
    .selectFrom('member as m')
    .innerJoin('user as u', 'u.id', 'm.userId')
    .select(['u.name', 'u.email', 'm.role', 'm.createdAt as since'])
    .where('m.organizationId', '=', company)
    .orderBy('u.id')
    .execute();
  for (const member of members) yield `${JSON.stringify(member)}\n`;
}

async function spoolRows(path: string, rows: AsyncIterable<string>): Promise<void> {
  const handle = await open(path, 'w', 0o600);
  try {
    for await (const row of rows) await handle.appendFile(row);
  } finally {
    await handle.close();
  }
}

/** Folders of unfinished or unread uploads, of files that can be recreated, and of archives. */
const passing: ReadonlySet<string> = new Set(['incoming', 'fields', 'work']);

/** Returns the files to export: without uploads in progress, files that can be recreated, and other archives. */
function keptFiles(root: string, files: readonly ListedFile[]): ListedFile[] {
  const isKept = (path: string) => !path.split('/').some((part) => passing.has(part));
  return files
    .filter(({ path }) => isKept(relative(root, path)))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

async function* single(text: Uint8Array): AsyncGenerator<Uint8Array> {
  yield text;
}
