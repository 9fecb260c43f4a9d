import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startSandbox } from '#marketplaces/sandbox/sandbox.ts';
import { api } from '#shared/http/api.ts';
import { seeded } from '../seed/random.ts';
import { clientOf } from '../test/stages/client.ts';
import { fastClock } from '../test/stages/fast-clock.ts';
import { offerMessage } from '../test/stages/repricer/offer-message.ts';
import { credentials, place, sell, soldItems } from '../test/stages/repricer/price-chaos.ts';
import { createDatabase, postgresPrograms, startPostgres } from '../test/servers/postgres.ts';
import { kill, startProgram } from '../test/stages/program.ts';

// `npm run bench:prices [-- --rate=500 --seconds=20]`: from the message of a changed offer to the price at the marketplace,
// through the whole program: POST, decision, gate, outbox, patch. Every message is about another article, so each leads to a
// price. Uses PostgreSQL if its programs are installed (unless KONTOR_BENCH_EMBEDDED=1), otherwise the embedded database.
const option = (name: string, usual: number) =>
  Number(process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? usual);
const rate = option('rate', 500);
const seconds = option('seconds', 20);
const items = Math.round(rate * seconds);
const GOAL_MS = 2000;
const chunks = 10;

const programs = process.env['KONTOR_BENCH_EMBEDDED'] === '1' ? undefined : postgresPrograms();
const postgres = programs === undefined ? undefined : await startPostgres(programs);
const folder = mkdtempSync(join(tmpdir(), 'kontor-latency-'));
const clock = `${Date.now()}:1:20`;
const program = await startProgram(folder, {
  KONTOR_EGRESS_LOOPBACK: '1',
  NODE_ENV: 'test',
  KONTOR_TEST_CLOCK: clock,
  ...(postgres === undefined ? {} : { DATABASE_URL: await createDatabase(postgres.url, 'messung') }),
});
const pending = new Map<string, number>();
const took: number[] = [];
const sandbox = await startSandbox({
  place,
  credentials,
  clock: fastClock(clock),
  chance: seeded(3),
  items: soldItems(items),
  rateFactor: 1000,
  onPrice: (sku) => {
    const begun = pending.get(sku);
    if (begun !== undefined) took.push(performance.now() - begun);
    pending.delete(sku);
  },
});
// There are no competitors before the messages; otherwise polling unknown offers would change prices earlier.
for (const article of sandbox.world.articles.values()) article.rivals = [];
const client = clientOf(() => program.url);
const { masterid } = await client.ask(api.createMaster, {}, { name: 'Messung' });
const rows = Array.from({ length: items }, (_, n) => `A-${n};10,00;20,00;15,00`);
await client.ended(await client.upload(masterid, ['sku;von;bis;normal', ...rows].join('\n')), 300);
await sell(client, sandbox, masterid, items);
// A new catalogue makes every item due once and polls all offers; neither is measured.
for (let before = -1, quiet = 0; quiet < 10; await wait(500)) {
  const calls = Object.values(sandbox.counters.calls).reduce((sum, n) => sum + n, 0);
  quiet = calls === before ? quiet + 1 : 0;
  before = calls;
}

const started = performance.now();
const messages: Promise<unknown>[] = [];
for (let chunk = 0; chunk < seconds * chunks; chunk++) {
  const size = items / (seconds * chunks);
  const first = Math.round(chunk * size);
  const some = Array.from({ length: Math.round((chunk + 1) * size) - first }, (_, n) => first + n);
  const at = fastClock(clock).now();
  for (const n of some) pending.set(`S${n}`, performance.now());
  const body = some.map((n) => marketMessage(n, at));
  messages.push(client.ask(api.takeOffers, { masterid }, body));
  await wait(Math.max(0, started + ((chunk + 1) * 1000) / chunks - performance.now()));
}
await Promise.all(messages);
const until = performance.now() + 60_000;
while (pending.size > 0 && performance.now() < until) await wait(100);
const sorted = took.toSorted((one, other) => one - other);
const at = (share: number) =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
console.log(
  `${rate}/s über ${seconds} s (${postgres === undefined ? 'eingebettete Datenbank' : 'PostgreSQL'}): p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, längste ${at(1)} ms; Preise ${sorted.length} von ${items}, ` +
    `gesendet ${Math.round(sorted.length / ((performance.now() - started) / 1000))}/s; Ziel p95 <= ${GOAL_MS} ms: ${at(0.95) <= GOAL_MS && sorted.length === items ? 'ok' : 'ÜBER ZIEL'}`,
);
console.log(JSON.stringify(sandbox.counters));
await kill(program);
await sandbox.close();
await postgres?.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(0);

/** Returns a message that a competitor offers article n at 14 euros. */
function marketMessage(n: number, at: Date): unknown {
  const message = offerMessage(n, { K1: 14 }, { at, id: `messung-${n}` });
  message.Payload.AnyOfferChangedNotification.OfferChangeTrigger.MarketplaceId = place.marketplace;
  return message;
}
