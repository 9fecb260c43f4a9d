import type { FastifyInstance } from 'fastify';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { route } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { addView, changeView, listViews, type MasterNotFound, removeView, setStandard } from './saved-views.ts';

export type ViewDeps = { database: Database; clock: Clock; ids: Ids; masterNotFound: MasterNotFound };

/** Calls about saved views of tables. */
export function viewRoutes(app: FastifyInstance, { database, clock, ids, masterNotFound }: ViewDeps): void {
  route(app, api.savedViews, ({ principal, query }) =>
    database.company(principal.company, (trx) => listViews(trx, principal, query, masterNotFound)),
  );

  route(app, api.createView, ({ principal, body }) =>
    database.company(principal.company, (trx) =>
      addView(trx, principal, body, { id: ids.id(), now: clock.now(), masterNotFound }),
    ),
  );

  route(app, api.saveView, ({ principal, params, body, ifMatch }) => {
    const change = (trx: Trx) => changeView(trx, principal, params.view, body, { expected: ifMatch, now: clock.now() });
    const { company } = principal;
    return body.shared === false ? database.accounts(company, change) : database.company(company, change);
  });

  route(app, api.deleteView, async ({ principal, params }) => {
    await database.company(principal.company, (trx) => removeView(trx, principal, params.view));
    return { ok: true as const };
  });

  route(app, api.setStandardView, async ({ principal, params, body }) => {
    await database.company(principal.company, (trx) => setStandard(trx, principal, params.view, body.standard));
    return { ok: true as const };
  });
}
