import { useDeferredValue, useState } from 'react';
import type { RuleCounts } from '#shared/rules/effect.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';
import { formatInteger } from '#client/ui/text/formats.ts';
import { nameOf } from './rule-changes.ts';

/** A rule as shown in the list. `searched`: its name and fields in lower case. */
export type ListedRule = { id: string; name: string; active: boolean; searched: string };
export type RuleCount = RuleCounts['counts'][number];

const known = new WeakMap<Rule, ListedRule>();

function listedOf(rule: Rule): ListedRule {
  const found = known.get(rule);
  if (found !== undefined) return found;
  const operands = rule.querys.flatMap(({ field, valuetyp, value }) =>
    valuetyp === '_field' ? [field, value] : [field],
  );
  const sources = rule.actions.flatMap(({ field, value }) => [
    field,
    ...value.flatMap((entry) => (entry.type === '_field' ? [entry.value] : [])),
  ]);
  const fields = [...operands, ...sources].filter((field) => field !== ALL_FIELDS);
  const listed = {
    id: rule.id,
    name: nameOf(rule),
    active: rule.active,
    searched: [rule.name, ...fields].join('\n').toLowerCase(),
  };
  known.set(rule, listed);
  return listed;
}

/**
 * Returns the same array while no entry would look different, so that typing in a rule does not render the list. A name being
 * typed is updated with low priority: rendering five hundred entries must not block a keystroke.
 */
export function useListedRules(rules: readonly Rule[]): readonly ListedRule[] {
  const listed = useSameList(rules);
  const late = useDeferredValue(listed);
  const sameOrder = late.length === listed.length && listed.every(({ id }, index) => id === late[index]?.id);
  return sameOrder ? late : listed;
}

function useSameList(rules: readonly Rule[]): readonly ListedRule[] {
  const [shown, setShown] = useState<readonly ListedRule[]>(() => rules.map(listedOf));
  const listed = rules.map(listedOf);
  const same =
    listed.length === shown.length &&
    listed.every((entry, index) => {
      const old = shown[index];
      return (
        old !== undefined &&
        (entry === old ||
          (entry.id === old.id &&
            entry.name === old.name &&
            entry.active === old.active &&
            entry.searched === old.searched))
      );
    });
  if (same) return shown;
  setShown(listed);
  return listed;
}

/** Returns the rules whose name or fields contain the typed text. */
export function findRules(rules: readonly ListedRule[], typed: string): readonly ListedRule[] {
  const wanted = typed.trim().toLowerCase();
  return wanted === '' ? rules : rules.filter(({ searched }) => searched.includes(wanted));
}

/** Describes a rule's effect in few words; `none`: it matches no item. */
export function countWords({ pre, post, diff, held }: RuleCount): { text: string; none: boolean } {
  if (held === 0) return { text: '0 getroffen', none: true };
  const excluded = pre - post;
  const changed = diff - excluded;
  const did = [
    ...(changed > 0 ? [`${formatInteger(changed)} geändert`] : []),
    ...(excluded > 0 ? [`${formatInteger(excluded)} ausgeschlossen`] : []),
    ...(diff === 0 ? ['nichts geändert'] : []),
  ];
  const hitTexts = held === diff ? [] : [`${formatInteger(held)} getroffen`];
  return { text: [...hitTexts, ...did].join(', '), none: false };
}
