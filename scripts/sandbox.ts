import { randomBytes } from 'node:crypto';
import { systemClock } from '#platform/clock.ts';
import { startSandbox } from '#marketplaces/sandbox/sandbox.ts';
import { catalogueCents } from '../seed/catalogue.ts';
import { seeded } from '../seed/random.ts';

// `npm run sandbox [-- --port=4010 --items=1000 --seed=1 --moves=2 --orders=0.05 --notify=<address of takeOffers>
// --token=<API-Zugang>]`: the marketplace alone, for trying out an account by hand or with another program. Its articles are
// those of the demo's catalogue.
const option = (name: string) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const notify = option('notify');
const secret = () => randomBytes(12).toString('hex');
const credentials = { clientId: 'amzn1.sandbox', clientSecret: secret(), refreshToken: `Atzr|${secret()}` };
const place = { marketplace: 'A1PA6795UKMFR9', sellerId: 'A3SANDBOX', currency: 'EUR' };

const sandbox = await startSandbox({
  place,
  credentials,
  clock: systemClock,
  chance: seeded(Number(option('seed') ?? 1)),
  port: Number(option('port') ?? 4010),
  movesPerSecond: Number(option('moves') ?? 2),
  ordersPerHour: Number(option('orders') ?? 0),
  everyMs: 1000,
  // Some behaviour of buyers; /sandbox/faults changes it.
  faults: { pending: 0.2, cancelled: 0.03, asksToCancel: 0.05, givenBack: 0.05, byAmazon: 0.1 },
  items: catalogueCents(Number(option('items') ?? 1000)).map(({ sku, cents, cost, list }, n) => ({
    sku,
    asin: `B0DEMO${String(n).padStart(4, '0')}`,
    cents,
    minCents: cost,
    maxCents: list ?? cents,
  })),
  ...(notify === undefined ? {} : { deliver: (messages: unknown[]) => post(notify, messages) }),
});
console.log(`
Sandbox läuft:        ${sandbox.url}
Adresse Anmeldung:    ${sandbox.tokenUrl}
Verkäufer-ID:         ${place.sellerId}
Client-ID:            ${credentials.clientId}
Client-Geheimnis:     ${credentials.clientSecret}
Refresh-Token:        ${credentials.refreshToken}
Zustand:              ${sandbox.url}/sandbox/state
`);

async function post(address: string, messages: unknown[]): Promise<void> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${option('token') ?? ''}` },
    body: JSON.stringify(messages),
  });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
}
