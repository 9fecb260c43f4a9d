import type { Database } from '#platform/db/database.ts';
import {
  contentOf,
  type SealedContent,
  sealedTextOf,
  storedContent,
  storedTexts,
} from '#repricer/record/sealed-content.ts';
import { type ArchiveDeps, eachDecision } from './archive-file.ts';
import { type Archive, archiveWith } from './archives.ts';

export type SealDeps = ArchiveDeps & { database: Database };
type Seal = { readonly number: number; readonly from: number; readonly to: number };

/**
 * Returns a function that computes the content of a seal from the table or a file; a file is read once if its seals are requested
 * in order.
 */
export function sealContents(deps: SealDeps, company: string, signal: AbortSignal) {
  let last: { archive: Archive; contents: Map<number, SealedContent> } | undefined;
  return async (seal: Seal): Promise<SealedContent> => {
    const known = last?.contents.get(seal.number);
    if (known !== undefined) return known;
    const archive = await deps.database.company(company, (trx) => archiveWith(trx, company, seal.number));
    if (archive === undefined) return deps.database.company(company, (trx) => storedContent(trx, company, seal));
    last = { archive, contents: await archivedContents(deps, archive, signal) };
    return last.contents.get(seal.number) ?? nothing;
  };
}

const nothing: SealedContent = { decisions: 0, hash: '' };

/**
 * Returns the content of each seal in a file, by seal number; an empty hash, which matches nothing, if the table has a differing
 * copy.
 */
export async function archivedContents(
  { database, ...deps }: SealDeps,
  archive: Archive,
  signal: AbortSignal,
): Promise<Map<number, SealedContent>> {
  const { company, from_seal, to_seal } = archive;
  const seals = await database.company(company, (trx) =>
    trx
      .selectFrom('decision_seals')
      .select(['number', 'from_id as from', 'to_id as to'])
      .where('company', '=', company)
      .where((eb) => eb.between('number', from_seal, to_seal))
      .orderBy('number')
      .execute(),
  );
  const contents = new Map<number, SealedContent>();
  let texts: string[] = [];
  const close = async (seal: Seal) => {
    const inFile = new Set(texts);
    const copies = await database.company(company, (trx) => storedTexts(trx, company, seal));
    const content = contentOf(texts);
    contents.set(seal.number, copies.every((copy) => inFile.has(copy)) ? content : { ...content, hash: '' });
    texts = [];
  };
  const take = async (rows: readonly (readonly (string | null)[])[]) => {
    for (const row of rows) {
      for (let [next] = seals; next !== undefined && Number(row[0]) > next.to; [next] = seals) {
        await close(next);
        seals.shift();
      }
      texts.push(sealedTextOf([...row]));
    }
  };
  await eachDecision(deps, archive, take, signal);
  for (const seal of seals) await close(seal);
  return contents;
}
