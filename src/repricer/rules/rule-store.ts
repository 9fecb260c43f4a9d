import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import type { Trx } from '#platform/db/database.ts';
import { loadDocument, lockDocument, saveDocument } from '#platform/db/documents.ts';
import { notFound, unprocessable } from '#platform/errors.ts';
import {
  INCOMPLETE_TEXT,
  isComplete,
  REPRICER_LIMITS,
  repricerProblems,
  RepricerRules,
  type RepricerRule,
} from '#shared/repricer/schema.ts';
import { untriedNote } from '#repricer/simulation/simulated.ts';

type Save = { author: string; expected: number | undefined };

/** A master's repricing rules by priority, with the revision they stand at (or stood at). */
export async function loadRepricerRules(
  trx: Trx,
  { company, masterid }: CatalogueRef,
  revision?: number,
): Promise<{ rules: RepricerRule[]; revision: number; savedAt: Date | undefined }> {
  const document = await loadDocument(trx, company, 'repricer', `master:${masterid}`, revision);
  return {
    rules: document.body === undefined ? [] : RepricerRules.parse(JSON.parse(document.body)),
    revision: document.revision,
    savedAt: document.createdAt,
  };
}

const placeOf = ({ company, masterid }: CatalogueRef) => ({
  company,
  subject: 'repricer',
  scope: `master:${masterid}`,
});

/** The rules for a change of some of them: nobody else saves any before this transaction ends. */
export async function rulesToChange(trx: Trx, ref: CatalogueRef): Promise<{ rules: RepricerRule[]; revision: number }> {
  await lockDocument(trx, placeOf(ref));
  return loadRepricerRules(trx, ref);
}

function save(trx: Trx, ref: CatalogueRef, rules: readonly RepricerRule[], how: Save & { note?: string | undefined }) {
  const body = JSON.stringify(rules);
  return saveDocument(trx, placeOf(ref), { body, ...how });
}

/** The rules with one in the place that it has, a new one at the end. */
export const withRule = (rules: readonly RepricerRule[], rule: RepricerRule): RepricerRule[] =>
  rules.some(({ id }) => id === rule.id) ? rules.map((one) => (one.id === rule.id ? rule : one)) : [...rules, rule];

/** The rules with some saved, each as `withRule` does it, in this order. */
export const withOrder = (
  rules: readonly RepricerRule[],
  { ids, rules: changed }: { ids: readonly string[]; rules: readonly RepricerRule[] },
): RepricerRule[] => ordered(changed.reduce<readonly RepricerRule[]>(withRule, rules), ids);

/** The rules in this order; those that are not named stay in theirs behind the named ones. */
function ordered(rules: readonly RepricerRule[], ids: readonly string[]): RepricerRule[] {
  const rank = new Map(ids.map((id, index) => [id, index]));
  return rules.toSorted((one, other) => (rank.get(one.id) ?? ids.length) - (rank.get(other.id) ?? ids.length));
}

/**
 * REP-17: puts one rule in the place it has, a new one at the end. REP-13: an incomplete one is kept paused, whatever it says of
 * itself. Nothing keeps a rule from running that was never simulated, but the history says so. @throws 422 with the places if it cannot be saved at all (REP-14)
 */
export async function saveRepricerRule(trx: Trx, ref: CatalogueRef, rule: RepricerRule, author: Save) {
  const { rules, revision } = await rulesToChange(trx, ref);
  const stored = asKept(rule);
  const next = atMost(withRule(rules, stored), rules);
  const note = await untriedNote(
    trx,
    ref,
    rules.find(({ id }) => id === rule.id),
    stored,
  );
  const saved = await save(trx, ref, next, { ...author, expected: author.expected ?? revision, note });
  const complete = isComplete(rule);
  return {
    revision: saved,
    active: stored.active,
    complete,
    message: complete ? 'Daten erfolgreich gespeichert!' : INCOMPLETE_TEXT,
  };
}

/** REP-13. @throws 422 (REP-14) */
function asKept(rule: RepricerRule): RepricerRule {
  const problems = repricerProblems(rule);
  if (problems[0] !== undefined) {
    throw unprocessable('rule_wrong', `Die Regel wurde nicht gespeichert: ${problems[0].message}`, problems);
  }
  return { ...rule, active: rule.active && isComplete(rule) };
}

/** @throws 422 where there were fewer rules before, and are too many now */
function atMost(next: RepricerRule[], before: readonly RepricerRule[]): RepricerRule[] {
  if (next.length <= Math.max(before.length, REPRICER_LIMITS.rules)) return next;
  throw unprocessable(
    'too_many_rules',
    `Mehr als ${REPRICER_LIMITS.rules} Repricing-Regeln je Katalog sind nicht möglich.`,
  );
}

/** REP-18. */
export async function deleteRepricerRule(trx: Trx, ref: CatalogueRef, id: string, author: Save): Promise<number> {
  const { rules, revision } = await rulesToChange(trx, ref);
  if (!rules.some((rule) => rule.id === id)) throw notFound('Diese Repricing-Regel');
  const rest = rules.filter((rule) => rule.id !== id);
  return save(trx, ref, rest, { ...author, expected: author.expected ?? revision });
}

/**
 * REP-03: the order is the priority. Rules that are not named keep their order behind the named ones. `wanted.rules` are saved in the same
 * step, as REP-17 saves each: in between nothing is priced by half of what somebody has changed.
 */
export async function orderRepricerRules(
  trx: Trx,
  ref: CatalogueRef,
  wanted: { ids: readonly string[]; rules: readonly RepricerRule[] },
  author: Save,
): Promise<number> {
  const { rules, revision } = await rulesToChange(trx, ref);
  const kept = wanted.rules.map(asKept);
  const next = atMost(withOrder(rules, { ids: wanted.ids, rules: kept }), rules);
  const notes: string[] = [];
  for (const rule of kept) {
    const before = rules.find(({ id }) => id === rule.id);
    notes.push(...[await untriedNote(trx, ref, before, rule)].filter((note) => note !== undefined));
  }
  const note = notes.length === 0 ? undefined : notes.join('; ');
  return save(trx, ref, next, { ...author, expected: author.expected ?? revision, note });
}
