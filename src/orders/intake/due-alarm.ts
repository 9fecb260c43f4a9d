import { addNotification } from '#notifications/notifications.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { anyOf } from '#platform/db/pg.ts';
import { integerText } from '#shared/values/integer-text.ts';
import { ALARM_AHEAD_MS } from '#orders/model/new-alarm.ts';
import { orderPath } from '#shared/orders/order-path.ts';

const time = new Intl.DateTimeFormat('de-DE', { dateStyle: 'short', timeStyle: 'short', timeZone: 'Europe/Berlin' });

/**
 * Notifies people of unshipped orders that are due within hours, once per due date (see needsNewAlarm): late orders endanger the
 * seller account.
 */
export async function alarmDue({ database, clock }: { database: Database; clock: Clock }): Promise<void> {
  const now = clock.now();
  const due = await database.system((trx) =>
    trx
      .selectFrom('orders')
      .select(['company', 'channel', 'channel_name', 'order_id', 'ship_by', 'open_pieces'])
      .where('open_pieces', '>', 0)
      .where((eb) => eb.and({ pending: false, fulfilled_by: 'merchant', confirmable: true }))
      .where('ship_by', '<', new Date(now.getTime() + ALARM_AHEAD_MS))
      .where('alarmed_at', 'is', null)
      .orderBy('ship_by')
      .limit(1000)
      .execute(),
  );
  for (const [company, orders] of Map.groupBy(due, (order) => order.company)) {
    await database.company(company, async (trx) => {
      const [first] = orders;
      if (first?.ship_by == null) return;
      for (const [channel, ofChannel] of Map.groupBy(orders, (order) => order.channel))
        await trx
          .updateTable('orders')
          .set({ alarmed_at: now })
          .where((eb) => eb.and({ company, channel }))
          .where('order_id', '=', anyOf(ofChannel.map(({ order_id }) => order_id)))
          .execute();
      const one = orders.length === 1;
      await addNotification(trx, company, {
        id: `orders-due-${first.channel}-${first.order_id}-${first.ship_by.getTime()}`,
        event: 'order',
        title: one
          ? `Bestellung ${first.order_id} muss versendet werden`
          : `${integerText(orders.length)} Bestellungen müssen versendet werden`,
        text: one
          ? `${first.channel_name}: zugesagt bis ${time.format(first.ship_by)}. Verspätete Versandmeldungen gefährden Ihr Verkäuferkonto.`
          : `Die erste ist bis ${time.format(first.ship_by)} zugesagt. Verspätete Versandmeldungen gefährden Ihr Verkäuferkonto.`,
        path: one ? orderPath(first.channel, first.order_id) : '/bestellungen?filter=faellig',
      });
    });
  }
}
