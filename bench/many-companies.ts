import { readdirSync } from 'node:fs';
import { openServer, type Trx } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrations.ts';
import { pg } from '#platform/db/pg.ts';
import { type Pool, poolNames } from '#platform/jobs/job-pools.ts';
import { nextJob } from '#platform/jobs/next-job.ts';
import { JobTaker } from '#platform/jobs/take-job.ts';
import { companiesPlanned, companiesUnplanned } from '#feed/runs/maintenance-job.ts';
import { nextLook, schedulesToAttend } from '#feed/schedule/store.ts';
import { seenJobs } from '#live/live.ts';
import { createDatabase, postgresPrograms, startPostgres } from '../test/servers/postgres.ts';
import { endRuns, fillCompanies, SCHEDULES } from './data/company-rows.ts';
import { allSchedules, liveJobs, maintenanceDue, openJobs, takeJobBefore } from './data/statements-before.ts';

// `npm run bench:companies [-- --companies=10000 --jobs=1000000 --queued=20000 --runs=15]`: the queries that the program makes
// every few seconds, on a PostgreSQL with rows of many companies, with the former statements and indexes (statements-before.ts)
// and with the present ones. Exits with 1 if one takes more than a tenth of its former time. Needs PostgreSQL's programs.
const option = (name: string, usual: number) =>
  Number(process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? usual);
const sizes = {
  companies: option('companies', 10_000),
  jobs: option('jobs', 1_000_000),
  queued: option('queued', 20_000),
};
const runs = option('runs', 15);
/** The last migration before the present indexes. */
const BEFORE = 48;
const GOAL = 0.1;
/** Returns the runs that end in this time: 24 imports and three times 24 exports per day and company. */
const endedIn = (seconds: number) => Math.ceil((sizes.companies * SCHEDULES * 24 * seconds) / 86_400);
/** A check of the schedules every five seconds reads the runs that ended since the last one, and some more (dispatch.ts). */
const LOOK_SECONDS = 35;
/** Number of companies with a user on a page. */
const LISTENING = 200;

const programs = postgresPrograms();
if (programs === undefined) throw new Error('PostgreSQL is needed (Debian: postgresql)');
const postgres = await startPostgres(programs);
const database = openServer(await createDatabase(postgres.url, 'messung'), () => {});
const migrations = new URL('../migrations', import.meta.url).pathname;
const numbers = readdirSync(migrations).map((name) => Number(name.slice(0, 4)));
await migrate(database, migrations, new Set(numbers.filter((number) => number <= BEFORE)));
const began = performance.now();
await fillCompanies(database, sizes);
const count = (value: number) => value.toLocaleString('de-DE');
console.log(
  `${count(sizes.companies)} Firmen, ${count(sizes.companies * SCHEDULES)} Zeitpläne, ${count(sizes.jobs)} Läufe, ${count(sizes.queued)} wartende; angelegt in ${Math.round((performance.now() - began) / 1000)} s\n`,
);

/** Returns the median of some runs in milliseconds; a first one warms up. */
async function median(work: (trx: Trx) => Promise<unknown>): Promise<number> {
  await database.system(work);
  const all: number[] = [];
  for (let run = 0; run < runs; run++) {
    const begin = performance.now();
    await database.system(work);
    all.push(performance.now() - begin);
  }
  return all.toSorted((one, other) => one - other)[Math.floor(runs / 2)] ?? Number.NaN;
}

const pools = new Map<string, Pool>([
  ['import', 'import'],
  ['export', 'export'],
]);
/** Returns milliseconds per job, of a hundred taken one after the other; afterwards they wait again. */
async function perJob(take: (trx: Trx) => Promise<unknown>, jobs: number): Promise<number> {
  const begin = performance.now();
  for (let n = 0; n < jobs; n++) await database.system(take);
  const took = performance.now() - begin;
  await database.system((trx) =>
    trx.updateTable('jobs').set({ state: 'queued', taken_at: null }).where('state', '=', 'running').execute(),
  );
  return took / jobs;
}

await endRuns(database, endedIn(LOOK_SECONDS), LOOK_SECONDS);
const before = {
  schedules: await median(allSchedules),
  maintenance: await median(maintenanceDue),
  live: await median(liveJobs),
  open: await median(openJobs),
  take: await perJob((trx) => takeJobBefore(trx, pools), 50),
};

await migrate(database, migrations);
await database.system((trx) =>
  trx
    .updateTable('schedules')
    .set((eb) => ({ look_at: eb.ref('next_at') }))
    .execute(),
);
await pg`vacuum analyze`.execute(database.kysely);
await endRuns(database, endedIn(LOOK_SECONDS), LOOK_SECONDS);
const companies = Array.from({ length: LISTENING }, (_, n) => `c${n + 1}`);
const taker = new JobTaker();
const after = {
  schedules: await median(async (trx) => {
    const found = await schedulesToAttend(trx, { now: new Date(), seconds: LOOK_SECONDS });
    await nextLook(trx, new Date());
    return found;
  }),
  maintenance: await median(async (trx) => [
    await companiesPlanned(trx, new Date()),
    await companiesUnplanned(trx, LOOK_SECONDS),
  ]),
  live: await median((trx) => seenJobs(trx, companies)),
  open: await median(nextJob),
  take: await perJob(
    (trx) => taker.take(trx, { worker: 'messung', leaseSeconds: 30, pools, free: new Set(poolNames) }),
    400,
  ),
};
const whole = await median((trx) => schedulesToAttend(trx, 'all'));

const titles: Record<keyof typeof before, string> = {
  schedules: 'Blick auf die Zeitpläne (alle 5 s je Arbeiter)',
  maintenance: 'fällige Wartung (alle 5 s je Arbeiter)',
  live: `Live-Status, ${LISTENING} Firmen hören zu (jede Sekunde je Web)`,
  open: 'was noch wartet (je Blick ohne Lauf)',
  take: 'einen Lauf nehmen',
};
console.log(`${'je Frage, Median'.padEnd(62)}${'vorher'.padStart(12)}${'jetzt'.padStart(12)}${'Anteil'.padStart(9)}`);
let missed = 0;
for (const name of Object.keys(titles) as (keyof typeof titles)[]) {
  const share = after[name] / before[name];
  if (share > GOAL) missed++;
  console.log(
    `${titles[name].padEnd(62)}${`${before[name].toFixed(1)} ms`.padStart(12)}${`${after[name].toFixed(2)} ms`.padStart(12)}${`${(share * 100).toFixed(1)} %`.padStart(9)}  ${share <= GOAL ? 'ok' : 'ÜBER ZIEL'}`,
  );
}
console.log(`\nBlick auf alle Zeitpläne (alle 10 Minuten je Arbeiter): ${whole.toFixed(0)} ms`);
await database.close();
await postgres.stop();
process.exit(missed > 0 ? 1 : 0);
