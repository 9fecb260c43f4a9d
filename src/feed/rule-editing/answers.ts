import type { Calculator } from '#platform/duckdb/connection.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { Answers } from '#platform/duckdb/tasks.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { ruleCounts } from './counts.ts';
import type { KnownSources } from './finding-words.ts';
import { ruleFindings } from './findings.ts';
import type { RuleState } from './rule-state.ts';
import { ruleStatistics, type StatisticsInput } from './statistics.ts';

/** The loaded state for a request about rules, and the rules as sent. */
export type RuleQuestion = { readonly state: RuleState; readonly rules: readonly Rule[] };
type FindingsQuestion = RuleQuestion & KnownSources;

/** Answers about all rules of a list, compiled, computed and serialized in the process that reads the items. */
export const answers = {
  counts: (calculator: Calculator, { state, rules }: RuleQuestion, signal: AbortSignal) =>
    ruleCounts({ duckdb: new DuckDb(calculator) }, state, rules, signal),

  findings: async (calculator: Calculator, { state, rules, ...known }: FindingsQuestion, signal: AbortSignal) => ({
    findings: await ruleFindings({ duckdb: new DuckDb(calculator) }, state, rules, known, signal),
  }),

  statistics: (
    calculator: Calculator,
    { state, ...question }: StatisticsInput & { readonly state: RuleState },
    signal: AbortSignal,
  ) => ruleStatistics({ duckdb: new DuckDb(calculator) }, state, question, signal),
} satisfies Answers;
