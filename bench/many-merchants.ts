import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createCompany } from '#auth/auth.ts';
import { systemClock } from '#platform/clock.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import type { Run } from '#shared/runs/schema.ts';
import { createDatabase, postgresPrograms, startPostgres } from '../test/servers/postgres.ts';
import { giveToken } from '../test/stages/company-token.ts';
import { type Client, clientOf } from '../test/stages/client.ts';
import { openTestDatabase } from '../test/stages/kontor.ts';
import { startKontor } from './kontor-process.ts';
import { costsOf, sumOf } from './process-cost.ts';
import { merchantCsv, setUpMerchant } from './data/small-merchant.ts';

// `npm run bench:merchants [-- --companies=100 --items=2000 --seconds=60 --per-hour=1 --postgres]`: many small merchants on one
// machine, each with a catalogue and three exports. First the cost of the smallest run; then all merchants upload and build at
// once: runs per second, response time of a merchant who only reads, memory; then at the pace of 1,000 merchants who do it
// `per-hour` times each hour.
const option = (name: string, usual: number) =>
  Number(process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? usual);
const companies = option('companies', 100);
const items = option('items', 2000);
const seconds = option('seconds', 60);
const perHour = option('per-hour', 1);
const EXPORTS = 3;
const [RUN_MS, SERVED] = [300, 1000];

type Merchant = { client: Client; masterid: string; exports: string[] };

const folder = mkdtempSync(join(tmpdir(), 'kontor-merchants-'));
mkdirSync(join(folder, 'data'));
const programs = process.argv.includes('--postgres') ? postgresPrograms() : undefined;
const server = programs ? await startPostgres(programs) : undefined;
const databaseUrl = server && (await createDatabase(server.url, 'haendler'));
const secrets = await madeCompanies();
const { url, child } = await startKontor(join(folder, 'data'), databaseUrl ? { DATABASE_URL: databaseUrl } : {});
try {
  console.log(`${companies} Händler x ${items} Artikel x ${EXPORTS} Exporte, ${server ? 'PostgreSQL' : 'eingebettet'}`);
  const [first, ...others] = await eachOf(secrets, setUp);
  if (!first) throw new Error('there is no company');
  await smallestRun(first);
  report('Artikelseite in Ruhe', await pages(first, wait(10_000)));
  await allAtOnce(first, others);
  await atPace(first, others);
  const costs = costsOf(child.pid ?? 0);
  console.log(
    `Speicher ${sumOf(costs, 'rssMb').toFixed(0)} MB, Spitze ${Math.max(...costs.map((one) => one.peakMb)).toFixed(0)} MB`,
  );
} finally {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Creates the companies with a token each, before the program starts. */
async function madeCompanies(): Promise<string[]> {
  const database = await openTestDatabase(join(folder, 'data'), databaseUrl);
  const made: string[] = [];
  for (let index = 0; index < companies; index++) {
    const company = await createCompany(database, randomIds, systemClock, `Händler ${index}`);
    const secret = randomIds.secret();
    await giveToken(database, company, secret);
    made.push(secret);
  }
  await database.close();
  return made;
}

async function setUp(secret: string, index: number): Promise<Merchant> {
  const client = clientOf(() => url, secret);
  return { client, ...(await setUpMerchant(client, { index, items, exports: EXPORTS })) };
}

/** Measures upload and export of one merchant on the idle program. */
async function smallestRun(merchant: Merchant): Promise<void> {
  const [uploads, exports]: [number[], number[]] = [[], []];
  for (let round = 0; round < 9; round++) {
    uploads.push(worked(await uploaded(merchant, round)));
    exports.push(worked(await exported(merchant, merchant.exports[round % EXPORTS] ?? '')));
  }
  const [upload, run] = [percentile(uploads, 0.5), percentile(exports, 0.5)];
  console.log(`Kleinster Import ${ms(upload)} (${range(uploads)})
Kleinster Export ${ms(run)} (${range(exports)}), Ziel ${RUN_MS} ms: ${run <= RUN_MS ? 'ok' : 'ÜBER ZIEL'}`);
  if (run > RUN_MS) process.exitCode = 1;
}

/** All merchants upload and build all files, as fast as the machine can. */
async function allAtOnce(reader: Merchant, others: readonly Merchant[]): Promise<void> {
  const begin = performance.now();
  const cpu = sumOf(costsOf(child.pid ?? 0), 'cpu');
  const runs: Run[] = [];
  const work = eachOf(
    others,
    async (merchant, index) => {
      runs.push(
        await uploaded(merchant, index),
        ...(await Promise.all(merchant.exports.map((id) => exported(merchant, id)))),
      );
    },
    16,
  );
  const times = await pages(reader, work);
  const took = (performance.now() - begin) / 1000;
  const used = sumOf(costsOf(child.pid ?? 0), 'cpu') - cpu;
  const served = Math.floor((3600 / perHour / took) * others.length);
  console.log(`Alle auf einmal: ${runs.length} Läufe in ${took.toFixed(1)} s, ${(runs.length / took).toFixed(1)} je Sekunde, Rechenzeit je Lauf ${ms((used / runs.length) * 1000)}
  in der Warteschlange ${range(runs.map(waited))}, an der Arbeit ${range(runs.map(worked))}
  Händler, die diese Maschine bei ${perHour} x je Stunde trägt: ${served} (Ziel ${SERVED}): ${served >= SERVED ? 'ok' : 'UNTER ZIEL'}`);
  report('  Artikelseite dabei', times);
  if (served < SERVED) process.exitCode = 1;
}

/** The same work at the pace of `SERVED` merchants, one after the other. */
async function atPace(reader: Merchant, others: readonly Merchant[]): Promise<void> {
  const every = (3600 / perHour / SERVED) * 1000;
  const cpu = sumOf(costsOf(child.pid ?? 0), 'cpu');
  const turns = Math.floor((seconds * 1000) / every);
  const runs: Run[] = [];
  const work = async () => {
    const pending: Promise<void>[] = [];
    const begin = performance.now();
    for (let turn = 0; turn < turns; turn++) {
      const merchant = others[turn % others.length];
      if (!merchant) break;
      pending.push(
        (async () => {
          runs.push(await uploaded(merchant, turn + 1));
          for (const id of merchant.exports) runs.push(await exported(merchant, id));
        })(),
      );
      await wait(Math.max(0, begin + (turn + 1) * every - performance.now()));
    }
    await Promise.all(pending);
  };
  const begin = performance.now();
  const times = await pages(reader, work());
  const took = (performance.now() - begin) / 1000;
  const used = sumOf(costsOf(child.pid ?? 0), 'cpu') - cpu;
  console.log(`Im Takt von ${SERVED} Händlern: ${turns} Händler in ${took.toFixed(0)} s, ${((used / took) * 100).toFixed(0)} % eines Kerns
  in der Warteschlange ${range(runs.map(waited))}, an der Arbeit ${range(runs.map(worked))}`);
  report('  Artikelseite dabei', times);
}

async function uploaded({ client, masterid }: Merchant, round: number): Promise<Run> {
  return done(await client.ended(await client.upload(masterid, merchantCsv(items, round)), 600));
}

async function exported({ client }: Merchant, id: string): Promise<Run> {
  return done(await client.ended((await client.ask(api.runExport, { id })).runid, 600));
}

function done(run: Run): Run {
  if (run.state !== 'done') throw new Error(`${run.kind} -> ${run.state}: ${run.message ?? ''}`);
  return run;
}

/** Returns milliseconds of a grid page, requested four times a second until the work is done. */
async function pages({ client, masterid }: Merchant, work: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const state = { working: true };
  const end = work.finally(() => (state.working = false));
  for (let turn = 0; state.working; turn++) {
    const begin = performance.now();
    const answer = await client.raw(`/api/items/data?masterid=${masterid}&limit=100&offset=${(turn * 100) % items}`);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`items -> ${answer.status}`);
    times.push(performance.now() - begin);
    await Promise.race([wait(250), end]);
  }
  await end;
  return times;
}

/** Runs the work on all entries, a few at a time, in order. */
async function eachOf<T, R>(list: readonly T[], work: (one: T, index: number) => Promise<R>, atOnce = 4): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < list.length; index = next++) {
      const one = list[index];
      if (one !== undefined) results[index] = await work(one, index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}

function worked({ startedAt, finishedAt }: Run): number {
  return at(finishedAt) - at(startedAt);
}
function waited({ createdAt, startedAt }: Run): number {
  return at(startedAt) - at(createdAt);
}
function percentile(list: readonly number[], share: number): number {
  return list.toSorted((a, b) => a - b)[Math.ceil((list.length - 1) * share)] ?? Number.NaN;
}
function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}
function range(list: readonly number[]): string {
  return `p50 ${percentile(list, 0.5).toFixed(0)}, p95 ${percentile(list, 0.95).toFixed(0)}, höchstens ${ms(percentile(list, 1))}`;
}
function report(title: string, times: readonly number[]): void {
  console.log(`${title}: ${range(times)} (${times.length})`);
}
function at(text: string | null): number {
  return text === null ? Number.NaN : Date.parse(text);
}
