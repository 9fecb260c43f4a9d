import { unprocessable } from '#platform/errors.ts';
import type { TableRow } from './rows.ts';

/** Refuses two rows with the same id: counts and edits could not distinguish them. @throws 422 */
export function refuseDoubles(rows: readonly TableRow[]): void {
  const seen = new Set<string>();
  for (const { id } of rows) {
    if (seen.has(id))
      throw unprocessable(
        'id_twice',
        `Die Kennung „${id}“ kommt in den Zeilen zweimal vor. Es wurde nichts gespeichert.`,
      );
    seen.add(id);
  }
}
