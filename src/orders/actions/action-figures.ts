import { z } from 'zod';
import { pg } from '#platform/db/pg.ts';
import { defineFigures } from '#platform/telemetry/database-figures.ts';

const ByState = z.object({ state: z.string(), count: z.number(), oldest: z.date().nullable() }).array();

/** Gauges of the order actions that have not reached a final state. */
export const actionFigures = defineFigures({
  gauges: {
    kontor_order_actions: { help: 'Order actions not yet confirmed by the marketplace, by state.', labels: ['state'] },
    kontor_order_actions_oldest_seconds: {
      help: 'How long the oldest of them has been waiting, without paused accounts.',
      labels: ['state'],
    },
  },
  read: async (trx, now) => {
    // A paused account sends and reads back nothing because its merchant wants it so: its actions do not count towards the age.
    const { rows } =
      await pg`select o.state, count(*)::int as count, min(o.created_at) filter (where a.active) as oldest
      from order_actions o left join marketplace_accounts a on a.company = o.company and a.id = o.channel
      where o.state in ('new', 'sending', 'submitted', 'unknown', 'unclear') group by o.state`.execute(trx);
    const states = ByState.parse(rows);
    return {
      kontor_order_actions: states.map(({ state, count }) => ({ labels: { state }, value: count })),
      kontor_order_actions_oldest_seconds: states.flatMap(({ state, oldest }) =>
        oldest === null ? [] : { labels: { state }, value: Math.max(0, (now.getTime() - oldest.getTime()) / 1000) },
      ),
    };
  },
});
