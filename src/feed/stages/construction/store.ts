import { z } from 'zod';
import { loadDocument, saveDocument } from '#platform/db/documents.ts';
import type { Trx } from '#platform/db/database.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';

const Rows = z.array(ConstructionRow);

/** Loads the rows of an export in order, with their revision. */
export async function loadConstruction(
  trx: Trx,
  company: string,
  id: string,
  revision?: number,
): Promise<{ rows: ConstructionRow[]; revision: number }> {
  const document = await loadDocument(trx, company, 'construction', `export:${id}`, revision);
  return {
    rows: document.body === undefined ? [] : Rows.parse(JSON.parse(document.body)),
    revision: document.revision,
  };
}

export function saveConstruction(
  trx: Trx,
  ref: { company: string; id: string },
  rows: readonly ConstructionRow[],
  author: string,
  expected: number | undefined,
): Promise<number> {
  return saveDocument(
    trx,
    { company: ref.company, subject: 'construction', scope: `export:${ref.id}` },
    { body: JSON.stringify(rows), author, expected },
  );
}
