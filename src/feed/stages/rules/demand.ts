import { namedFields } from '#engine/ir/fields-of.ts';
import { neededBy, type Live } from '#engine/duckdb/rule-batches.ts';
import { readRules } from '#engine/read/read-rules.ts';
import type { Rule } from '#shared/rules/schema.ts';

/** The fields that the rules of a scope and the stages after them read. */
export function fieldsBefore(rules: readonly Rule[], behind: Live): Live {
  return neededBy(readRules(rules), behind);
}

/** The fields that the active rules of a scope read or write by name. */
export function namedInRules(rules: readonly Rule[]): string[] {
  return readRules(rules).flatMap((rule) => [...namedFields(rule)]);
}
