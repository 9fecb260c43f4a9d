import { groupedFields } from '#engine/duckdb/number-groups.ts';
import { titleField } from '#catalogue/titles/title-field.ts';
import { integerText } from '#shared/values/integer-text.ts';
import { compareSnapshots, type Difference } from '#feed/difference/difference.ts';
import { driftsBetween } from '#feed/difference/anomalies.ts';
import { type ComparedField, LEFT } from '#feed/difference/field-drift.ts';
import { isOfOffer, isPrice, priceRole, stockRole } from '#feed/difference/field-roles.ts';
import { judgeDifference, type Judgement, renumberedReason } from '#feed/difference/judge.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { isUnusable } from '#platform/storage/store-errors.ts';
import type { Store } from '#platform/storage/store.ts';
import type { DifferenceSettings, FieldDrift } from '#shared/difference/schema.ts';
import type { ImportedField } from '#shared/import/schema.ts';

/** A state of a catalogue: its file, its number of items, its fields. */
export type CatalogueState = {
  readonly path: string;
  readonly items: number;
  readonly fields: readonly ImportedField[];
};
/** `newKey`: a user chose another key field for it than the live one has. */
export type NewState = CatalogueState & { readonly newKey?: boolean };

/** Compares a new state with the live one: difference, drifted fields, and whether the new state may replace the live one. */
export async function judgeImport(
  duckdb: DuckDb,
  before: CatalogueState,
  after: NewState,
  settings: DifferenceSettings,
): Promise<{ difference: Difference; drifts: FieldDrift[]; judgement: Judgement; hints: string[] }> {
  const files = { before: before.path, after: after.path };
  const difference = await compareSnapshots(duckdb, files.before, files.after);
  const emptiedFields = emptied(before, after);
  const emptiedNames = new Set(emptiedFields.map(({ field }) => field));
  const compared = comparedFields(before.fields, after.fields).filter(({ field }) => !emptiedNames.has(field));
  const drifts = [...emptiedFields, ...(await driftsBetween(duckdb, files, compared))];
  const facts = { before: before.items, after: after.items, difference, drifts, newKey: after.newKey ?? false };
  const judgement = judgeDifference(settings, facts);
  const reason = renumberedReason({ before: before.items, difference });
  const isReason = reason !== undefined && judgement.reasons.includes(reason);
  return { difference, drifts, judgement, hints: isReason ? [] : renumbered(before.items, difference) };
}

/** Fewer items may well be another assortment. */
const MANY_ITEMS = 10;
/** Share of the former item numbers that are gone and have as many new ones in their place. */
const RENUMBERED = 0.9;

/** Says that the items are the same but their numbers are not: a blank or other case in the key column, or another key. */
function renumbered(items: number, { removed, added }: Difference): string[] {
  if (items < MANY_ITEMS || Math.min(removed, added) < items * RENUMBERED) return [];
  return [
    `Fast alle Artikelnummern sind neu: ${integerText(removed)} von ${integerText(items)} bisherigen fehlen, ${integerText(added)} kamen hinzu. Für die Kanäle sind das andere Artikel. Bitte prüfen Sie das Schlüsselfeld und die Schreibweise seiner Werte (Leerzeichen, Groß- und Kleinschreibung).`,
  ];
}

/** Why a state waits that could not be compared: it is unknown which items it would remove. */
export const unreadableText =
  'Die Datei des bisherigen Standes fehlt oder ist beschädigt, deshalb wurde der neue nicht mit ihm verglichen. Bitte prüfen Sie seine Artikel.';

/** Runs judgeImport against a state in the store; undefined if that state's file is missing or damaged. */
export async function judgeAgainstStored(
  { duckdb, store }: { duckdb: DuckDb; store: Pick<Store, 'has'> },
  before: CatalogueState,
  after: NewState,
  settings: DifferenceSettings,
): Promise<Awaited<ReturnType<typeof judgeImport>> | undefined> {
  if (!(await store.has(before.path))) return undefined;
  try {
    return await judgeImport(duckdb, before, after, settings);
  } catch (error) {
    if (isUnusable(error)) return undefined;
    throw error;
  }
}

/**
 * Returns the fields present in both states, with the role that the earlier state gives them: the comparison detects prices or
 * stocks that turned into words.
 */
function comparedFields(before: readonly ImportedField[], after: readonly ImportedField[]): ComparedField[] {
  const then = new Map(before.map((field) => [field.name, field]));
  const [grouped, groupedNow] = [groupedFields(before), groupedFields(after)];
  const title = titleField(after);
  return after.flatMap(({ id, name }): ComparedField[] => {
    const old = then.get(name);
    if (old === undefined) return [];
    const groups = { before: grouped.get(name), after: groupedNow.get(name) };
    const pair = { field: name, before: old.id, after: id, groups };
    const role = roleOf(old);
    return [...(role ? [{ ...pair, role }] : []), ...(name === title ? [{ ...pair, role: 'title' as const }] : [])];
  });
}

function roleOf({ name, guess }: ImportedField): ComparedField['role'] | undefined {
  if (guess === 'price') return priceRole(name);
  const isNumber = guess === 'integer' || guess === 'number';
  if (!isNumber && guess !== 'text' && guess !== 'boolean') return undefined;
  // A few values such as „auf Anfrage“ among the prices make the guess 'text'.
  return isPrice(name) ? priceRole(name) : stockRole(name, isNumber);
}

/** Returns the fields that most items had filled and that are missing or almost empty now, from the imports' fill counts. */
function emptied(before: CatalogueState, after: CatalogueState): FieldDrift[] {
  const now = new Map(after.fields.map(({ name, filled }) => [name, filled]));
  return before.fields.flatMap(({ name, filled }): FieldDrift[] => {
    if (filled < Math.max(5, before.items / 2)) return [];
    const left = now.get(name);
    if (left === undefined)
      return [{ field: name, kind: 'emptied', sentence: `Das Feld „${name}“ fehlt.`, grave: true }];
    // When a campaign ends, its offer prices end with it.
    if (left > after.items * LEFT || isOfOffer(name)) return [];
    const sentence = `„${name}“ ist fast überall leer: gefüllt sind nur noch ${integerText(left)} von bisher ${integerText(filled)} Werten.`;
    return [{ field: name, kind: 'emptied', sentence, grave: true }];
  });
}
