import { Egress } from '#platform/egress/egress.ts';
import { goods, SELLER, type OpenMarket } from '#marketplaces/contract/market.ts';
import type { Connector } from '#marketplaces/port.ts';
import { tinyMarket } from './connector.ts';
import { serveTinyMarket, TinyMarket } from './market.ts';

const LIVE_AFTER_SECONDS = 5;
const [key, otherKey] = ['Klein-Schluessel-4711', 'Klein-Schluessel-0815'];

/** Opens a tiny market for the contract's tests, with the account that its form would create. */
export const openTinyMarket: OpenMarket = async (start = new Date('2026-03-01T10:00:00Z')) => {
  let at = start.getTime();
  const clock = { now: () => new Date(at) };
  const articles = goods.map(({ productId, ...one }) => ({ ...one, article: productId }));
  const market = new TinyMarket({ key, seller: SELLER, clock, articles, liveAfterMs: LIVE_AFTER_SECONDS * 1000 });
  const { url, close } = await serveTinyMarket(market);
  const deps = { egress: new Egress({ allowLoopback: false, own: new Set([url]) }), clock };
  const [{ id: marketplace, currency } = { id: '', currency: '' }] = tinyMarket.marketplaces;
  const account = { company: 'firma', marketplace, sellerId: SELLER, currency, settings: { address: url } };
  const connect = (secret: string): Connector => {
    const connector = tinyMarket.connect(deps, { ...account, secrets: { key: secret } });
    if (connector === undefined) throw new Error('no connector');
    return connector;
  };
  return {
    marketplace,
    currency,
    connector: connect(key),
    wrong: connect(otherKey),
    readMessage: tinyMarket.readMessage,
    secrets: [key, otherKey],
    clock,
    pass: (seconds) => void (at += seconds * 1000),
    settle: async () => {
      at += LIVE_AFTER_SECONDS * 1000;
      market.settle();
    },
    move: async () => market.move(goods.slice(1, 7).map(({ sku }) => sku)),
    setFault: (fault) => void (market.fault = fault),
    received: () => market.taken,
    orders: {
      buy: (lines, more = {}) => {
        const order = market.orders.buy(lines, more);
        return { order: order.number, lines: order.lines.map(({ id }) => id) };
      },
      pay: (order) => {
        at += 61_000;
        market.orders.pay(order);
      },
      work: async () => undefined,
      duringAction: async (fault, act) => {
        [market.fault, market.faultAt] = [fault, '/orders/cancel'];
        await act();
        [market.fault, market.faultAt] = [undefined, undefined];
      },
      truth: (order) => market.orders.orders.get(order)?.lines ?? [],
      doubles: () => market.orders.doubles,
      persons: (order) => Object.values(market.orders.orders.get(order)?.person ?? {}),
      personsSent: () => market.personsSent,
    },
    close,
  };
};
