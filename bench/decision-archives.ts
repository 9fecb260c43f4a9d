import { pg } from '#platform/db/pg.ts';
import { insertRows } from '#platform/db/insert-rows.ts';
import { Vault } from '#platform/crypto/vault.ts';
import { decide } from '#repricer/decide/decide.ts';
import { archiveDecisions } from '#repricer/archive/archive-decisions.ts';
import { decisionHistory } from '#repricer/archive/decision-history.ts';
import { readRule } from '#repricer/model/read-rule.ts';
import { extendHashChain, verifyHashChain } from '#repricer/record/audit-hash-chain.ts';
import { bodyOf } from '#repricer/record/decision-codec.ts';
import { makeWorld, offersOf, rule } from './cases/repricer-world.ts';

// `npm run bench:archives [-- --decisions=200000 --items=2000]`: the size of decisions in the database (PostgreSQL if its
// programs are installed) and in their archive files, and how long archiving takes. Between two decisions of an item one of its
// 20 offers moves by some cents.
const option = (name: string, usual: number) =>
  Number(process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? usual);
const decisions = option('decisions', 200_000);
const items = option('items', 2000);
const PIECE = 1000;
const DAY_MS = 24 * 60 * 60_000;
const MARKETPLACE = 'A1PA6795UKMFR9';

const world = await makeWorld();
const { database, place } = world;
const { company, masterid } = place;
const now = Date.now();
const never = new AbortController().signal;
const deps = { ...world, vault: new Vault('bench') };
const read = readRule(rule);
const fields = { min: '10,00', max: '1.299,00', std: '24.50' };
const offers = Array.from({ length: items }, (_, n) => offersOf(n).map((offer) => ({ ...offer })));
const prices = Array.from({ length: items }, () => 1500);
let state = 1;
/** Returns the same random numbers in every run. */
const random = (below: number): number => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((state / 2_147_483_648) * below);
};

function decisionOf(n: number) {
  const item = n % items;
  const own = offers[item] ?? [];
  const moved = own[random(own.length)];
  if (moved !== undefined) moved.listing_price_cents = Math.max(900, moved.listing_price_cents + random(41) - 20);
  const shipping = { seller_ids: ['A0'], condition: 'new', fulfilment: 'merchant' as const, shipping_cents: 0 };
  const decision = decide(
    read,
    { currency: 'EUR', fields, own: { ...shipping, current_price_cents: prices[item] ?? 0 } },
    own,
  );
  const { arithmetic } = decision;
  prices[item] = decision.price_cents ?? 1500;
  const at = new Date(now - 10 * DAY_MS + n * 1000).toISOString();
  return {
    company,
    master: masterid,
    marketplace: MARKETPLACE,
    item: `Artikel-${item}`,
    product_id: `B0${String(item).padStart(8, '0')}`,
    decided_at: at,
    cause: `offers:${String(random(2 ** 31))}-${String(random(2 ** 31))}-${String(random(2 ** 31))}`,
    rule: rule.id,
    rule_revision: 3,
    snapshot: 7,
    limits_version: '7:2:1:3',
    offers_at: at,
    min_cents: arithmetic.min_cents,
    max_cents: arithmetic.max_cents,
    standard_cents: arithmetic.standard_cents,
    current_cents: arithmetic.current_cents,
    price_cents: decision.price_cents,
    stock: 5,
    reason: decision.reason,
    target_seller: decision.target_seller_id,
    body: bodyOf(rule.name, arithmetic),
    verdict: 'submit' as const,
    program: '0123456789abcdef',
  };
}

const size = async () =>
  Number(
    (await pg<{ n: number }>`select pg_total_relation_size('price_decisions') as n`.execute(database.kysely)).rows[0]
      ?.n,
  );
/** Measures wall-clock milliseconds, and this process's processor time. */
async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; cpu: number; value: T }> {
  const [begin, cpu] = [performance.now(), process.cpuUsage()];
  const value = await work();
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - begin, cpu: (user + system) / 1000, value };
}
const line = (title: string, value: string) => console.log(`${title.padEnd(62)}${value.padStart(24)}`);
const per100k = ({ ms, cpu }: { ms: number; cpu: number }) =>
  `${Math.round((ms / decisions) * 1e5)} ms (CPU ${Math.round((cpu / decisions) * 1e5)} ms)`;

for (let n = 0; n < decisions; n += PIECE) {
  const rows = Array.from({ length: Math.min(PIECE, decisions - n) }, (_, at) => decisionOf(n + at));
  await database.company(company, (trx) => insertRows(trx, 'price_decisions', rows).execute());
}
await pg`vacuum analyze price_decisions`.execute(database.kysely);
const before = await size();
line('eine Entscheidung in der Datenbank, mit Indizes', `${Math.round(before / decisions)} Byte`);
await timed(async () => {
  while ((await extendHashChain(deps)) > 0);
});
const look = () => verifyHashChain(deps, company, never);
line('Kette prüfen, je 100.000 in der Datenbank', per100k(await timed(look)));
const page = (n: number) => decisionHistory(deps, place, `Artikel-${n}`, { limit: 20, before: undefined }, never);
const pageMs = async () => {
  const all: number[] = [];
  for (let n = 0; n < 25; n++) all.push((await timed(() => page(n))).ms);
  return `${(all.toSorted((one, other) => one - other)[12] ?? Number.NaN).toFixed(1)} ms`;
};
line('20 Entscheidungen eines Artikels aus der Datenbank (Median)', await pageMs());

const later = { now: () => new Date(now + 130 * DAY_MS) };
const rest = process.memoryUsage.rss();
let peak = rest;
let waited = 0;
const probe = () => timed(() => database.ping()).then(({ ms }) => (waited = Math.max(waited, ms)));
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
  void probe();
}, 50);
const archiving = await timed(() =>
  archiveDecisions({ ...deps, clock: later, keptDays: { decisions: 90 } }, company, never),
);
clearInterval(watch);
const files = await database.company(company, (trx) =>
  trx.selectFrom('decision_archives').select(['bytes', 'decisions']).where('company', '=', company).execute(),
);
const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
if (archiving.value !== decisions) throw new Error(`${archiving.value} of ${decisions} were archived`);
line(`archivieren, je 100.000 (${files.length} Dateien)`, per100k(archiving));
line('Speicher des Prozesses dabei: vorher, höchstens', `${Math.round(rest / 1e6)}, ${Math.round(peak / 1e6)} MB`);
line('so lange wartete eine andere Frage höchstens', `${Math.round(waited)} ms`);
line('eine Entscheidung in der Archivdatei', `${(bytes / decisions).toFixed(1)} Byte`);
await pg`vacuum full price_decisions`.execute(database.kysely);
const left = await database.company(company, (trx) =>
  trx
    .selectFrom('price_decisions')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow(),
);
line('Zeilen, die in der Datenbank bleiben', String(left.n));
line('Tabelle danach', `${(((await size()) / before) * 100).toFixed(1)} %`);
line('20 Entscheidungen eines Artikels aus einer Datei (Median)', await pageMs());
await look();
line('Kette prüfen, je 100.000 im Archiv', per100k(await timed(look)));
await world.close();
