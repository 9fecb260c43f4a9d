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
 * A catalogue's figures for the gate and the breakers; as they normally are until somebody changes them. What is stored and is none
 * of these (another version of the program had another range, say) never throws: the normal ones are shown and judge what has been
 * sent, and `readable` false keeps every price from going out until somebody saves figures again.
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

/** What the gate is given: figures that cannot be read are none to it either (SAFETY_WRONG). */
export const gateFigures = ({ figures, readable }: SafetyState): PriceSafety =>
  readable ? figures : { ...figures, step: 0 };

type Save = { figures: PriceSafety; confirmed: boolean; reason: string };

/**
 * Saves the figures. What becomes less safe is asked for a second time, with a reason that the history keeps.
 * @throws 409 `less_safe` with the figures where that is missing, 422 without a reason
 */
export async function saveSafety(
  trx: Trx,
  ref: CatalogueRef,
  { figures, confirmed, reason }: Save,
  { author, expected }: { author: string; expected: number | undefined },
): Promise<SafetyState> {
  const before = await loadSafety(trx, ref);
  // A form that somebody else's save has overtaken is told so first: it would be asked about figures that it does not show.
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
