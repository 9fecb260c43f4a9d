import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import type { Trx } from '#platform/db/database.ts';
import { loadDocument, saveDocument } from '#platform/db/documents.ts';
import { KontorError, unprocessable } from '#platform/errors.ts';
import {
  lessSafe,
  normalSafety,
  PriceSafety,
  safetyChanges,
  safetyFigures,
  type SafetyState,
} from '#shared/repricer/safety.ts';

/**
 * Returns a catalogue's figures for the gate and the breakers; the defaults until a user changes them. Stored figures that are
 * invalid (another program version had another range, say) do not throw: the defaults are shown and judge prices already sent,
 * and `readable` false keeps every price from being sent until figures are saved again.
 */
export async function loadSafety(trx: Trx, { company, masterid }: CatalogueRef): Promise<SafetyState> {
  const { body, revision } = await loadDocument(trx, company, 'price_safety', `master:${masterid}`);
  const figures = body === undefined ? normalSafety : readFigures(body);
  return { figures: figures ?? normalSafety, revision, readable: figures !== undefined };
}

function readFigures(body: string): PriceSafety | undefined {
  try {
    return PriceSafety.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

/** Returns the figures for the gate; unreadable ones are made invalid, so that it refuses with SAFETY_WRONG. */
export const gateFigures = ({ figures, readable }: SafetyState): PriceSafety =>
  readable ? figures : { ...figures, step: 0 };

type Save = { figures: PriceSafety; confirmed: boolean; reason: string };

/**
 * Saves the figures. Less safe ones need a confirmation with a reason, which the history stores. @throws 409 `less_safe` with the
 * figures if it is missing, 422 without a reason
 */
export async function saveSafety(
  trx: Trx,
  ref: CatalogueRef,
  { figures, confirmed, reason }: Save,
  { author, expected }: { author: string; expected: number | undefined },
): Promise<SafetyState> {
  const before = await loadSafety(trx, ref);
  // A stale form gets its conflict first: otherwise the user would be asked about figures the form does not show.
  const stale = expected !== undefined && expected !== before.revision;
  const less = stale ? [] : lessSafe(before.figures, figures);
  const where = { company: ref.company, subject: 'price_safety', scope: `master:${ref.masterid}` };
  if (less.length > 0 && !confirmed) {
    throw new KontorError(
      409,
      'less_safe',
      `Diese Werte sichern Ihre Preise weniger als bisher: ${less.map((name) => safetyFigures[name].label).join(', ')}. Bitte bestätigen Sie das mit einem Grund. Es wurde nichts gespeichert.`,
      { fields: less.map((name) => ({ field: `figures.${name}`, message: 'Weniger sicher als bisher' })) },
    );
  }
  if (less.length > 0 && reason === '') {
    throw unprocessable('reason_missing', 'Bitte nennen Sie einen Grund. Es wurde nichts gespeichert.', [
      { field: 'reason', message: 'Bitte nennen Sie einen Grund.' },
    ]);
  }
  if (!stale && before.readable && safetyChanges(before.figures, figures).length === 0) return before;
  const note = reason === '' ? undefined : `Grund: ${reason}`;
  const body = JSON.stringify(figures);
  const revision = await saveDocument(trx, where, { body, author, expected: expected ?? before.revision, note });
  return { figures, revision, readable: true };
}
