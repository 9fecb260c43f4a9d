import { z } from 'zod';
import { pg } from '#platform/db/pg.ts';
import { defineFigures } from '#platform/telemetry/database-figures.ts';

const ByState = z.object({ state: z.string(), count: z.number(), oldest: z.date().nullable() }).array();
const ByKind = z.object({ kind: z.string(), count: z.number() }).array();

/** Gauges of prices being sent to marketplaces and of what holds prices. */
export const priceFigures = defineFigures({
  gauges: {
    kontor_price_outbox: { help: 'Prices not yet confirmed by the marketplace, by state.', labels: ['state'] },
    kontor_price_outbox_oldest_seconds: {
      help: 'How long ago the oldest of them was queued, without paused accounts.',
      labels: ['state'],
    },
    kontor_price_breakers_open: { help: 'Open breakers that hold the prices of a catalogue.', labels: ['kind'] },
    kontor_price_alarms_open: { help: 'Articles whose prices are held by a sales alarm.', labels: [] },
    kontor_price_stops: { help: 'Emergency stops of prices: by companies, and by the operator for all.', labels: [] },
  },
  read: async (trx, now) => {
    // Prices of a paused account are left out of the age: it neither sends nor reads back until its merchant resumes it.
    const { rows: sent } =
      await pg`select s.state, count(*)::int as count, min(s.created_at) filter (where a.active) as oldest
      from price_submissions s left join marketplace_accounts a on a.company = s.company and a.id = s.account
      where s.state in ('new', 'sending', 'accepted', 'unknown') group by s.state`.execute(trx);
    const { rows: breakers } = await pg`select kind, count(*)::int as count from price_breakers
      where released_at is null group by kind`.execute(trx);
    const { rows: others } =
      await pg`select 'alarms' as kind, count(*)::int as count from item_alarms where released_at is null
      union all select 'stops', count(*)::int from price_stops`.execute(trx);
    const states = ByState.parse(sent);
    const counts = new Map(ByKind.parse(others).map(({ kind, count }) => [kind, count]));
    return {
      kontor_price_outbox: states.map(({ state, count }) => ({ labels: { state }, value: count })),
      kontor_price_outbox_oldest_seconds: states.flatMap(({ state, oldest }) =>
        oldest === null ? [] : { labels: { state }, value: Math.max(0, (now.getTime() - oldest.getTime()) / 1000) },
      ),
      kontor_price_breakers_open: ByKind.parse(breakers).map(({ kind, count }) => ({ labels: { kind }, value: count })),
      kontor_price_alarms_open: [{ labels: {}, value: counts.get('alarms') ?? 0 }],
      kontor_price_stops: [{ labels: {}, value: counts.get('stops') ?? 0 }],
    };
  },
});
