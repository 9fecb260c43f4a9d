import { useState } from 'react';
import type { Rule } from '#shared/rules/schema.ts';

/**
 * Returns the same list as long as only names, descriptions and the like differ, which do not affect a rule's result, so that
 * typing a name sends no request.
 */
export function useComputedRules(rules: readonly Rule[]): readonly Rule[] {
  const [known, setKnown] = useState(rules);
  if (known === rules || doSame(known, rules)) return known;
  setKnown(rules);
  return rules;
}

function doSame(one: readonly Rule[], other: readonly Rule[]): boolean {
  return one.length === other.length && one.every((rule, index) => isSame(rule, other[index]));
}

/** Compares by identity: the form never changes a part in place. */
function isSame(rule: Rule, other: Rule | undefined): boolean {
  return (
    other !== undefined &&
    rule.id === other.id &&
    rule.active === other.active &&
    rule.querys === other.querys &&
    rule.actions === other.actions
  );
}
