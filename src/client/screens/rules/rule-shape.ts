import { ruleListChanges } from '#shared/rules/difference.ts';
import { ruleName, ruleSentence } from '#shared/rules/sentences.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { rowsShape } from '#client/editor/document-shape.ts';
import { typedPlace } from '#client/screens/rules/form/typed-place.ts';

/** A list of rules as a document: compared, described and merged rule by rule. */
export const ruleShape = rowsShape<Rule>({
  sentences: ruleListChanges,
  name: ruleName,
  version: (rule) => `${rule.active ? '' : '(pausiert) '}${ruleSentence(rule)}`,
  typedPlace,
});
