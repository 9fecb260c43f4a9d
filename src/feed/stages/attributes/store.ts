import { loadDocument, saveDocument } from '#platform/db/documents.ts';
import type { Trx } from '#platform/db/database.ts';
import { AttributeValues, type AttributeValue } from '#shared/attributes/schema.ts';

/** Where the attributes of an export are kept. */
export const attributesPlace = (company: string, id: string) => ({
  company,
  subject: 'attributes',
  scope: `export:${id}`,
});

/** What is set for the attributes of an export, with the revision it stands at. */
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
