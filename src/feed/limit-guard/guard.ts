import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import { askLimitsReview, limitFields } from '#catalogue/limits-review.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Audit } from '#platform/http/audit.ts';
import { type Principal, requireProof } from '#platform/http/server.ts';
import { loadMappings } from '#feed/stages/assignments/store.ts';
import { loadRules } from '#feed/stages/rules/store.ts';
import { limitChanges, limitPart, type LimitPart, type RulesAndMappings } from './limit-part.ts';
import { integerText } from '#shared/values/integer-text.ts';

/** The most names that a refusal lists. */
const SHOWN = 3;

type Saver = { principal: Pick<Principal, 'company' | 'permissions' | 'session'>; audit: Audit };

/**
 * Treats a save of a master's rules or mappings that may move price limits like a change of the limits: it needs the permission
 * to set prices and a fresh proof, and is recorded in the security log.
 * @throws 403 naming the rules, or requesting the proof
 */
export async function guardLimits(
  trx: Trx,
  { principal, audit }: Saver,
  masterid: string,
  next: Partial<RulesAndMappings>,
): Promise<void> {
  const ref = { company: principal.company, masterid };
  const fields = await limitFields(trx, ref);
  if (fields.size === 0) return;
  const before = await makersOf(trx, ref);
  const names = limitChanges(before, { ...before, ...next }, fields);
  if (names === undefined) return;
  const which = partNames(names);
  if (principal.permissions.includes('prices')) {
    requireProof(principal);
    audit.as('prices');
    await audit.within(trx, `Preisgrenzen: ${which}`);
    return;
  }
  throw new KontorError(
    403,
    'prices_permission',
    `${which}: Das kann Preisgrenzen verschieben, denn der Repricer liest sie aus ${fieldList(fields)}. Dafür fehlt Ihnen das Recht „Preise“. Es wurde nichts gespeichert; bitte lassen Sie die Änderung von jemandem speichern, der Preise setzen darf.`,
  );
}

/** Names of rules and mappings, for display. */
export function partNames(names: readonly string[]): string {
  if (names.length === 0) return 'Die Reihenfolge';
  const shown = names.slice(0, SHOWN).map((name) => `„${name}“`);
  return names.length > SHOWN
    ? `${shown.join(', ')} und ${integerText(names.length - SHOWN)} weitere`
    : shown.join(', ');
}

export const fieldList = (fields: ReadonlySet<string>): string => {
  const named = [...fields].map((field) => `„${field}“`);
  return named.length === 1 ? `dem Feld ${named.join('')}` : `den Feldern ${named.join(', ')}`;
};

export async function makersOf(trx: Trx, { company, masterid }: CatalogueRef): Promise<RulesAndMappings> {
  const { rules } = await loadRules(trx, company, `master:${masterid}`);
  const { mappings } = await loadMappings(trx, company, masterid);
  return { rules, mappings };
}

/** Requests a review of the limits if a user without the permission 'prices' activates a snapshot: it may move limits. */
export async function reviewOfState(
  trx: Trx,
  { company, name, permissions }: Pick<Principal, 'company' | 'name' | 'permissions'>,
  masterid: string,
  number: number,
): Promise<void> {
  if (permissions.includes('prices')) return;
  const why = `Stand ${number} wurde von ${name} ohne das Recht „Preise“ in Kraft gesetzt.`;
  await askLimitsReview(trx, { company, masterid }, why);
}

/** The fields that may affect price limits in a catalogue; undefined: it has no priced items. */
export async function limitSources(trx: Trx, ref: CatalogueRef): Promise<LimitPart['sources'] | undefined> {
  const fields = await limitFields(trx, ref);
  return fields.size === 0 ? undefined : limitPart(await makersOf(trx, ref), fields).sources;
}
