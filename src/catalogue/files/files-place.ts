import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { filesPlace, saveFilesPlace } from '#platform/installation-facts.ts';
import { showTrash } from '#catalogue/trash.ts';

const nameOf = (store: string): string => (store === '' ? 'im Datenordner' : `in ${store}`);

/**
 * To be called at the start, by one process at a time. A process with other settings would find no file of the others, and keep its own
 * where nobody looks. `store`: the bucket as the operator names it, or '' for the data folder. @throws a German sentence
 */
export async function requireFilesPlace(
  { database, clock }: { database: Database; clock: Clock },
  store: string,
): Promise<void> {
  const known = await database.system(async (trx) => {
    const place = await filesPlace(trx);
    if (place !== undefined) return place;
    // An installation of before the first bucket has states, and they lie in its folder.
    await showTrash(trx);
    const first = await trx.selectFrom('snapshots').select('number').limit(1).executeTakeFirst();
    const found = first === undefined ? store : '';
    await saveFilesPlace(trx, found, clock.now());
    return found;
  });
  if (known === store) return;
  throw new Error(
    `Die Dateien dieser Installation liegen ${nameOf(known)}, nach den Einstellungen (KONTOR_STORE) dieses Prozesses lägen sie ${nameOf(store)}. ` +
      'Der Start wird verweigert, denn er fände keine davon. Alle Prozesse brauchen dieselben Einstellungen; den Umzug der Dateien macht npm run move-store (docs/deployment.md).',
  );
}
