import { loadExport } from '#catalogue/exports.ts';
import { loadMaster } from '#catalogue/masters.ts';
import type { Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { KontorError, notFound } from '#platform/errors.ts';

/** Returns the name of the catalogue or export that a scope belongs to. @throws 404 if the company has no such one */
export async function ownerOf(trx: Trx, company: string, scope: string): Promise<string> {
  const [, kind, id = ''] = /^(master|export):([A-Za-z0-9]{1,40})$/.exec(scope) ?? [];
  if (kind === 'export') return (await loadExport(trx, company, id)).settings.name;
  if (kind === 'master') return (await loadMaster(trx, company, id)).name;
  throw notFound('Dieses Dokument');
}

/** Whether the document's owner exists outside the trash. `d` is the document, an alias of the query in `listActivity`. */
export const hasOwner = pg<boolean>`(exists (select 1 from masters m where m.company = d.company and 'master:' || m.id = d.scope)
  or exists (select 1 from exports e where e.company = d.company and 'export:' || e.id = d.scope))`;

/** Returns the owner's name; undefined if it is in the trash. */
export const ownerIfThere = (...args: Parameters<typeof ownerOf>): Promise<string | undefined> =>
  ownerOf(...args).catch((error: unknown) => {
    if (error instanceof KontorError && error.status === 404) return undefined;
    throw error;
  });
