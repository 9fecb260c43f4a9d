import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import type { ExportImpact } from '#shared/rules/effect.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { listExports, resolveScope } from '#catalogue/exports.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { neededSnapshot } from '#catalogue/snapshots.ts';
import type { Database } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { route } from '#platform/http/server.ts';
import { requireWithinBudget } from '#feed/rule-editing/rule-budget.ts';
import { loadPlan, type LoadedPlan } from '#feed/plan/load-plan.ts';
import type { UnsavedPlan } from './changed-fields.ts';
import { exportImpact } from './rule-impact.ts';
import { checkedState, planAfter } from './save-impact.ts';

export type ImpactDeps = { database: Database; duckdb: DuckDb; storagePaths: StoragePaths };

/** What a save would change in exports: of rules in all of a master, of a construction or an attribute in its own. Nothing is saved by asking. */
export function impactRoutes(app: FastifyInstance, { database, duckdb, storagePaths }: ImpactDeps): void {
  route(app, api.ruleImpact, async ({ principal, params, body, signal }) => {
    const { kind, plans } = await database.company(principal.company, async (trx) => {
      const scope = await resolveScope(trx, principal.company, params.masterid);
      const { fields } = await neededSnapshot(trx, principal.company, scope.masterid);
      requireWithinBudget(body.rules, fields.length);
      const ids =
        scope.kind === 'export'
          ? [scope.id]
          : (await listExports(trx, principal.company, scope.masterid)).map(({ id }) => id);
      const plans: LoadedPlan[] = [];
      for (const id of ids) plans.push(await loadPlan(trx, storagePaths, principal.company, id));
      return { kind: scope.kind, plans };
    });
    const exports: ExportImpact[] = [];
    for (const { record, plan } of plans) {
      const impact = await exportImpact(duckdb, plan, unsavedPlan(plan, kind, body.rules), signal);
      exports.push({ id: record.id, name: record.settings.name, ...impact });
    }
    return { exports };
  });

  route(app, api.saveImpact, async ({ principal, params, body, signal }) => {
    const { record, plan } = await database.company(principal.company, (trx) =>
      loadPlan(trx, storagePaths, principal.company, params.id),
    );
    const { format, omitInvalid } = record.settings;
    return {
      before: await checkedState(duckdb, plan, format, signal),
      after: await checkedState(duckdb, planAfter(plan, body), format, signal),
      omitInvalid,
    };
  });
}

function unsavedPlan(plan: UnsavedPlan, kind: 'master' | 'export', rules: readonly Rule[]): UnsavedPlan {
  return kind === 'master'
    ? { masterRules: rules, exportRules: plan.exportRules }
    : { masterRules: plan.masterRules, exportRules: rules };
}
