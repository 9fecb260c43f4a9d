import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { companyTables } from '#company/company-data.ts';
import type { Clock } from '#platform/clock.ts';
import { pg } from '#platform/db/pg.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Ids } from '#platform/ids.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { revokeJobs } from '#platform/jobs/revoke-jobs.ts';
import type { Log } from '#platform/telemetry/log.ts';
import type { HeaderCount } from '#shared/live/components.ts';
import { type CompanyDeletion, DELETION_HOURS } from '#shared/operations/company-data.ts';
import { pages } from '#shared/pages.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import { operatingCompany } from '#operations/operator.ts';
import { type AddNotification, chainDeletion } from './deletion-chain.ts';
import { recordDeletion } from '#operations/trash/deletion-records.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Time after which every worker has noticed that its job was taken away. */
const SETTLED_MS = 60 * 1000;

export type CompanyDeletionDeps = {
  database: Database;
  clock: Clock;
  ids: Ids;
  /** Makes the marks of the chain of proofs. */
  vault: Vault;
  log: Log;
  jobs: Pick<Jobs, 'cancel'>;
  storagePaths: Pick<StoragePaths, 'company' | 'store'>;
  /** Stops the marketplace in this process that serves the example account. */
  stopDemoMarket: (company: string) => Promise<void>;
  adminEmail: string | undefined;
  addNotification: AddNotification;
};

/** Schedules a company's deletion for a day from now. @throws 409 if it is scheduled already */
export async function scheduleDeletion(
  trx: Trx,
  request: { company: string; id: string; name: string; by: string; now: Date },
): Promise<CompanyDeletion> {
  const { company, id, name, by, now } = request;
  const due = new Date(now.getTime() + DELETION_HOURS * HOUR_MS);
  const added = await trx
    .insertInto('company_deletions')
    .values({ company, id, name, asked_by: by, asked_at: now, due_at: due })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n)
    throw new KontorError(409, 'deletion_asked', 'Die Löschung dieser Firma ist schon angefordert.');
  return { askedBy: by, askedAt: now.toISOString(), dueAt: due.toISOString() };
}

/** Cancels a scheduled deletion. @throws 409 if none is scheduled, or if it has begun */
export async function cancelDeletion(trx: Trx, company: string, now: Date): Promise<void> {
  const deleted = await trx
    .deleteFrom('company_deletions')
    .where('company', '=', company)
    .where('due_at', '>', now)
    .executeTakeFirst();
  if (deleted.numDeletedRows !== 1n)
    throw new KontorError(409, 'nothing_to_call_off', 'Die Firma wird nicht gelöscht, oder die Frist ist vorbei.');
}

/** Returns a company's scheduled deletion; null if there is none. */
export async function pendingDeletion(trx: Trx, company: string): Promise<CompanyDeletion | null> {
  const row = await trx
    .selectFrom('company_deletions')
    .select(['asked_by', 'asked_at', 'due_at'])
    .where('company', '=', company)
    .executeTakeFirst();
  return row === undefined
    ? null
    : { askedBy: row.asked_by, askedAt: row.asked_at.toISOString(), dueAt: row.due_at.toISOString() };
}

/** Returns the hours until the company is deleted, for the header of every member. */
export async function deletionHeaderCounts(
  trx: Trx,
  { company }: { company: string },
  now: Date,
): Promise<HeaderCount[]> {
  const pending = await pendingDeletion(trx, company);
  if (pending === null) return [];
  const hours = Math.max(1, Math.ceil((Date.parse(pending.dueAt) - now.getTime()) / HOUR_MS));
  return [{ label: 'Firma wird gelöscht, Stunden', count: hours, more: false, path: pages.companyData.path }];
}

/**
 * Deletes the companies whose day is over, and a minute later what a worker that had begun before still wrote. Returns the number
 * of companies for which it did something.
 */
export async function deleteDueCompanies(deps: CompanyDeletionDeps): Promise<number> {
  const { database, clock, log } = deps;
  const now = clock.now();
  const due = await database.system((trx) =>
    trx
      .selectFrom('company_deletions as d')
      .leftJoin('deletion_records as r', (join) => join.onRef('r.company', '=', 'd.company').onRef('r.id', '=', 'd.id'))
      .select(['d.company', 'd.id', 'd.name', 'd.asked_by', 'd.asked_at', 'r.done_at'])
      .where('d.due_at', '<=', now)
      .where((eb) => eb.or([eb('r.done_at', 'is', null), eb('r.done_at', '<=', new Date(now.getTime() - SETTLED_MS))]))
      .execute(),
  );
  // The operator's company last: the others that are due may be gone by then.
  const operator = await operatingCompany(database, deps.adminEmail);
  const inOrder = due.toSorted((one, other) => Number(one.company === operator) - Number(other.company === operator));
  let done = 0;
  for (const { company, id, name, asked_by: askedBy, asked_at: askedAt, done_at: doneAt } of inOrder) {
    try {
      if (doneAt === null && company === operator && (await hasOthers(deps, company))) {
        await withdrawDeletion(deps, { company, id, askedBy });
        log.warn({ company }, 'a company was not deleted: it operates the installation for other companies');
        continue;
      }
      if (doneAt === null) await deleteCompany(deps, { company, id, name, askedBy, askedAt });
      else await deleteRest(deps, company);
      log.info({ company, rest: doneAt !== null }, 'company deleted');
      done++;
    } catch (error) {
      // One failure must not stop the others; it is retried at the next check.
      log.error({ err: error, company }, 'a company could not be deleted');
    }
  }
  return done;
}

/** Whether there are other companies: some may have joined since the deletion was requested. */
async function hasOthers({ database }: CompanyDeletionDeps, company: string): Promise<boolean> {
  const other = await database.kysely
    .selectFrom('organization')
    .select('id')
    .where('id', '!=', company)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** Takes back a company's request, and tells its members. */
async function withdrawDeletion(
  { database, addNotification }: CompanyDeletionDeps,
  { company, id, askedBy }: { company: string; id: string; askedBy: string },
): Promise<void> {
  await database.company(company, async (trx) => {
    const taken = await trx
      .deleteFrom('company_deletions')
      .where((eb) => eb.and({ company, id }))
      .executeTakeFirst();
    // Someone may have taken it back meanwhile.
    if (taken.numDeletedRows === 0n) return;
    await addNotification(trx, company, {
      id: `deletion-withdrawn-${id}`,
      event: 'failed',
      title: 'Firma nicht gelöscht',
      text: `Die Löschung, die ${askedBy} angefordert hat, wurde zurückgenommen; es wurde nichts gelöscht. Diese Firma betreibt die Installation, und seit der Anforderung benutzen sie auch andere Firmen. Soll sie trotzdem gelöscht werden, lassen Sie bitte zuerst eine andere Firma als Betreiber festlegen (KONTOR_ADMIN_EMAIL), und fordern Sie die Löschung danach neu an.`,
      path: pages.companyData.path,
    });
  });
}

/** Runs work on one company in which all its rows can be deleted, including those that are otherwise kept permanently. */
const withoutGuards = <T>({ database }: CompanyDeletionDeps, company: string, work: (trx: Trx) => Promise<T>) =>
  database.kysely.transaction().execute(async (trx) => {
    await pg`select set_config('kontor.company', ${company}, true), set_config('kontor.company_goes', ${company}, true),
      set_config('kontor.trash', 'shown', true), set_config('statement_timeout', '0', true)`.execute(trx);
    return work(trx);
  });

async function deleteRest(deps: CompanyDeletionDeps, company: string): Promise<void> {
  const { storagePaths } = deps;
  await storagePaths.store.removeBelow(storagePaths.company(company));
  await withoutGuards(deps, company, async (trx) => {
    await deleteCompanyRows(trx, company);
    await requireEmpty(trx, deps, company);
    await trx.deleteFrom('company_deletions').where('company', '=', company).execute();
  });
}

/**
 * Deletes files first, then rows and accounts in one transaction: if the process is killed in between, the rows are found and it
 * continues.
 */
async function deleteCompany(
  deps: CompanyDeletionDeps,
  request: { company: string; id: string; name: string; askedBy: string; askedAt: Date },
): Promise<void> {
  const { company, id } = request;
  const { database, clock, jobs, storagePaths } = deps;
  await deps.stopDemoMarket(company);
  const ended = await database.company(company, (trx) => revokeJobs(trx, company, undefined));
  for (const job of ended) await jobs.cancel(company, job);
  const folder = storagePaths.company(company);
  const files = await storagePaths.store.sizeOf([folder]);
  await storagePaths.store.removeBelow(folder);
  await withoutGuards(deps, company, async (trx) => {
    const still = await trx
      .selectFrom('company_deletions')
      .select('id')
      .where((eb) => eb.and({ company, id }))
      .forUpdate()
      .executeTakeFirst();
    const done = await trx
      .selectFrom('deletion_records')
      .select('id')
      .where((eb) => eb.and({ company, id }))
      .executeTakeFirst();
    // Another process was faster.
    if (still === undefined || done !== undefined) return;
    // Records of earlier deletions contain names of catalogues.
    const { numDeletedRows } = await trx
      .deleteFrom('deletion_records')
      .where('company', '=', company)
      .executeTakeFirstOrThrow();
    const rows = {
      ...(await deleteCompanyRows(trx, company)),
      ...(await deleteAccounts(trx, company)),
      deletion_records: Number(numDeletedRows),
    };
    await requireEmpty(trx, deps, company);
    await recordDeletion(trx, { ...request, kind: 'company', subject: company }, { rows, ...files }, clock.now());
    await chainDeletion(trx, deps, id);
  });
}

async function deleteCompanyRows(trx: Trx, company: string): Promise<Record<string, number>> {
  const deletedRows: Record<string, number> = {};
  for (const table of companyTables) {
    const { numAffectedRows } = await pg`delete from ${pg.table(table)} where company = ${company}`.execute(trx);
    deletedRows[table] = Number(numAffectedRows ?? 0);
  }
  return deletedRows;
}

/** Deletes the members, the accounts of those who belong to no other company, and the company itself. Returns rows by table. */
async function deleteAccounts(trx: Trx, company: string): Promise<Record<string, number>> {
  // A user who joins at this moment is either a member by then, or finds no company.
  await trx.selectFrom('organization').select('id').where('id', '=', company).forUpdate().execute();
  const members = await trx.deleteFrom('member').where('organizationId', '=', company).returning('userId').execute();
  let people = 0;
  for (const { userId } of members) {
    const deleted = await trx
      .deleteFrom('user')
      .where('id', '=', userId)
      .where((eb) => eb.not(eb.exists(eb.selectFrom('member').select('member.id').where('member.userId', '=', userId))))
      .executeTakeFirst();
    people += Number(deleted.numDeletedRows);
  }
  const invitations = await trx.deleteFrom('invitations').where('organization_id', '=', company).executeTakeFirst();
  await trx.deleteFrom('organization').where('id', '=', company).execute();
  return { member: members.length, user: people, invitations: Number(invitations.numDeletedRows), organization: 1 };
}

async function requireEmpty(
  trx: Trx,
  { storagePaths }: Pick<CompanyDeletionDeps, 'storagePaths'>,
  company: string,
): Promise<void> {
  const folder = storagePaths.company(company);
  const { files } = await storagePaths.store.sizeOf([folder]);
  const left: string[] = files > 0 ? [folder] : [];
  for (const table of companyTables) {
    const { rows } = await pg`select 1 from ${pg.table(table)} where company = ${company} limit 1`.execute(trx);
    if (rows.length > 0) left.push(table);
  }
  if (left.length > 0) throw new Error(`deletion of company ${company} left ${left.join(' ')}`);
}
