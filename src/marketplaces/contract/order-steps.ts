import type {
  ActionAnswer,
  CancelAction,
  ChannelOrder,
  Evidence,
  OrderAction,
  OrderPort,
  ShipAction,
} from '#marketplaces/orders-port.ts';
import type { Fault, Market, OrderStage } from './market.ts';

/** A market whose connector has orders. */
export type Stage = Market & { port: OrderPort; stage: OrderStage };
/** Declares a test with such a market. */
export type OrderTest = (title: string, run: (market: Stage) => Promise<void>) => void;

const at = ({ clock }: Market, order: string) => ({
  order,
  idemKey: `${order}-${Math.random()}`,
  orderedAt: clock.now(),
});

/** Returns the action that ships these pieces as one parcel. */
export function parcel(
  market: Market,
  order: string,
  lines: readonly (readonly [line: string, quantity: number])[],
  n = 1,
): ShipAction {
  return {
    ...at(market, order),
    kind: 'ship',
    reference: String(n),
    shippedAt: market.clock.now(),
    carrier: 'DHL',
    tracking: `0034043383644263659${n}`,
    returnTracking: '',
    lines: lines.map(([line, quantity]) => ({ line, quantity })),
  };
}

/** Returns the action that cancels some pieces of a line. */
export function cancellation(
  market: Stage,
  order: string,
  line: string,
  quantity: number,
  ordered = quantity,
): CancelAction {
  const reason = market.port.support.actions.cancel?.reasons[0] ?? '';
  return {
    ...at(market, order),
    kind: 'cancel',
    line,
    quantity,
    ordered,
    reason,
    cents: 1500 * quantity,
    currency: market.currency,
  };
}

/** Returns an order that must exist. */
export const read = async ({ port }: Stage, order: string): Promise<ChannelOrder> => {
  const found = await port.order(order);
  if (found === undefined) throw new Error(`${order} is unknown`);
  return found;
};
/** Returns ordered, shipped and cancelled pieces of each line. */
export const counts = ({ lines }: ChannelOrder) =>
  lines.map(({ ordered, shipped, cancelled }) => [ordered, shipped, cancelled]);

/** Sends an action and waits for its outcome, even if the marketplace processes it later. */
export async function done(market: Stage, action: OrderAction): Promise<ActionAnswer | Evidence> {
  const sentAt = market.clock.now();
  const answer = await market.port.act(action);
  if (answer.state !== 'submitted') return answer;
  await market.stage.work();
  return market.port.readBack(action, { at: sentAt, reference: answer.reference });
}

/** Faults, the kind of error that a write then throws, and whether the write was carried out. */
export const faults: readonly (readonly [Fault, kind: string, done: boolean])[] = [
  ['cutAfter', 'unknown', true],
  ['page', 'unknown', true],
  ['cutBefore', 'unknown', false],
  ['outOfOrder', 'unknown', false],
  ['overloaded', 'unknown', false],
  ['throttle', 'retryable', false],
];
