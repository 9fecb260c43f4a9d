import type { FastifyInstance } from 'fastify';
import type { Quotas } from '#catalogue/quotas.ts';
import type { Trx } from '#platform/db/database.ts';
import { type Principal, requireProof, route } from '#platform/http/server.ts';
import type { Audit } from '#platform/http/audit.ts';
import { addJob } from '#platform/jobs/job-definition.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { api } from '#shared/http/api.ts';
import { listDeletions } from './deletion-records.ts';
import { type PurgeDeps, purgeJob, purgeSubject } from './purge.ts';
import {
  type TrashRequest,
  anySent,
  listTrash,
  requestPurge,
  restoreTrashed,
  trashExport,
  trashMaster,
} from './trash.ts';

export type TrashDeps = PurgeDeps & { jobs: Pick<Jobs, 'cancel' | 'nudge'>; quotas: Pick<Quotas, 'requireRoomFor'> };

/** Calls that delete catalogues and exports, and restore them within thirty days. */
export function trashRoutes(app: FastifyInstance, { database, clock, ids, jobs, quotas }: TrashDeps): void {
  route(app, api.trash, ({ principal: { company } }) =>
    database.company(company, async (trx) => ({
      entries: await listTrash(trx, company, clock.now()),
      gone: await listDeletions(trx, company),
    })),
  );

  // After the transaction no job can start for the entry; workers of this process are told at once to stop theirs.
  const discard = async (
    { principal, body, audit }: { principal: Principal; body: { name: string }; audit: Audit },
    put: (trx: Trx, request: TrashRequest) => Promise<string[]>,
  ) => {
    const { company, name: by } = principal;
    const ended = await database.company(company, async (trx) => {
      const ids = await put(trx, { typed: body.name, by, now: clock.now() });
      await audit.within(trx, body.name);
      return ids;
    });
    for (const id of ended) await jobs.cancel(company, id);
    return { ok: true as const };
  };
  route(app, api.trashMaster, (input) =>
    discard(input, (trx, request) =>
      trashMaster(trx, { company: input.principal.company, id: input.params.masterid }, request),
    ),
  );
  route(app, api.trashExport, (input) =>
    discard(input, (trx, request) =>
      trashExport(trx, { company: input.principal.company, id: input.params.id }, request),
    ),
  );

  route(app, api.restoreTrashed, async ({ principal, params, audit }) => {
    const { company } = principal;
    await database.company(company, async (trx) => {
      const { name, exports } = await restoreTrashed(trx, { company, id: params.id }, clock.now());
      await quotas.requireRoomFor(trx, company, 'catalogues', exports.includes(params.id) ? 0 : 1);
      await quotas.requireRoomFor(trx, company, 'exports', exports.length);
      // Its files are sent again, which requires the same proof as switching the transfer on.
      if (await anySent(trx, company, exports)) requireProof(principal);
      await audit.within(trx, name);
    });
    return { ok: true as const };
  });

  route(app, api.purgeTrashed, async ({ principal: { company }, params: { id }, body: { name }, audit }) => {
    await database.company(company, async (trx) => {
      await requestPurge(trx, company, { id, typed: name, now: clock.now() });
      await addJob(trx, purgeJob, { company, id: ids.id(), subject: purgeSubject(id), payload: {} });
      await audit.within(trx, name);
    });
    jobs.nudge();
    return { ok: true as const };
  });
}
