import { addNotification } from '#notifications/notifications.ts';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { HOLD_LEAST, type StockSettings } from '#shared/stock/settings.ts';
import { countText, integerText } from '#shared/values/integer-text.ts';
import type { StockPlace } from './compute.ts';

const HOUR_MS = 60 * 60_000;

type Judged = { settings: StockSettings; sourceAt: Date; fieldThere: boolean; now: Date };

/** Returns the reasons against sending the numbers, in German; '' if there are none. */
export async function holdReasons(trx: Trx, place: StockPlace, judged: Judged): Promise<string> {
  const { settings, sourceAt, fieldThere, now } = judged;
  const reasons: string[] = [];
  if (!fieldThere) reasons.push(`Der Katalog hat kein Feld „${settings.field}“ mehr.`);
  else if (!(await anyStock(trx, place))) reasons.push('Die Quelle ist leer: kein Artikel hat Bestand.');
  const hours = (now.getTime() - sourceAt.getTime()) / HOUR_MS;
  if (settings.source_hours > 0 && hours > settings.source_hours)
    reasons.push(
      `Die Quelle ist ${countText(Math.floor(hours), 'Stunde', 'Stunden')} alt, erlaubt ${settings.source_hours === 1 ? 'ist' : 'sind'} ${integerText(settings.source_hours)}.`,
    );
  for (const { name, offered, falling } of await fallingToZero(trx, place))
    if (offered >= HOLD_LEAST && falling * 100 > offered * settings.hold_percent)
      reasons.push(
        `${integerText(falling)} von ${integerText(offered)} angebotenen Artikeln fielen bei „${name}“ auf 0 (erlaubt sind ${settings.hold_percent} %).`,
      );
  return reasons.join(' ');
}

async function anyStock(trx: Trx, { company, master }: StockPlace): Promise<boolean> {
  const row = await trx
    .selectFrom('stock_items')
    .select('item')
    .where((eb) => eb.and({ company, master }))
    .where('on_hand', '>', 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns per account the number of articles for sale there (unknown ones may be) and how many would fall to zero. */
async function fallingToZero(
  trx: Trx,
  { company, master }: StockPlace,
): Promise<{ name: string; offered: number; falling: number }[]> {
  // Raw SQL: two conditional counts take twice the length in the builder.
  const { rows } = await pg<{ name: string; offered: number; falling: number }>`
    select a.name, count(*)::int as offered, (count(*) filter (where o.offered = 0))::int as falling
    from stock_offers o join marketplace_accounts a on a.company = o.company and a.id = o.channel
    where o.company = ${company} and o.master = ${master} and o.account and coalesce(o.shown, 1) > 0
    group by a.id, a.name order by a.name, a.id`.execute(trx);
  return rows;
}

/**
 * Stores a hold or its absence. A hold remains until a user releases it; a release remains valid until the source or the settings
 * change (`anew`).
 */
export async function setHold(
  trx: Trx,
  place: StockPlace,
  hold: { reason: string; anew: boolean; now: Date },
): Promise<void> {
  const { company, master } = place;
  const { reason, anew, now } = hold;
  const state = await trx
    .selectFrom('stock_states as s')
    .innerJoin('masters as m', (join) => join.onRef('m.company', '=', 's.company').onRef('m.id', '=', 's.master'))
    .select(['s.held', 's.held_at', 's.released_at', 'm.name'])
    .where((eb) => eb.and({ 's.company': company, 's.master': master }))
    .executeTakeFirst();
  if (state === undefined) return;
  const released = state.released_at !== null && !anew;
  const held = released ? '' : reason;
  const begins = held !== '' && state.held === '';
  await trx
    .updateTable('stock_states')
    .set({
      held,
      held_at: held === '' ? null : begins ? now : state.held_at,
      ...(anew ? { released_at: null, released_by: null, release_reason: null } : {}),
    })
    .where((eb) => eb.and({ company, master }))
    .execute();
  if (!begins) return;
  await addNotification(trx, company, {
    id: `stock-held-${master}-${now.getTime()}`,
    event: 'blocked',
    title: `Angehalten: Bestände von „${state.name}“`,
    text: `${held} Bis zu Ihrer Freigabe wird kein Bestand gesendet.`,
    path: `/bestand?katalog=${master}`,
  });
}
