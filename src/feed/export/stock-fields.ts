import type { FastifyInstance } from 'fastify';
import { loadExport } from '#catalogue/exports.ts';
import { liveSnapshot } from '#catalogue/snapshots.ts';
import type { Database } from '#platform/db/database.ts';
import { route } from '#platform/http/server.ts';
import { api } from '#shared/http/api.ts';
import { fieldsOf } from '#feed/plan/export-plan.ts';
import { loadAttributes } from '#feed/stages/attributes/store.ts';
import { loadConstruction } from '#feed/stages/construction/store.ts';
import { findStockFields } from '#feed/stages/output/quantity-price.ts';
import { liveOutput } from '#feed/stages/output/store.ts';
import { stockOf } from './stock-job.ts';

/** Feed type 3: the fields an export has for it, so that no user is given an address that will never have a file. */
export function stockFieldRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  route(app, api.stockFields, ({ principal, params: { id } }) =>
    database.company(principal.company, async (trx) => {
      const { company } = principal;
      const { settings, masterid } = await loadExport(trx, company, id);
      const { rows } = await loadConstruction(trx, company, id);
      const { values } = await loadAttributes(trx, company, id);
      const snapshot = await liveSnapshot(trx, company, masterid);
      const plan = { construction: rows, attributes: values };
      const names = fieldsOf(plan, () => snapshot?.fields.map(({ name }) => name) ?? []).map(
        ({ row }) => row.exportfield,
      );
      const output = await liveOutput(trx, company, id);
      const stock = output && (await stockOf(trx, { company, id, number: output.number }));
      return {
        fields: [...new Set(names)],
        found: findStockFields(names, settings.stockFields),
        published: (stock ?? output?.sidecars.quantityprice) !== undefined,
      };
    }),
  );
}
