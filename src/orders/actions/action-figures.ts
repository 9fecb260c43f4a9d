import { z } from 'zod';
import { pg } from '#platform/db/pg.ts';
import { defineFigures } from '#platform/telemetry/database-figures.ts';

const ByState = z.object({ state: z.string(), count: z.number(), oldest: z.date() }).array();

/** What marketplaces are still to hear of orders. */
export const actionFigures = defineFigures({
  gauges: {
    kontor_order_actions: { help: 'Order actions that have not come to their end, by state.', labels: ['state'] },
    kontor_order_actions_oldest_seconds: { help: 'Since when the oldest of them waits.', labels: ['state'] },
  },
  read: async (trx, now) => {
    const { rows } = await pg`select state, count(*)::int as count, min(created_at) as oldest from order_actions
      where state in ('new', 'sending', 'submitted', 'unknown', 'unclear') group by state`.execute(trx);
    const states = ByState.parse(rows);
    return {
      kontor_order_actions: states.map(({ state, count }) => ({ labels: { state }, value: count })),
      kontor_order_actions_oldest_seconds: states.map(({ state, oldest }) => ({
        labels: { state },
        value: Math.max(0, (now.getTime() - oldest.getTime()) / 1000),
      })),
    };
  },
});
