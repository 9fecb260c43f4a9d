import { loadDocument, saveDocument } from '#platform/db/documents.ts';
import type { Trx } from '#platform/db/database.ts';
import { DifferenceSettings } from '#shared/difference/schema.ts';

/** What is set for a master's imports (`master:<id>`) or an export's outputs (`export:<id>`); the default if nothing is. */
export async function loadDifference(
  trx: Trx,
  company: string,
  scope: string,
): Promise<{ settings: DifferenceSettings; revision: number }> {
  const { body, revision } = await loadDocument(trx, company, 'difference', scope);
  return { settings: DifferenceSettings.parse(body === undefined ? {} : JSON.parse(body)), revision };
}

export function saveDifference(
  trx: Trx,
  place: { company: string; scope: string },
  settings: DifferenceSettings,
  save: { author: string; expected: number | undefined },
): Promise<number> {
  const { company, scope } = place;
  return saveDocument(trx, { company, subject: 'difference', scope }, { body: JSON.stringify(settings), ...save });
}
