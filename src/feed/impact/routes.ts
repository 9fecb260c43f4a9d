import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { listExports, resolveScope } from '#catalogue/exports.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { neededSnapshot } from '#catalogue/snapshots.ts';
import type { Database } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { route } from '#platform/http/server.ts';
import { requireWithinBudget } from '#feed/rule-editing/rule-budget.ts';
import { loadPlan } from '#feed/plan/load-plan.ts';
import { filesOfPlan, planLocally } from '#feed/plan/places.ts';
import type { answers, AskedPlan, ImpactQuestion } from './answers.ts';
import { checkedState, planAfter } from './save-impact.ts';

const module = new URL('./answers.ts', import.meta.url).href;

export type ImpactDeps = { database: Database; duckdb: DuckDb; storagePaths: StoragePaths };

/** What a save would change: of rules in all exports of a master, of a construction or attribute in its own. Saves nothing. */
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
      const plans: AskedPlan[] = [];
      for (const id of ids) {
        const { record, plan } = await loadPlan(trx, storagePaths, principal.company, id);
        const { name, format, omitInvalid } = record.settings;
        plans.push({ id: record.id, name, plan, omitting: omitInvalid ? format : undefined });
      }
      return { kind: scope.kind, plans };
    });
    const question: ImpactQuestion = { kind, rules: body.rules, plans };
    return duckdb.answer(
      plans.flatMap(({ plan }) => filesOfPlan(plan)),
      (localOf) => ({
        module,
        name: 'ruleImpact' satisfies keyof typeof answers,
        question: { ...question, plans: plans.map((one) => ({ ...one, plan: planLocally(one.plan, localOf) })) },
      }),
      signal,
    );
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
