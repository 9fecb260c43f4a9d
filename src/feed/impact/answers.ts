import type { ExportPlan } from '#feed/plan/export-plan.ts';
import type { Calculator } from '#platform/duckdb/connection.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { Answers } from '#platform/duckdb/tasks.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import type { ExportImpact, RuleImpact } from '#shared/rules/effect.ts';
import type { Rule } from '#shared/rules/schema.ts';
import type { UnsavedPlan } from './changed-fields.ts';
import { exportImpact } from './rule-impact.ts';

export type AskedPlan = {
  readonly id: string;
  readonly name: string;
  readonly plan: ExportPlan;
  /** The format in which items without errors are written, if the export omits the others; undefined: it omits none. */
  readonly omitting: OutputFormat | undefined;
};

/** The exports that a change of rules affects, as saved, and the rules as sent: those of the master or of one export. */
export type ImpactQuestion = {
  readonly kind: 'master' | 'export';
  readonly rules: readonly Rule[];
  readonly plans: readonly AskedPlan[];
};

/** Computes answers about a save in the process that reads the items. */
export const answers = {
  ruleImpact: async (
    calculator: Calculator,
    { kind, rules, plans }: ImpactQuestion,
    signal: AbortSignal,
  ): Promise<RuleImpact> => {
    const duckdb = new DuckDb(calculator);
    const exports: ExportImpact[] = [];
    for (const { id, name, plan, omitting } of plans) {
      const impact = await exportImpact(duckdb, plan, unsavedPlan(plan, kind, rules), { omitting, signal });
      exports.push({ id, name, ...impact });
    }
    return { exports };
  },
} satisfies Answers;

function unsavedPlan(plan: UnsavedPlan, kind: ImpactQuestion['kind'], rules: readonly Rule[]): UnsavedPlan {
  return kind === 'master'
    ? { masterRules: rules, exportRules: plan.exportRules }
    : { masterRules: plan.masterRules, exportRules: rules };
}
