import type { Clock } from '#platform/clock.ts';
import type { Egress } from '#platform/egress/egress.ts';
import type {
  ActionAnswer,
  Evidence,
  OrderAction,
  OrderPort,
  OrderSupport,
  ObservedStock,
  StockAnswer,
} from '#marketplaces/orders-port.ts';
import { MarketplaceError } from '#marketplaces/port.ts';
import type { AmazonClient } from '#marketplaces/amazon/client.ts';
import type { AmazonAccount } from '#marketplaces/amazon/settings.ts';
import { feedEvidence, submitFeed } from './feed-actions.ts';
import { CANCEL_REASONS, feedTypeOf, REFUND_REASONS, RETURN_REASONS } from './feed-messages.ts';
import { feedRate, type FeedDeps } from './feeds.ts';
import { changedOrders, findOrder, getRate, searchRate } from './search.ts';
import { CARRIERS, ship, shipmentEvidence, shipRate } from './ship.ts';
import { readStock, setStock, stockRate } from './stock.ts';
import { STOCK_FEED_ABOVE, STOCK_FEED_MOST, stockFeedEnd, stockFeedRate, submitStock } from './stock-feed.ts';

type Deps = { egress: Pick<Egress, 'exchange'>; clock: Clock };
type Rate = { perSecond: number; burst: number };

/** Returns the port to the orders and stock of one account at Amazon. */
export function amazonOrders(deps: Deps, client: AmazonClient, account: AmazonAccount): OrderPort {
  const feedDeps: FeedDeps = { ...deps, client, account, reports: new Map(), lists: new Map() };
  return {
    get support() {
      return support(client);
    },
    changes: (since, cursor, signal) =>
      changedOrders(client, account, { since, cursor, now: deps.clock.now(), signal }),
    order: (order, signal) => findOrder(client, account, order, signal),
    act: (action, signal) => act(feedDeps, action, signal),
    readBack: (action, sent, signal) => readBack(feedDeps, action, sent, signal),
    bundle: {
      keyOf: feedKeyOf,
      act: (actions, signal) => {
        const some = actions.flatMap((one) => (one.kind === 'ship' ? [] : [one]));
        if (some.length < actions.length || new Set(some.map(feedTypeOf)).size > 1)
          throw new Error('a bundle must contain only actions of the same key');
        return submitFeed(feedDeps, some, signal);
      },
    },
    setStock: async (updates, signal) => {
      const answers: StockAnswer[] = [];
      try {
        for (const update of updates) answers.push(await setStock(client, account, update, signal));
      } catch (error) {
        // An exception would apply to all updates, but some may have been set already.
        if (answers.length === 0) throw error;
        throw new MarketplaceError('unknown', 'Nur ein Teil der Bestände wurde beantwortet.', { cause: error });
      }
      return answers;
    },
    readStock: async (skus, signal) => {
      const shown: ObservedStock[] = [];
      for (const sku of skus) shown.push(await readStock(client, account, sku, signal));
      return shown;
    },
    stockFeed: {
      above: STOCK_FEED_ABOVE,
      most: STOCK_FEED_MOST,
      rate: stockFeedRate,
      submit: (updates, signal) => submitStock(feedDeps, updates, signal),
      read: (updates, sent, signal) => stockFeedEnd(feedDeps, updates, sent, signal),
    },
  };
}

const feedKeyOf = (action: OrderAction) => (action.kind === 'ship' ? undefined : feedTypeOf(action));

async function act(deps: FeedDeps, action: OrderAction, signal: AbortSignal | undefined): Promise<ActionAnswer> {
  if (action.kind === 'ship') return ship(deps.client, deps.account, action, signal);
  const [answer] = await submitFeed(deps, [action], signal);
  return answer ?? { state: 'refused', reference: '', issues: [] };
}

async function readBack(
  deps: FeedDeps,
  action: OrderAction,
  sent: { at: Date; reference: string },
  signal: AbortSignal | undefined,
): Promise<Evidence> {
  const { client, account, clock } = deps;
  // Refunds are not shown in an order, so it is not requested.
  const isShown = action.kind === 'ship' || action.kind === 'cancel';
  const order = isShown ? await findOrder(client, account, action.order, signal) : undefined;
  if (action.kind === 'ship') return shipmentEvidence(order, action, { at: sent.at, now: clock.now() });
  return feedEvidence(deps, action, { sent, order }, signal);
}

/** What Amazon supports; a rate that it granted takes precedence over its usual one. */
function support(client: AmazonClient): OrderSupport {
  const granted = (operation: string, usual: Rate): Rate => {
    const perSecond = client.limit(operation);
    if (perSecond === undefined) return usual;
    return { perSecond, burst: Math.max(1, Math.round((usual.burst * perSecond) / usual.perSecond)) };
  };
  const feed = { asynchronous: true, rate: granted('createFeed', feedRate) } as const;
  return {
    actions: {
      // Sending the same number again changes the parcel, so a retry cannot create a second one.
      ship: { reasons: [], readBack: 'full', repeat: 'safe', asynchronous: false },
      cancel: { ...feed, reasons: CANCEL_REASONS, readBack: 'full', repeat: 'after_reading' },
      // Money that was refunded twice does not come back.
      return: { ...feed, reasons: RETURN_REASONS, readBack: 'state', repeat: 'never' },
      refund: { ...feed, reasons: REFUND_REASONS, readBack: 'state', repeat: 'never' },
    },
    cancelScope: 'quantity',
    partialShip: true,
    returnTracking: 'ignored',
    carriers: CARRIERS,
    otherCarriers: true,
    rates: {
      changes: granted('searchOrders', searchRate),
      order: granted('getOrder', getRate),
      act: granted('confirmShipment', shipRate),
      stock: granted('updatePrices', stockRate),
    },
    stockBatch: 1,
  };
}
