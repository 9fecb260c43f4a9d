import { useState } from 'react';
import type { Rule } from '#shared/rules/schema.ts';

/**
 * The rules as far as they matter to what they do: the same list as long as only names, descriptions and the like differ,
 * so that typing a name asks the server nothing.
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

/** Parts that did not change are the same objects: the form never changes one in place. */
function isSame(rule: Rule, other: Rule | undefined): boolean {
  return (
    other !== undefined &&
    rule.id === other.id &&
    rule.active === other.active &&
    rule.querys === other.querys &&
    rule.actions === other.actions
  );
}
