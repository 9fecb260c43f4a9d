/** Anything that is kept in a list by its id: rules, repricing rules. */
type Identified = { readonly id: string };

/** Which version of a rule that both sides changed is taken. */
export type MergeChoice = 'mine' | 'theirs';

/** A rule that both sides changed, each in another way; null: that side deleted it. */
export type RuleConflict<R extends Identified> = {
  readonly ruleId: string;
  readonly mine: R | null;
  readonly theirs: R | null;
};

export type RuleMerge<R extends Identified> = {
  readonly rules: R[];
  /** In the order of `rules`, those that the choices leave out last. */
  readonly conflicts: RuleConflict<R>[];
  /** Both sides sorted the rules, each in another way; then the order of `mine` stands. */
  readonly orderConflict: boolean;
};

/**
 * Three-way merge of two lists that grew out of the same one, rule by rule: what only one side changed, added, deleted or
 * sorted is taken over. Of a rule that both changed the chosen version is taken; without a choice that of `mine`, or the
 * one that is still there where the other side deleted it, so that nothing is lost. Ids are unique within each list.
 */
export function mergeRules<R extends Identified>(
  base: readonly R[],
  mine: readonly R[],
  theirs: readonly R[],
  choices: ReadonlyMap<string, MergeChoice> = new Map(),
): RuleMerge<R> {
  const [was, my, their] = [byId(base), byId(mine), byId(theirs)];
  const kept = new Map<string, R>();
  const conflicts = new Map<string, RuleConflict<R>>();
  for (const id of new Set([...my.keys(), ...their.keys(), ...was.keys()])) {
    const sides = { mine: my.get(id) ?? null, theirs: their.get(id) ?? null };
    let rule = onlyChange(was.get(id) ?? null, sides);
    if (rule === undefined) {
      conflicts.set(id, { ruleId: id, ...sides });
      const choice = choices.get(id);
      rule = choice === undefined ? (sides.mine ?? sides.theirs) : sides[choice];
    }
    if (rule !== null) kept.set(id, rule);
  }
  const orders = mergedOrder({ base, mine, theirs }, kept);
  const rules = orders.ids.flatMap((id) => kept.get(id) ?? []);
  return { rules, conflicts: inOrder(conflicts, orders.ids), orderConflict: orders.conflict };
}

/** The version that stands where at most one side changed the rule; undefined where both did, null where it is gone. */
function onlyChange<R extends Identified>(
  was: R | null,
  { mine, theirs }: Omit<RuleConflict<R>, 'ruleId'>,
): R | null | undefined {
  if (same(mine, theirs) || same(theirs, was)) return mine;
  return same(mine, was) ? theirs : undefined;
}

type Lists = { base: readonly Identified[]; mine: readonly Identified[]; theirs: readonly Identified[] };

/** The order of the side that sorted, with what only the other side has behind the rule that it follows there. */
function mergedOrder({ base, mine, theirs }: Lists, kept: ReadonlyMap<string, Identified>) {
  const common = inAll(base, mine, theirs);
  const [old, my, their] = [base, mine, theirs].map((list) =>
    idsOf(list)
      .filter((id) => common.has(id))
      .join(),
  );
  const [frame, other] = my === old && their !== old ? [theirs, mine] : [mine, theirs];
  const ids = idsOf(frame).filter((id) => kept.has(id));
  const placed = new Set(ids);
  let before = -1;
  for (const id of idsOf(other)) {
    if (placed.has(id)) before = ids.indexOf(id);
    else if (kept.has(id)) {
      before += 1;
      ids.splice(before, 0, id);
      placed.add(id);
    }
  }
  return { ids, conflict: my !== old && their !== old && my !== their };
}

function inAll(...lists: (readonly Identified[])[]): Set<string> {
  const [first = [], ...others] = lists.map((list) => new Set(idsOf(list)));
  return new Set([...first].filter((id) => others.every((ids) => ids.has(id))));
}

function inOrder<R extends Identified>(
  conflicts: ReadonlyMap<string, RuleConflict<R>>,
  ids: readonly string[],
): RuleConflict<R>[] {
  const sorted = [...ids, ...conflicts.keys()].flatMap((id) => conflicts.get(id) ?? []);
  return [...new Set(sorted)];
}

const idsOf = (rules: readonly Identified[]): string[] => rules.map(({ id }) => id);
const byId = <R extends Identified>(rules: readonly R[]) => new Map(rules.map((rule) => [rule.id, rule]));
const same = (one: Identified | null, other: Identified | null): boolean =>
  one === other || (one !== null && other !== null && JSON.stringify(one) === JSON.stringify(other));
