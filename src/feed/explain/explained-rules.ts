import type { ExplainedCondition, ExplainedRule, RuleState } from '#shared/explain/schema.ts';
import { actionSentence, conditionSentence, ruleSentence } from '#shared/rules/sentences.ts';
import type { Condition, Rule } from '#shared/rules/schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';
import type { RuleTrace } from './follow-rules.ts';
import type { Traced } from './trace-field.ts';

/** Converts rules to the wire format. Without a trace every rule counts as relevant (`concerns`). */
export function explainedRules(
  scope: 'master' | 'export',
  rules: readonly Rule[],
  met: readonly RuleTrace[],
  traced: Traced | undefined,
): ExplainedRule[] {
  let active = 0;
  return rules.map((rule, position) => {
    const meeting = rule.active ? met[active++] : undefined;
    const share = traced?.rules.get(position);
    const failed = meeting ? meeting.conditions.findIndex(({ held }) => !held) : -1;
    return {
      scope,
      ruleId: rule.id,
      number: position + 1,
      name: rule.name,
      sentence: ruleSentence(rule),
      state: stateOf(rule, meeting),
      conditions: rule.querys.map((condition, index) => explained(condition, meeting?.conditions[index])),
      failed: failed === -1 ? null : failed,
      excluded: meeting?.excluded ?? false,
      changes: (meeting?.changes ?? []).map((change) => ({
        ...change,
        sentences: rule.actions.filter(({ field }) => field === change.field).map(actionSentence),
        concerns: traced === undefined || share?.has(change.field) === true,
      })),
      concerns: traced === undefined || share !== undefined,
    };
  });
}

function stateOf(rule: Rule, meeting: RuleTrace | undefined): RuleState {
  if (!rule.active) return 'paused';
  if (!meeting) return 'not_reached';
  return meeting.held ? 'held' : 'not_held';
}

function explained(condition: Condition, met: RuleTrace['conditions'][number] | undefined): ExplainedCondition {
  return {
    sentence: conditionSentence(condition),
    field: condition.field === '' ? ALL_FIELDS : condition.field,
    value: met?.value ?? null,
    compared: met?.compared ?? null,
    held: met?.held ?? null,
  };
}
