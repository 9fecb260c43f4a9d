import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import type { Places } from '#catalogue/storage-paths.ts';
import type { Database } from '#platform/db/database.ts';
import type { Duck } from '#platform/duckdb/duckdb.ts';
import { route } from '#platform/http/server.ts';
import { loadPlan } from '#feed/plan/load-plan.ts';
import { earlierSources, suggestSources } from './source-suggestions.ts';

type SourceSuggestionParts = { database: Database; duck: Duck; places: Places };

/** Sources for export fields that have none; whoever accepts one saves it like any row. */
export function sourceSuggestionRoutes(app: FastifyInstance, { database, duck, places }: SourceSuggestionParts): void {
  route(app, api.suggestSources, async ({ who, params, body, signal }) => {
    const { plan, earlier } = await database.company(who.company, async (trx) => {
      const { record, plan } = await loadPlan(trx, places, who.company, params.id);
      return { plan, earlier: await earlierSources(trx, who.company, record) };
    });
    return suggestSources(duck, plan, body.rows ?? plan.construction, earlier, signal);
  });
}
