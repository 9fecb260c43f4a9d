import { useEffect, useEffectEvent, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { newRule, RULE_LIMITS, type Rule } from '#shared/rules/schema.ts';
import { newRuleId } from '#client/fields/values/new-id.ts';
import { readConditions } from '#client/fields/rule-of-filters.ts';

type Form = { rules: readonly Rule[]; begin: (rule: Rule) => void };

/** Starts a new rule with the conditions in the URL, once: selecting the rule leaves a URL without them. */
export function useRequestedRule(form: Form, mayEdit: boolean): void {
  const [search] = useSearchParams();
  const started = useRef(false);
  const start = useEffectEvent(() => {
    const conditions = readConditions(search, newRuleId);
    if (started.current || !mayEdit || conditions.length === 0 || form.rules.length >= RULE_LIMITS.rules) return;
    started.current = true;
    form.begin({ ...newRule(newRuleId), querys: conditions });
  });
  useEffect(() => start(), []);
}
