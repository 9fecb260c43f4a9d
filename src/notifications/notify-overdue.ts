import { loadExport } from '#catalogue/exports.ts';
import { loadMaster } from '#catalogue/masters.ts';
import type { Trx } from '#platform/db/database.ts';
import { countText } from '#shared/values/integer-text.ts';
import { addNotification, markRead } from './notifications.ts';

type Overdue = {
  ref: { company: string; subject: string; scope: string };
  since: Date;
  hours: number;
  over: boolean;
};

const time = new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Europe/Berlin' });

/** Notifies once per outage that nothing succeeded for longer than allowed; the next success marks that as read. */
export async function notifyOverdue(trx: Trx, { ref, since, hours, over }: Overdue): Promise<void> {
  const { company, subject, scope } = ref;
  const [kind, owner = ''] = scope.split(':');
  const id = `overdue-${subject}-${owner}-${since.getTime()}`;
  if (over) return markRead(trx, { company, permissions: [] }, [id]);
  const imports = kind === 'master';
  const name = imports
    ? (await loadMaster(trx, company, owner)).name
    : (await loadExport(trx, company, owner)).settings.name;
  const what = imports ? 'Import' : subject === 'stock_schedule' ? 'Bestand und Preis' : 'Export';
  await addNotification(trx, company, {
    id,
    event: 'overdue',
    title: `Kein erfolgreicher Lauf seit ${countText(hours, 'Stunde', 'Stunden')}: ${what} „${name}“`,
    text: `Seit ${time.format(since)} ist kein geplanter Lauf gelungen. Der bisherige Stand gilt weiter. Warum die Läufe scheitern oder ausbleiben, steht in der Liste der Läufe.`,
    path: imports ? `/master/${owner}/import` : `/exports/${owner}/einstellungen`,
  });
}
