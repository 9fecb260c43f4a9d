import { type MergeChoice, mergeRules } from '#shared/rules/merge.ts';

/** What somebody else saved in between. */
export type Foreign<R> = { revision: number; author: string; createdAt: string | null; rules: readonly R[] };

/** How a save goes on after somebody else saved in between. */
export type Resolution =
  | { kind: 'both'; choices: ReadonlyMap<string, MergeChoice> }
  | { kind: 'mine' }
  | { kind: 'theirs' };

type Sides<R> = { base: readonly R[]; mine: readonly R[]; theirs: readonly R[] };

/** The list that stands in the form afterwards. */
export function resolved<R extends { id: string }>(
  resolution: Resolution,
  { base, mine, theirs }: Sides<R>,
): readonly R[] {
  if (resolution.kind === 'mine') return mine;
  return resolution.kind === 'theirs' ? theirs : mergeRules(base, mine, theirs, resolution.choices).rules;
}
