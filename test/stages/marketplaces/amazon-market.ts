import { Egress } from '#platform/egress/egress.ts';
import { amazonConnector } from '#marketplaces/amazon/connector.ts';
import { amazon } from '#marketplaces/amazon/kind.ts';
import { goods, SELLER, type Fault, type OpenMarket, type OrderStage } from '#marketplaces/contract/market.ts';
import type { Faults } from '#marketplaces/sandbox/faults.ts';
import { shippedPieces } from '#marketplaces/sandbox/order-book/order.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '#marketplaces/sandbox/sandbox.ts';
import type { Exchange } from './model-check.ts';
import { seeded } from '../../../seed/random.ts';

const place = { marketplace: 'A1PA6795UKMFR9', sellerId: SELLER, currency: 'EUR' };
const credentials = { clientId: 'amzn1.test', clientSecret: 'Client-Geheimnis-4711', refreshToken: 'Atzr|test-4711' };
const mailbox = { keyId: 'AKIATEST', secret: 'geheimer Schlüssel 4711' };
const [wrongToken, wrongSecret] = ['Atzr|test-0815', 'geheimer Schlüssel 0815'];
const LIVE_AFTER_SECONDS = 5;

const faults: Readonly<Record<Fault, Partial<Faults>>> = {
  cutBefore: { cutBefore: 1 },
  cutAfter: { cutAfter: 1 },
  page: { html: 1 },
  outOfOrder: { error500: 1 },
  overloaded: { error503: 1 },
  throttle: { throttle: 1 },
};

/** Starts the sandbox and Amazon's connector to it; `sandbox` is for what only this marketplace can do. */
export async function startAmazonMarket(more: Partial<SandboxOptions> = {}, start = new Date('2026-03-01T10:00:00Z')) {
  let at = start.getTime();
  const clock = { now: () => new Date(at) };
  const sandbox = await startSandbox({
    place,
    credentials,
    items: goods.map(({ productId: asin, ...one }) => ({ ...one, asin })),
    clock,
    chance: seeded(7),
    liveAfterMs: [LIVE_AFTER_SECONDS * 1000, LIVE_AFTER_SECONDS * 1000],
    mailbox,
    ...more,
  });
  const exchanged: Exchange[] = [];
  let change = (text: string) => text;
  const deps = {
    egress: recording(new Egress({ allowLoopback: false, own: new Set([sandbox.url]) }), exchanged, (text) =>
      change(text),
    ),
    clock,
  };
  const queue = { url: sandbox.mailboxUrl, ...mailbox };
  const account = { ...place, ...credentials, apiUrl: sandbox.url, tokenUrl: sandbox.tokenUrl, queue };
  const pass = (seconds: number) => void (at += seconds * 1000);
  return {
    sandbox,
    exchanged,
    marketplace: place.marketplace,
    currency: place.currency,
    connector: amazonConnector(deps, account),
    wrong: amazonConnector(deps, {
      ...account,
      refreshToken: wrongToken,
      queue: { ...queue, secret: wrongSecret },
    }),
    readMessage: amazon.readMessage,
    secrets: [credentials.clientSecret, credentials.refreshToken, mailbox.secret, wrongToken, wrongSecret],
    clock,
    pass,
    /** Changes the text of all later answers. */
    changeAnswers: (other: (text: string) => string) => void (change = other),
    settle: async () => {
      pass(LIVE_AFTER_SECONDS + 1);
      await sandbox.advance(0);
    },
    move: () => sandbox.advance(30),
    setFault: (fault: Fault | undefined) => sandbox.setFaults(fault === undefined ? {} : faults[fault]),
    received: () => sandbox.counters.accepted,
    orders: orderStage(sandbox, pass),
    close: () => sandbox.close(),
  };
}

/** Records the requests and answers on the wire. */
function recording(egress: Egress, exchanged: Exchange[], change: (text: string) => string): Pick<Egress, 'exchange'> {
  return {
    exchange: async (url, request) => {
      const answer = await egress.exchange(url, request);
      const { method, body } = request;
      exchanged.push({ method, url, body, status: answer.status, text: answer.text });
      return { ...answer, text: change(answer.text) };
    },
  };
}

function orderStage(sandbox: Sandbox, pass: (seconds: number) => void): OrderStage {
  const { book, counters } = sandbox;
  const found = (id: string) => {
    const order = book.orders.get(id);
    if (order === undefined) throw new Error(`no order ${id}`);
    return order;
  };
  return {
    buy: (lines, { pending = false, byMarketplace = false } = {}) => {
      const order = book.buy({ lines, byAmazon: byMarketplace, pendingMinutes: pending ? 30 : 0 });
      if (order === undefined) throw new Error('sold out');
      return { order: order.id, lines: order.lines.map(({ id }) => id) };
    },
    pay: () => pass(31 * 60),
    work: async () => {
      pass(10 * 60);
      await sandbox.advance(0);
    },
    duringAction: async (fault, act) => {
      sandbox.setFaults({ [fault]: 1 }, ['createFeed', 'confirmShipment']);
      await act();
      sandbox.setFaults({});
    },
    truth: (id) => {
      const order = found(id);
      return order.lines.map((line) => ({ shipped: shippedPieces(order, line.id), cancelled: line.cancelled }));
    },
    doubles: () => counters.shippedTwice + counters.cancelledTwice + counters.refundedTwice,
    persons: (id) => {
      const { name, street, city, email, phone } = found(id).person;
      return [name, street, city, email, phone];
    },
    personsSent: () => counters.personsSent,
  };
}

export const openAmazonMarket: OpenMarket = (start) => startAmazonMarket({ movesPerSecond: 2 }, start);
