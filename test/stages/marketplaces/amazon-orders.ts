import { expect } from 'vitest';
import { startAmazonMarket } from './amazon-market.ts';
import type {
  CancelAction,
  OrderAction,
  OrderPort,
  RefundAction,
  ReturnAction,
  ShipAction,
} from '#marketplaces/orders-port.ts';
import type { SandboxOptions } from '#marketplaces/sandbox/sandbox.ts';
import type { Purchase } from '#marketplaces/sandbox/order-book/book.ts';

/** Starts Amazon's sandbox and returns it with its order port, and functions that buy there and make actions of the seller. */
export async function startAmazonOrders(more: Partial<SandboxOptions> = {}) {
  const opened = await startAmazonMarket(more);
  const { connector, sandbox, clock } = opened;
  const port: OrderPort | undefined = connector.orders;
  if (port === undefined) throw new Error('no orders');
  const buy = (lines: Purchase['lines'], rest: Partial<Purchase> = {}) => {
    const order = sandbox.book.buy({ lines, pendingMinutes: 0, ...rest });
    if (order === undefined) throw new Error('sold out');
    const [line] = order.lines;
    if (line === undefined) throw new Error('empty');
    return {
      order,
      line,
      on: { order: order.id, line: line.id, orderedAt: clock.now(), cents: 1500, currency: 'EUR' },
    };
  };
  type On = ReturnType<typeof buy>['on'];
  let key = 0;
  const ship = ({ order, line, orderedAt }: On, quantity: number, more: Partial<ShipAction> = {}): ShipAction => ({
    order,
    orderedAt,
    kind: 'ship',
    idemKey: `k${key++}`,
    reference: '1',
    shippedAt: clock.now(),
    carrier: 'DHL',
    tracking: 'N1',
    returnTracking: '',
    lines: [{ line, quantity }],
    ...more,
  });
  const cancel = (on: On, quantity: number, ordered: number): CancelAction => ({
    ...on,
    kind: 'cancel',
    idemKey: `k${key++}`,
    quantity,
    ordered,
    reason: 'BuyerCanceled',
  });
  const giveBack = (on: On, quantity: number): ReturnAction => ({
    ...on,
    kind: 'return',
    idemKey: `k${key++}`,
    quantity,
    reason: 'no Reason',
  });
  const refund = (on: On, cents: number): RefundAction => ({
    ...on,
    kind: 'refund',
    idemKey: `k${key++}`,
    cents,
    reason: 'GeneralAdjustment',
  });
  /** Submits a feed and waits until it has been processed. */
  const finish = async (action: OrderAction, seconds = 600) => {
    const at = clock.now();
    const answer = await port.act(action);
    expect(answer).toMatchObject({ state: 'submitted', reference: expect.stringMatching(/./) });
    opened.pass(seconds);
    return port.readBack(action, { at, reference: answer.reference });
  };
  return { ...opened, port, buy, ship, cancel, giveBack, refund, finish };
}
