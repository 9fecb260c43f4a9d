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

/** Returns a master's repricing rules by priority with their revision, the latest or the given one. */
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

/** Returns the rules for a change; they are locked until the transaction ends. */
export async function rulesToChange(trx: Trx, ref: CatalogueRef): Promise<{ rules: RepricerRule[]; revision: number }> {
  await lockDocument(trx, placeOf(ref));
  return loadRepricerRules(trx, ref);
}

function save(trx: Trx, ref: CatalogueRef, rules: readonly RepricerRule[], how: Save & { note?: string | undefined }) {
  const body = JSON.stringify(rules);
  return saveDocument(trx, placeOf(ref), { body, ...how });
}

/** Returns the rules with one replaced in place, or added at the end if new. */
export const withRule = (rules: readonly RepricerRule[], rule: RepricerRule): RepricerRule[] =>
  rules.some(({ id }) => id === rule.id) ? rules.map((one) => (one.id === rule.id ? rule : one)) : [...rules, rule];

/** Returns the rules with some saved as by `withRule`, in this order. */
export const withOrder = (
  rules: readonly RepricerRule[],
  { ids, rules: changed }: { ids: readonly string[]; rules: readonly RepricerRule[] },
): RepricerRule[] => ordered(changed.reduce<readonly RepricerRule[]>(withRule, rules), ids);

/** Returns the rules in this order; those not named follow in their own order. */
function ordered(rules: readonly RepricerRule[], ids: readonly string[]): RepricerRule[] {
  const rank = new Map(ids.map((id, index) => [id, index]));
  return rules.toSorted((one, other) => (rank.get(one.id) ?? ids.length) - (rank.get(other.id) ?? ids.length));
}

/**
 * REP-17: saves one rule in place, a new one at the end. REP-13: an incomplete one is stored paused, whatever its `active` says.
 * A rule that was never simulated may run, but the history records it. @throws 422 with the places if it cannot be saved at all
 * (REP-14)
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

/** Returns the rule as it is stored (REP-13). @throws 422 (REP-14) */
function asKept(rule: RepricerRule): RepricerRule {
  const problems = repricerProblems(rule);
  if (problems[0] !== undefined) {
    throw unprocessable('rule_wrong', `Die Regel wurde nicht gespeichert: ${problems[0].message}`, problems);
  }
  return { ...rule, active: rule.active && isComplete(rule) };
}

/** Returns `next` if it is not too long. @throws 422 if there are too many rules and there were fewer before */
function atMost(next: RepricerRule[], before: readonly RepricerRule[]): RepricerRule[] {
  if (next.length <= Math.max(before.length, REPRICER_LIMITS.rules)) return next;
  throw unprocessable(
    'too_many_rules',
    `Mehr als ${REPRICER_LIMITS.rules} Repricing-Regeln je Katalog sind nicht möglich.`,
  );
}

/** Deletes a rule (REP-18). */
export async function deleteRepricerRule(trx: Trx, ref: CatalogueRef, id: string, author: Save): Promise<number> {
  const { rules, revision } = await rulesToChange(trx, ref);
  if (!rules.some((rule) => rule.id === id)) throw notFound('Diese Repricing-Regel');
  const rest = rules.filter((rule) => rule.id !== id);
  return save(trx, ref, rest, { ...author, expected: author.expected ?? revision });
}

/**
 * REP-03: sets the order, which is the priority; rules not named follow in their own order. `wanted.rules` are saved in the same
 * transaction, as REP-17 saves each, so that no price is decided by half of a user's changes.
 */
export async function reorderRepricerRules(
  trx: Trx,
  ref: CatalogueRef,
  wanted: { ids: readonly string[]; rules: readonly RepricerRule[] },
  author: Save,
): Promise<number> {
  const { rules, revision } = await rulesToChange(trx, ref);
  const stored = wanted.rules.map(asKept);
  const next = atMost(withOrder(rules, { ids: wanted.ids, rules: stored }), rules);
  const notes: string[] = [];
  for (const rule of stored) {
    const before = rules.find(({ id }) => id === rule.id);
    notes.push(...[await untriedNote(trx, ref, before, rule)].filter((note) => note !== undefined));
  }
  const note = notes.length === 0 ? undefined : notes.join('; ');
  return save(trx, ref, next, { ...author, expected: author.expected ?? revision, note });
}
