import { useMemo } from 'react';
import { api } from '#shared/http/api.ts';
import type { RuleFinding, RuleImpact } from '#shared/rules/effect.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { call } from '#client/call.ts';
import type { RuleCount } from '#client/screens/rules/listed-rules.ts';
import type { RuleScope } from '#client/screens/rules/rule-scope.ts';
import { type Live, useLive } from '#client/use-live.ts';

type RuleChecksInput = {
  /** The rules without changes that do not affect their result. */
  computed: readonly Rule[];
  saved: readonly Rule[];
  hasItems: boolean;
  /** There is something to save, and an export that it may change. */
  reachesExports: boolean;
};
export type RuleChecks = {
  counts: ReadonlyMap<string, RuleCount>;
  countsStale: boolean;
  /** Which requests failed, with a retry. */
  failed: { message: string; retry: () => void } | null;
  findings: ReadonlyMap<string, readonly RuleFinding[]>;
  impact: Live<RuleImpact>;
};

/**
 * Checks the whole list while it is edited: the numbers of every rule, the findings of the check, and what a save would change in
 * the exports. Each waits for a longer pause than the one before, so that the most relevant answers come first.
 */
export function useRuleChecks(
  { id }: RuleScope,
  { computed, saved, hasItems, reachesExports }: RuleChecksInput,
): RuleChecks {
  const params = { masterid: id };
  const question = useMemo(() => ({ rules: computed, saved }), [computed, saved]);
  const body = { rules: [...computed] };
  const some = hasItems && computed.length > 0;
  const counts = useLive(computed, (signal) => call(api.ruleCounts, { params, body, signal }), {
    delay: 500,
    first: 100,
    enabled: some,
  });
  const findings = useLive(question, (signal) => call(api.ruleFindings, { params, body, signal }), {
    delay: 1500,
    first: 800,
    enabled: some,
  });
  const impact = useLive(question, (signal) => call(api.ruleImpact, { params, body, signal }), {
    delay: 800,
    first: 800,
    enabled: hasItems && reachesExports,
  });
  return {
    counts: useMemo(() => new Map(counts.answer?.counts.map((count) => [count.ruleId, count])), [counts.answer]),
    countsStale: counts.busy,
    failed: failedOf(counts, 'Die Zahlen der Regeln fehlen') ?? failedOf(findings, 'Die Prüfung der Regeln fehlt'),
    findings: useMemo(() => byRule(findings.answer?.findings ?? []), [findings.answer]),
    impact,
  };
}

const failedOf = ({ failure, retry }: Live<unknown>, what: string): RuleChecks['failed'] =>
  failure === null ? null : { message: `${what}: ${failure.message}`, retry };

function byRule(findings: readonly RuleFinding[]): ReadonlyMap<string, readonly RuleFinding[]> {
  const found = new Map<string, RuleFinding[]>();
  for (const finding of findings) found.set(finding.ruleId, [...(found.get(finding.ruleId) ?? []), finding]);
  return found;
}
