import { exclusiveConditions } from '#engine/analysis/exclusive-conditions.ts';
import { sourceKey } from '#engine/ir/source-key.ts';
import { readRules } from '#engine/read/read-rules.ts';
import { ruleMeetings, ruleOverlaps, type Overlap, type Overlaps } from '#engine/analysis/rule-overlaps.ts';
import { joinShadows, ruleShadows, type Shadow } from '#engine/analysis/rule-shadows.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { runningMappings } from '#feed/stages/assignments/tables.ts';
import type { RuleFinding } from '#shared/rules/effect.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { itemsOf, type RuleState } from './rule-state.ts';
import { batchTable, runSteps } from './ask-items.ts';
import { CheckedList } from './checked-list.ts';
import { FindingWords, type KnownSources } from './finding-words.ts';
import { goneFields, type GoneField } from './gone-fields.ts';

type Deps = { duckdb: DuckDb };

/** The most pairs of rules that are examined further, those with the most items first. */
const MOST_PAIRS = 200;

/**
 * Finds what a merchant should check in a list of rules, over all items, for the rules as sent, saved or not. Paused rules are
 * checked only by their wording.
 */
export async function ruleFindings(
  deps: Deps,
  state: RuleState,
  rules: readonly Rule[],
  known: KnownSources,
  signal?: AbortSignal,
): Promise<RuleFinding[]> {
  const list = new CheckedList(state, rules);
  const words = new FindingWords(list, known.mappings, state.scope.kind);
  const missingFields = goneFields(
    state.above,
    rules,
    [
      ...state.snapshot.fields.map(({ name }) => name),
      ...(state.mapped === undefined ? [] : itemsOf(state).columns.keys()),
      // After very many rules they are not computed here, but exist.
      ...(state.scope.kind === 'export' ? runningMappings(known.mappings) : []).map(({ name }) =>
        sourceKey('_mapping', name),
      ),
    ],
    known.earlier,
  );
  const findings: PlacedFinding[] = missingFields.map((one) => ({ place: one.place, finding: words.goneField(one) }));
  const impossible = new Set<number>();
  rules.forEach((rule, index) => {
    const pair = exclusiveConditions(readRules([rule], rule.id)[0]?.conditions ?? []);
    if (!pair) return;
    impossible.add(index);
    findings.push({ place: index, finding: words.exclusive(index, pair) });
  });
  if (state.snapshot.items > 0)
    findings.push(...(await onItems(deps, list, words, { missingFields, impossible }, signal)));
  return findings.toSorted((one, other) => one.place - other.place).map(({ finding }) => finding);
}

type PlacedFinding = { readonly place: number; readonly finding: RuleFinding };

type Known = { readonly missingFields: readonly GoneField[]; readonly impossible: ReadonlySet<number> };

async function onItems(
  deps: Deps,
  list: CheckedList,
  words: FindingWords,
  { missingFields, impossible }: Known,
  signal: AbortSignal | undefined,
): Promise<PlacedFinding[]> {
  const { compiled, from } = list;
  if (from === -1) return [];
  const { duckdb } = deps;
  const items = itemsOf(list.state);
  const passes = await runSteps(duckdb, ruleOverlaps(items, compiled, from, { table: batchTable }), signal);
  const counts = passes.flatMap((pass) => pass.counts);
  const findings: PlacedFinding[] = [];
  const add = (index: number, finding: RuleFinding) => findings.push({ place: list.at(index).place, finding });

  const dead = counts.flatMap(({ held }, index) => {
    return index >= from && held === 0 && !impossible.has(list.at(index).place) ? [index] : [];
  });
  const shadows =
    dead.length === 0 ? [] : await runSteps(duckdb, ruleShadows(items, compiled, dead, { table: batchTable }), signal);
  for (const shadow of joinShadows(shadows).values()) {
    if (explainedByGone(shadow, list, missingFields)) continue;
    add(shadow.place, words.dead(shadow, counts));
  }
  counts.forEach((count, index) => {
    if (index < from || count.held === 0) return;
    if (count.diff === 0) add(index, words.changesNothing(index, count));
    else {
      const over = overwrittenBy(index, count.held, passes);
      if (over.length > 0) add(index, words.overwritten(index, over, count.held));
    }
  });
  const overlaps = passes.flatMap((pass) => pass.overlaps).toSorted((one, other) => other.items - one.items);
  for (const overlap of await contrary(deps, list, overlaps.slice(0, MOST_PAIRS), counts, signal)) {
    add(overlap.later, words.overlap(overlap));
  }
  return findings;
}

/** Whether a rule's condition fails because its field is gone: that needs no second finding. */
function explainedByGone(
  { place, conditions }: Shadow,
  list: CheckedList,
  missingFields: readonly GoneField[],
): boolean {
  const { rule, place: own } = list.at(place);
  const fields = new Set(
    missingFields.filter((one) => one.place === own && one.use === 'asks').map(({ field }) => field),
  );
  return conditions.some(({ alone }, at) => alone === 0 && fields.has(rule.querys[at]?.field ?? ''));
}

/** The later rules that overwrite everything a rule wrote, on all its items; empty if some of it remains. */
function overwrittenBy(index: number, held: number, passes: readonly Overlaps[]): number[] {
  const overwrites = passes.flatMap(({ overwritten }) => overwritten).filter(({ place }) => place === index);
  const fields = new Set(overwrites.map(({ field }) => field));
  const written = overwrites.filter(({ items }) => items === held);
  return fields.size > 0 && written.length === fields.size ? [...new Set(written.flatMap(({ by }) => by))] : [];
}

/**
 * Pairs that contradict each other, without those in which the later rule is an exception of the earlier one, i.e. holds only on
 * some of its items: to set a value for all items and another for a few is intended.
 */
async function contrary(
  { duckdb }: Deps,
  list: CheckedList,
  overlaps: readonly Overlap[],
  counts: readonly { readonly held: number }[],
  signal: AbortSignal | undefined,
): Promise<Overlap[]> {
  if (overlaps.length === 0) return [];
  const items = itemsOf(list.state);
  const meetings = (
    await runSteps(duckdb, ruleMeetings(items, list.compiled, overlaps, { table: batchTable }), signal)
  ).flat();
  return overlaps.filter(({ earlier, later }) => {
    const both = meetings.find((pair) => pair.earlier === earlier && pair.later === later)?.items ?? 0;
    const [first, second] = [counts[earlier]?.held ?? 0, counts[later]?.held ?? 0];
    return !(both === second && first > second);
  });
}
