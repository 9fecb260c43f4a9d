import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import type { Master } from '#shared/masters/schema.ts';
import { listExports } from '#catalogue/exports.ts';
import { listAccounts } from '#marketplaces/accounts/accounts.ts';
import { createMaster, listMasters, loadMaster, type MasterRecord } from '#catalogue/masters.ts';
import type { Quotas } from '#catalogue/quotas.ts';
import { listSnapshots } from '#catalogue/snapshots.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { route } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import { firstSteps } from './first-steps.ts';
import { importSubject, lastRun } from '#feed/runs/runs.ts';

export type MasterDeps = { database: Database; ids: Ids; quotas: Quotas };

export function masterRoutes(app: FastifyInstance, { database, ids, quotas }: MasterDeps): void {
  route(app, api.masters, ({ principal }) =>
    database.company(principal.company, async (trx) => {
      const masters: Master[] = [];
      for (const master of await listMasters(trx, principal.company))
        masters.push(await toWire(trx, principal.company, master));
      return masters;
    }),
  );

  route(app, api.master, ({ principal, params }) =>
    database.company(principal.company, async (trx) =>
      toWire(trx, principal.company, await loadMaster(trx, principal.company, params.masterid)),
    ),
  );

  route(app, api.createMaster, async ({ principal, body }) => {
    const masterid = ids.id();
    await database.company(principal.company, async (trx) => {
      await quotas.requireOneMore(trx, principal.company, 'catalogues');
      await createMaster(trx, principal.company, masterid, body.name);
    });
    return { masterid };
  });

  route(app, api.firstSteps, ({ principal }) =>
    database.company(principal.company, (trx) => firstSteps(trx, principal.company)),
  );

  route(app, api.snapshots, ({ principal, params }) =>
    database.company(principal.company, async (trx) => {
      await loadMaster(trx, principal.company, params.masterid);
      const snapshots = await listSnapshots(trx, principal.company, params.masterid);
      return snapshots.map(({ number, items, createdAt, live, gone, held, runid, source }) => ({
        number,
        items,
        createdAt: createdAt.toISOString(),
        live,
        gone,
        held,
        runid,
        source,
      }));
    }),
  );
}

async function toWire(trx: Trx, company: string, master: MasterRecord): Promise<Master> {
  const exports = await listExports(trx, company, master.masterid);
  const accounts = await listAccounts(trx, company);
  return {
    masterid: master.masterid,
    name: master.name,
    items: master.items,
    fields: master.fields,
    snapshot: master.live,
    importedAt: master.importedAt?.toISOString() ?? null,
    key: master.key,
    lastRun: await lastRun(trx, company, importSubject(master.masterid)),
    exports: exports.map(({ id, settings }) => ({ id, name: settings.name, channel: settings.channel })),
    accounts: accounts.filter(({ masterid }) => masterid === master.masterid).map(({ id, name }) => ({ id, name })),
  };
}
