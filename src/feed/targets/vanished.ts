import { exportTableNames, type ExportTable } from '#shared/assignments/schema.ts';
import { TargetList, type TargetEntry, type TargetUpload } from '#shared/targets/schema.ts';
import { countText, integerText } from '#shared/values/integer-text.ts';
import type { Trx } from '#platform/db/database.ts';
import { loadCategories, loadRows, targetSubject } from '#feed/stages/assignments/store.ts';

/** Targets that rows use but the new list lacks: the rows keep them, but the user must be told. */
export async function vanishedTargets(
  trx: Trx,
  company: string,
  { id, table }: { id: string; table: ExportTable },
  before: readonly TargetEntry[],
  is: ReadonlySet<string>,
): Promise<TargetUpload['vanished']> {
  const { rows } =
    table === 'categories' ? await loadCategories(trx, company, id) : await loadRows(trx, company, id, table);
  const names = new Map(before.map((entry) => [entry.id, entry.name]));
  const counts = new Map<string, number>();
  for (const { target } of rows)
    if (target !== '' && !is.has(target)) counts.set(target, (counts.get(target) ?? 0) + 1);
  return [...counts].map(([target, count]) => ({ id: target, name: names.get(target) ?? target, rows: count }));
}

type Restored = { company: string; subject: string; scope: string; before: string | undefined; after: string };
/** The most targets that a message names. */
const NAMED = 5;

/** What a restored list of targets lacks, as sentences behind the message; '' for other documents, and if rows use nothing else. */
export async function vanishedText(trx: Trx, restored: Restored): Promise<string> {
  const table = exportTableNames.find((one) => targetSubject(one) === restored.subject);
  if (table === undefined) return '';
  const entriesOf = (body: string) => TargetList.parse(JSON.parse(body)).entries;
  const before = restored.before === undefined ? [] : entriesOf(restored.before);
  const is = new Set(entriesOf(restored.after).map((entry) => entry.id));
  const place = { id: restored.scope.slice('export:'.length), table };
  const vanished = await vanishedTargets(trx, restored.company, place, before, is);
  if (vanished.length === 0) return '';
  const named = vanished.slice(0, NAMED).map(({ name }) => `„${name}“`);
  const more = vanished.length > NAMED ? ` und ${integerText(vanished.length - NAMED)} weitere` : '';
  return `. ${countText(vanished.length, 'Ziel wird', 'Ziele werden')} noch von Zeilen benutzt, aber diese Liste kennt ${vanished.length === 1 ? 'es' : 'sie'} nicht: ${named.join(', ')}${more}. Die Zeilen sind unverändert; wählen Sie unter „Ziel gibt es nicht mehr“ neue Ziele.`;
}
