import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Database } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { route } from '#platform/http/server.ts';
import { loadPlan } from '#feed/plan/load-plan.ts';
import { earlierSources, suggestSources } from './source-suggestions.ts';

export type SourceSuggestionDeps = { database: Database; duckdb: DuckDb; storagePaths: StoragePaths };

/** Suggests sources for export fields without one; an accepted suggestion is saved like any row. */
export function sourceSuggestionRoutes(
  app: FastifyInstance,
  { database, duckdb, storagePaths }: SourceSuggestionDeps,
): void {
  route(app, api.suggestSources, async ({ principal, params, body, signal }) => {
    const { plan, earlier } = await database.company(principal.company, async (trx) => {
      const { record, plan } = await loadPlan(trx, storagePaths, principal.company, params.id);
      return { plan, earlier: await earlierSources(trx, principal.company, record) };
    });
    return suggestSources(duckdb, plan, body.rows ?? plan.construction, earlier, signal);
  });
}
