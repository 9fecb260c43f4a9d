import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { ensureBuild } from '../scripts/bundle/build.ts';
import { createDatabase, postgresPrograms, startPostgres } from '../test/servers/postgres.ts';
import { clientOf } from '../test/stages/client.ts';
import { csvOf, prepare } from './cases/prepare.ts';
import { admin, benchToken, root } from './kontor-process.ts';
import { costsOf, type ProcessCost, sumOf } from './process-cost.ts';
import { commitName, type Figure, keepResults, lastFigures, machineName } from './results.ts';

// `npm run bench:idle [-- --million] [--only=embedded,server,demo] [--starts=3] [--no-run]`: the cost of the idle program:
// memory, processor and database queries at rest, how soon a second start shows its first page, and how much memory is released
// after a large import and export. Exits with 1 if a goal is missed. Memory and processor seconds are right even on a busy
// machine; times are not.
const option = (name: string) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const items = process.argv.includes('--million') ? 1_000_000 : 100_000;
const starts = Number(option('starts') ?? 3);
const only = option('only')?.split(',');
const REST_SECONDS = 60;
/** After this time without a change the background loops rest longest (`src/platform/db/activity.ts`). */
const SETTLED_SECONDS = 120;
/** Rest: the share of a core used for some seconds is below this; the demo's orders of 90 days are written after its start. */
const QUIET = { share: 0.05, seconds: 10, atMost: 300 };

type Program = { child: ChildProcess; url: string; pageMs: number };
type Setting = {
  name: string;
  title: string;
  memoryMb: number;
  processor: number;
  environment: Record<string, string>;
};

const own = { KONTOR_ADMIN_EMAIL: admin.email, KONTOR_ADMIN_PASSWORD: admin.password, KONTOR_API_TOKEN: benchToken };
const kept = join(root, 'bench', 'results');
const machine = machineName();
const last = lastFigures(kept, machine, items);
const figures: Figure[] = [];

await ensureBuild(root);
const programs = postgresPrograms();
const postgres = programs === undefined ? undefined : await startPostgres(programs);
const settings: Setting[] = [
  { name: 'embedded', title: 'eingebettet', memoryMb: 350, processor: 0.01, environment: own },
  ...(postgres === undefined
    ? []
    : [
        {
          name: 'server',
          title: 'PostgreSQL',
          memoryMb: 250,
          processor: 0.01,
          environment: { ...own, DATABASE_URL: await createDatabase(postgres.url, 'ruhe') },
        },
      ]),
  { name: 'demo', title: 'Demo, eingebettet', memoryMb: 350, processor: 0.02, environment: {} },
];
for (const setting of settings) if (!only || only.includes(setting.name)) await measure(setting);
await postgres?.stop();
const missed = figures.filter(({ ratio, goal }) => ratio > goal);
const results = { machine, commit: commitName(root), at: new Date().toISOString(), items, runs: starts, figures };
console.log(
  `\n${figures.length - missed.length} von ${figures.length} Zielen erreicht. Ergebnisse: ${keepResults(kept, results)}`,
);
process.exit(missed.length > 0 ? 1 : 0);

/** Measures one way of running the program, in a folder of its own. */
async function measure(setting: Setting): Promise<void> {
  const { name, title, environment } = setting;
  const folder = mkdtempSync(join(tmpdir(), 'kontor-idle-'));
  console.log(`\n${title}`);
  try {
    const first = await start(folder, environment);
    note('Erster Start bis zur ersten Seite', `${(first.pageMs / 1000).toFixed(1)} s`);
    await quiet(first);
    note('Spitze beim ersten Start', `${Math.max(...costs(first).map(({ peakMb }) => peakMb)).toFixed(0)} MB`);
    await end(first);
    const pages: number[] = [];
    for (let run = 1; run < starts; run++) {
      const again = await start(folder, environment);
      pages.push(again.pageMs);
      await end(again);
    }
    const program = await start(folder, environment);
    pages.push(program.pageMs);
    report(
      `${name}-start`,
      'Zweiter Start bis zur ersten Seite',
      pages.map((ms) => ms / 1000),
      { goal: 3, unit: 's' },
    );
    await rest(program, setting);
    if (name !== 'demo' && !process.argv.includes('--no-run')) await runAndRest(program, folder, setting);
    await end(program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Measures memory, processor and transactions during an idle minute. */
async function rest(program: Program, { name, memoryMb, processor, environment }: Setting): Promise<void> {
  await quiet(program);
  await wait(SETTLED_SECONDS * 1000);
  const [cpu, asked] = [sumOf(costs(program), 'cpu'), await transactions(environment['DATABASE_URL'])];
  await wait(REST_SECONDS * 1000);
  const now = costs(program);
  const shares = [((sumOf(now, 'cpu') - cpu) / REST_SECONDS) * 100];
  report(`${name}-processor`, 'Prozessor in Ruhe', shares, { goal: processor * 100, unit: '% eines Kerns' });
  const askedNow = await transactions(environment['DATABASE_URL']);
  if (asked !== undefined && askedNow !== undefined)
    note('Transaktionen in Ruhe', `${((askedNow - asked) / REST_SECONDS).toFixed(1)} je Sekunde`);
  report(`${name}-memory`, 'Speicher in Ruhe', [sumOf(now, 'rssMb')], { goal: memoryMb, unit: 'MB' });
  for (const one of now) note(`  ${one.command}`, inMemory(one));
}

/** Runs a large import and its export, then waits an idle minute: measures how much of their memory remains. */
async function runAndRest(program: Program, folder: string, { name, memoryMb }: Setting): Promise<void> {
  await prepare(folder, items);
  const { ask, raw, ended } = clientOf(() => program.url, benchToken);
  const { masterid } = await ask(api.createMaster, {}, { name: 'Messung' });
  const form = new FormData();
  form.set('file', await openAsBlob(csvOf(folder)), 'katalog.csv');
  const answer = await raw(pathOf(api.import, { masterid }), { method: 'POST', body: form });
  if (!answer.ok) throw new Error(`import -> ${answer.status}: ${await answer.text()}`);
  const { runid } = api.import.response.parse(await answer.json());
  const imported = await ended(runid, 1800);
  const { id } = await ask(api.createExport, { masterid }, { name: 'Messung', format: 'csv' });
  const exported = await ended((await ask(api.runExport, { id })).runid, 1800);
  for (const run of [imported, exported])
    if (run.state !== 'done') throw new Error(`${run.kind} -> ${run.state}: ${run.message ?? ''}`);
  note('Speicher gleich nach Import und Export', `${sumOf(costs(program), 'rssMb').toFixed(0)} MB`);
  await wait(REST_SECONDS * 1000);
  const after = costs(program);
  report(`${name}-after-run`, 'Speicher 60 s nach Import und Export', [sumOf(after, 'rssMb')], {
    goal: memoryMb,
    unit: 'MB',
  });
  for (const one of after) note(`  ${one.command}`, inMemory(one));
}

/** Starts the program like `npm start`, and requests its first page until it is complete. */
async function start(folder: string, environment: Record<string, string>): Promise<Program> {
  const begin = performance.now();
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: '0',
      KONTOR_LOG: 'error',
      KONTOR_DATA: folder,
      ...environment,
    },
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
      const found = /Kontor läuft: (\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`Kontor did not start: ${output}`)));
  });
  const page = await fetch(url);
  const html = await page.text();
  if (!page.ok || !html.includes('<html')) throw new Error(`first page -> ${page.status}`);
  return { child, url, pageMs: performance.now() - begin };
}

async function end({ child }: Program): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/** Waits until the program has finished the work of its start. */
async function quiet(program: Program): Promise<void> {
  for (let waited = 0; waited < QUIET.atMost; waited += QUIET.seconds) {
    const before = sumOf(costs(program), 'cpu');
    await wait(QUIET.seconds * 1000);
    if ((sumOf(costs(program), 'cpu') - before) / QUIET.seconds < QUIET.share) return;
  }
  note('Ruhe', `nach ${QUIET.atMost} s noch nicht eingekehrt`);
}

function costs({ child }: Program): ProcessCost[] {
  return costsOf(child.pid ?? 0);
}

/** Returns the number of transactions that the server has ended in this database. Its count lags by at most a second. */
async function transactions(url: string | undefined): Promise<number | undefined> {
  if (url === undefined) return undefined;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(
    'select (xact_commit + xact_rollback)::float8 as count from pg_stat_database where datname = current_database()',
  );
  await client.end();
  return rows[0]?.count;
}

/** Stores a figure as its share of the goal; prints the median, the extremes and the last result. */
function report(name: string, title: string, values: number[], { goal, unit }: { goal: number; unit: string }): void {
  const sorted = values.toSorted((one, other) => one - other);
  const [least = 0, middle = 0, most = 0] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  const digits = goal >= 100 ? 0 : 2;
  const rssMb = unit === 'MB' ? middle : 0;
  const ms = unit === 's' ? middle * 1000 : 0;
  const cpu = unit.startsWith('%') ? middle / 100 : 0;
  figures.push({ name, goal: 1, ratio: middle / goal, min: least / goal, max: most / goal, cpu, ms, rssMb });
  const spread = values.length > 1 ? ` (${least.toFixed(digits)} … ${most.toFixed(digits)})` : '';
  const before = last.get(name);
  const then = before === undefined ? '' : `  zuletzt ${(before.ratio * goal).toFixed(digits)}`;
  note(title, `${middle.toFixed(digits)} ${unit}${spread}   <= ${goal}  ${middle <= goal ? 'ok' : 'ÜBER ZIEL'}${then}`);
}

function inMemory({ rssMb, pssMb, peakMb }: ProcessCost): string {
  return `${rssMb.toFixed(0)} MB (anteilig ${pssMb.toFixed(0)}, Spitze ${peakMb.toFixed(0)})`;
}

function note(title: string, text: string): void {
  console.log(`${title.padEnd(42)}${text}`);
}
