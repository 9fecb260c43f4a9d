import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Quotas } from '#catalogue/quotas.ts';
import { fileHeaders } from '#catalogue/spreadsheet-csv.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError, notFound, unprocessable } from '#platform/errors.ts';
import { route, type Principal } from '#platform/http/server.ts';
import { addJob } from '#platform/jobs/job-definition.ts';
import { lockSubject } from '#platform/jobs/order-once.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { streamIfThere } from '#platform/storage/store.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { CompanyExport, EXPORT_DAYS } from '#shared/operations/company-data.ts';
import { isOperator } from '#operations/operator.ts';
import { scheduleDeletion, cancelDeletion, type CompanyDeletionDeps, pendingDeletion } from './deletion.ts';
import { archivePath, COMPANY_EXPORT_SUBJECT, type CompanyExportDeps, companyExportJob } from './export-job.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const KEY_MS = 10 * 60 * 1000;

export type CompanyDataDeps = CompanyDeletionDeps &
  Omit<CompanyExportDeps, 'openPerson'> & {
    vault: Vault;
    quotas: Quotas;
    adminEmail: string | undefined;
    jobs: Pick<Jobs, 'cancel' | 'nudge'>;
  };

/** Calls that export all data of a company, and that delete the company. */
export function companyDataRoutes(app: FastifyInstance, deps: CompanyDataDeps): void {
  const { database, clock } = deps;
  route(app, api.companyData, ({ principal: { company, permissions } }) =>
    database.company(company, async (trx) => ({
      export: permissions.includes('admin') ? await lastExport(trx, company, clock.now()) : null,
      deletion: await pendingDeletion(trx, company),
    })),
  );
  route(app, api.quotas, ({ principal: { company } }) => deps.quotas.used(company));
  exportRoutes(app, deps);
  deletionRoutes(app, deps);
}

function exportRoutes(app: FastifyInstance, deps: CompanyDataDeps): void {
  const { database, clock, ids, jobs, vault } = deps;

  route(app, api.exportCompany, async ({ principal, audit }) => {
    requireOwner(principal);
    const { company } = principal;
    const id = ids.id();
    await database.company(company, async (trx) => {
      // Of two orders at once the second waits here, and then finds the first.
      await lockSubject(trx, companyExportJob, { company, subject: COMPANY_EXPORT_SUBJECT });
      const known = await lastExport(trx, company, clock.now());
      if (known?.state === 'queued' || known?.state === 'running')
        throw new KontorError(409, 'export_runs', 'Ein Archiv wird schon angelegt.');
      await addJob(trx, companyExportJob, { company, id, subject: COMPANY_EXPORT_SUBJECT, payload: {} });
      await audit.within(trx);
    });
    jobs.nudge();
    return { id };
  });

  const keyOf = (company: string, runid: string, until: string) =>
    `${until}.${vault.mark(company, `company archive ${runid} ${until}`)}`;

  route(app, api.companyArchiveAddress, async ({ principal, params }) => {
    requireOwner(principal);
    const { company } = principal;
    const found = await database.company(company, (trx) => lastExport(trx, company, clock.now()));
    if (found?.id !== params.runid || found.until === null) throw notFound('Dieses Archiv');
    const key = keyOf(company, params.runid, String(clock.now().getTime() + KEY_MS));
    return { path: `${pathOf(api.companyArchive, params)}?${new URLSearchParams({ key }).toString()}` };
  });

  // The browser downloads the file without a dialog: the key in its address replaces the proof of identity required to get it.
  route(app, api.companyArchive, async ({ principal, params, query, reply }) => {
    requireOwner(principal);
    const { company } = principal;
    const found = await database.company(company, (trx) => lastExport(trx, company, clock.now()));
    if (found?.id !== params.runid || found.until === null) throw notFound('Dieses Archiv');
    const [until = ''] = query.key.split('.');
    const expected = Buffer.from(keyOf(company, params.runid, until));
    const given = Buffer.from(query.key);
    if (given.length !== expected.length || !timingSafeEqual(given, expected) || Number(until) < clock.now().getTime())
      throw new KontorError(
        403,
        'key_expired',
        'Diese Adresse gilt nicht mehr. Bitte laden Sie das Archiv erneut herunter.',
      );
    const stream = await streamIfThere(deps.storagePaths.store, archivePath(deps, company, params.runid));
    if (stream === undefined) throw notFound('Dieses Archiv');
    fileHeaders(reply, 'application/x-tar', `Firmendaten-${found.orderedAt.slice(0, 10)}.tar`);
    reply.header('cache-control', 'no-store');
    return stream;
  });
}

function deletionRoutes(app: FastifyInstance, deps: CompanyDataDeps): void {
  const { database, clock, ids, adminEmail, companyName } = deps;

  route(app, api.deleteCompany, async ({ principal, body, audit }) => {
    requireOwner(principal);
    const { company, name: by } = principal;
    const name = await companyName(company);
    if (body.name.trim() !== name.trim())
      throw unprocessable(
        'name_differs',
        `Zur Bestätigung wird der Name der Firma gebraucht, wie er hier steht: ${name}. Es wurde nichts gelöscht.`,
        [{ field: 'name', message: 'Das ist nicht der Name.' }],
      );
    if ((await isOperator(database, principal, adminEmail)) && (await countCompanies(deps)) > 1)
      throw new KontorError(
        409,
        'operator_company',
        'Diese Firma betreibt die Installation, die auch andere Firmen benutzen. Es wurde nichts gelöscht.',
      );
    return database.company(company, async (trx) => {
      const deletion = await scheduleDeletion(trx, { company, id: ids.id(), name, by, now: clock.now() });
      await audit.within(trx, name);
      return deletion;
    });
  });

  route(app, api.keepCompany, async ({ principal: { company }, audit }) => {
    await database.company(company, async (trx) => {
      await cancelDeletion(trx, company, clock.now());
      await audit.within(trx);
    });
    return { ok: true as const };
  });
}

async function countCompanies({ database }: CompanyDataDeps): Promise<number> {
  const { n } = await database.kysely
    .selectFrom('organization')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

function requireOwner({ role }: Principal): void {
  if (role !== 'owner') throw new KontorError(403, 'not_allowed', 'Das darf nur der Inhaber der Firma.');
}

const Progress = CompanyExport.shape.progress.catch({ done: 0, total: 0 });
const Result = z.object({ bytes: z.number() }).partial();

async function lastExport(trx: Trx, company: string, now: Date): Promise<CompanyExport | null> {
  const row = await trx
    .selectFrom('jobs')
    .select(['id', 'state', 'progress', 'result', 'message', 'created_at', 'finished_at'])
    .where((eb) => eb.and({ company, subject: COMPANY_EXPORT_SUBJECT }))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const until = row.finished_at === null ? null : new Date(row.finished_at.getTime() + EXPORT_DAYS * DAY_MS);
  return CompanyExport.parse({
    id: row.id,
    state: row.state,
    progress: Progress.parse(JSON.parse(row.progress)),
    message: row.message,
    orderedAt: row.created_at.toISOString(),
    bytes: Result.parse(JSON.parse(row.result)).bytes ?? null,
    until: row.state === 'done' && until !== null && until > now ? until.toISOString() : null,
  });
}
