import { Egress } from '#platform/egress/egress.ts';
import { amazonConnector } from '#marketplaces/amazon/connector.ts';
import { amazon } from '#marketplaces/amazon/kind.ts';
import { goods, SELLER, type Fault, type OpenMarket } from '#marketplaces/contract/market.ts';
import type { Faults } from '#marketplaces/sandbox/faults.ts';
import { startSandbox, type SandboxOptions } from '#marketplaces/sandbox/sandbox.ts';
import { seeded } from '../../seed/random.ts';

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

/** The sandbox as the marketplace, and Amazon's connector; `sandbox` for what only this marketplace can do. */
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
  const deps = { egress: new Egress({ allowLoopback: false, own: new Set([sandbox.url]) }), clock };
  const queue = { url: sandbox.mailboxUrl, ...mailbox };
  const account = { ...place, ...credentials, apiUrl: sandbox.url, tokenUrl: sandbox.tokenUrl, queue };
  const pass = (seconds: number) => void (at += seconds * 1000);
  return {
    sandbox,
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
    settle: async () => {
      pass(LIVE_AFTER_SECONDS + 1);
      await sandbox.advance(0);
    },
    move: () => sandbox.advance(30),
    setFault: (fault: Fault | undefined) => sandbox.setFaults(fault === undefined ? {} : faults[fault]),
    received: () => sandbox.counters.accepted,
    close: () => sandbox.close(),
  };
}

export const openAmazonMarket: OpenMarket = (start) => startAmazonMarket({ movesPerSecond: 2 }, start);
