import { loadDocument, lockDocument, saveDocument } from '#platform/db/documents.ts';
import type { Trx } from '#platform/db/database.ts';
import { DifferenceSettings, type DifferenceSettingsSave } from '#shared/difference/schema.ts';

/**
 * Loads the settings of a master's imports (`master:<id>`) or an export's outputs (`export:<id>`); defaults if none are stored.
 */
export async function loadDifference(
  trx: Trx,
  company: string,
  scope: string,
): Promise<{ settings: DifferenceSettings; revision: number }> {
  const { body, revision } = await loadDocument(trx, company, 'difference', scope);
  return { settings: DifferenceSettings.parse(body === undefined ? {} : JSON.parse(body)), revision };
}

/** Saves the given settings and keeps all others as stored. @throws 409 for a save based on an older revision */
export async function saveDifference(
  trx: Trx,
  ref: { company: string; scope: string },
  given: DifferenceSettingsSave,
  save: { author: string; expected: number | undefined },
): Promise<number> {
  const { company, scope } = ref;
  const place = { company, subject: 'difference', scope };
  await lockDocument(trx, place);
  const { settings } = await loadDifference(trx, company, scope);
  const next = DifferenceSettings.parse({
    action_on_difference: given.action_on_difference ?? settings.action_on_difference,
    neg_difference: given.neg_difference ?? settings.neg_difference,
    pos_difference: given.pos_difference ?? settings.pos_difference,
  });
  return saveDocument(trx, place, { body: JSON.stringify(next), ...save });
}
