import { loadDocument, saveDocument } from '#platform/db/documents.ts';
import type { Trx } from '#platform/db/database.ts';
import { AttributeValues, type AttributeValue } from '#shared/attributes/schema.ts';

/** The document that stores the attributes of an export. */
export const attributesPlace = (company: string, id: string) => ({
  company,
  subject: 'attributes',
  scope: `export:${id}`,
});

/** Loads the attribute values of an export, with their revision. */
export async function loadAttributes(
  trx: Trx,
  company: string,
  id: string,
  revision?: number,
): Promise<{ values: AttributeValue[]; revision: number }> {
  const document = await loadDocument(trx, company, 'attributes', `export:${id}`, revision);
  return {
    values: document.body === undefined ? [] : AttributeValues.parse(JSON.parse(document.body)),
    revision: document.revision,
  };
}

export function saveAttributes(
  trx: Trx,
  ref: { company: string; id: string },
  values: readonly AttributeValue[],
  save: { author: string; expected: number | undefined },
): Promise<number> {
  return saveDocument(trx, attributesPlace(ref.company, ref.id), { body: JSON.stringify(values), ...save });
}
