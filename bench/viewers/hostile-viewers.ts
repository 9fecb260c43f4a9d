import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { MOST_PARTS } from '#feed/rule-editing/rule-budget.ts';
import { api } from '#shared/http/api.ts';
import { pathOf, type Call } from '#shared/http/call.ts';

// The viewers of bench/viewers.ts, in a process of their own, so that their load does not slow down the measuring process.
export const hostileKinds = [
  'counts',
  'effect',
  'check',
  'statistic',
  'impact',
  'too-large',
  'grid',
  'rows',
  'open',
  'diagnosis',
  'explain',
  'values',
  'csv',
  'orders',
  'list',
] as const;
export type HostileKind = (typeof hostileKinds)[number];
/** The company of the viewers: its owner's token, its catalogue, an item, an export, and a seller of its own. */
const HostilePlace = z.object({
  token: z.string(),
  masterid: z.string(),
  itemid: z.string(),
  id: z.string(),
  seller: z.string(),
});
export type HostilePlace = z.infer<typeof HostilePlace>;
const Hostile = z.object({
  url: z.string(),
  place: HostilePlace,
  tokens: z.array(z.string()),
  kinds: z.array(z.enum(hostileKinds)),
});
export type Hostile = z.infer<typeof Hostile>;
type Sent = { path: string; body?: string };

/** As many rules as one query may have, and one more. */
const rules = (count: number, conditions: number, field: string) =>
  Array.from({ length: count }, (_, n) => ({
    id: `Rule${String(n).padStart(6, '0')}`,
    name: `Regel ${n}`,
    active: true,
    querys: Array.from({ length: conditions }, (_, k) => ({
      id: `q${k}`,
      field,
      select: 'not_contains',
      value: `wort ${n} ${k} ${'x'.repeat(60)}`,
    })),
    actions: [{ id: 'a', field: 'Titel', select: 'append', value: [{ type: '_string', value: `${n}` }] }],
  }));
const rows = Array.from({ length: 50_000 }, (_, n) => ({
  id: `r${n}`,
  field: [{ type: '_field', value: 'Titel' }],
  filter: 'contains',
  value: `wort ${n}`,
  target: `t${n}`,
  catname: 'x',
}));

export function requests({ masterid, itemid, id, seller }: HostilePlace): Record<HostileKind, Sent> {
  const ruled = (call: Call, list: object[]): Sent => ({
    path: pathOf(call, { masterid }),
    body: JSON.stringify({ rules: list, data: 'Rule000099', offset: 0, limit: 1000 }),
  });
  const most = rules(100, MOST_PARTS / 100 - 1, 'Beschreibung');
  return {
    counts: ruled(api.ruleCounts, most),
    effect: ruled(api.ruleEffect, most),
    check: ruled(api.ruleFindings, most),
    statistic: ruled(api.ruleStatistics, most),
    impact: ruled(api.ruleImpact, most),
    'too-large': ruled(api.ruleCounts, rules(500, 45, '@ALL@')),
    grid: { path: `/api/items/data?masterid=${masterid}&limit=5000&sort=f0005&search=e` },
    rows: { path: pathOf(api.countRows, { id }), body: JSON.stringify({ table: 'mapping', rows }) },
    open: { path: pathOf(api.openItems, { id }), body: JSON.stringify({ table: 'mapping', rows, field: 'Titel' }) },
    diagnosis: { path: pathOf(api.diagnoseNow, { id }), body: JSON.stringify({}) },
    explain: { path: pathOf(api.explain, { masterid, itemid }) },
    values: { path: pathOf(api.missingRows, { id }), body: JSON.stringify({ field: 'Beschreibung', limit: 100_000 }) },
    csv: { path: `/api/items/csv?masterid=${masterid}&sort=f0005` },
    orders: { path: '/api/orders?filter=alle&search=e' },
    list: { path: pathOf(api.repricedArticles, { sellerid: seller }) },
  };
}

if (process.send !== undefined) process.once('message', (message) => void besiege(Hostile.parse(message)));

/** Each viewer makes every kind of request, the next as soon as the last one was answered or refused. Ends with a message. */
async function besiege(hostile: Hostile): Promise<void> {
  const all = requests(hostile.place);
  const answers: Record<string, number> = {};
  const state = { over: false };
  process.once('message', () => {
    state.over = true;
    process.send?.(answers);
  });
  process.send?.('begun');
  const ask = async (kind: HostileKind, token: string) => {
    const { path, body } = all[kind];
    const answer = await fetch(hostile.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    }).catch(() => undefined);
    await answer?.arrayBuffer().catch(() => {});
    const name = `${kind} ${answer?.status ?? 'gone'}`;
    answers[name] = (answers[name] ?? 0) + 1;
  };
  await Promise.all(
    hostile.tokens.map(async (token, viewer) => {
      for (let turn = viewer; !state.over; turn++) {
        const kind = hostile.kinds[turn % hostile.kinds.length];
        if (kind !== undefined) await ask(kind, token);
        await wait(10);
      }
    }),
  );
}
