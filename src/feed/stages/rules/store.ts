import { loadDocument, saveDocument } from '#platform/db/documents.ts';
import type { Trx } from '#platform/db/database.ts';
import { Rules, type Rule } from '#shared/rules/schema.ts';

/** The document that stores the rules of a scope. */
export const rulesPlace = (company: string, scope: string) => ({ company, subject: 'rules', scope });

/** Loads the rules of a scope (`master:…` or `export:…`) in the order they run, with their revision. */
export async function loadRules(
  trx: Trx,
  company: string,
  scope: string,
  revision?: number,
): Promise<{ rules: Rule[]; revision: number }> {
  const document = await loadDocument(trx, company, 'rules', scope, revision);
  return {
    rules: document.body === undefined ? [] : Rules.parse(JSON.parse(document.body)),
    revision: document.revision,
  };
}

export function saveRules(
  trx: Trx,
  ref: { company: string; scope: string },
  rules: readonly Rule[],
  author: string,
  expected: number | undefined,
): Promise<number> {
  return saveDocument(trx, rulesPlace(ref.company, ref.scope), { body: JSON.stringify(rules), author, expected });
}
