import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openServer, type Database } from '#platform/db/database.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { ensureBuild } from '../scripts/bundle/build.ts';
import { launchBrowser } from '../test/stages/chromium.ts';
import { strayedLines } from '../test/stages/orders/person-watch.ts';
import { clusterFaults } from './cluster/checks.ts';
import { Disturbances } from './cluster/disturbances.ts';
import { Probe } from './cluster/probe.ts';
import { clusterReport } from './cluster/report.ts';
import { type ClusterServers, type ClusterSpace, makeSpace, startClusterServers } from './cluster/servers.ts';
import { Cluster } from './cluster/stage.ts';
import { throughput, throughputTable } from './cluster/throughput.ts';
import { root } from './kontor-process.ts';
import { type Firm, makeCompanies, makeFirms } from './long-run/firms.ts';
import { Journal } from './long-run/journal.ts';
import { Load, mild } from './long-run/load.ts';
import { Notes } from './long-run/notes.ts';
import { openActions, orderFaults, repeatWishes, twiceFaults } from './long-run/orders.ts';

// `npm run bench:cluster [-- --minutes=10 --kill-every=20 --webs=2 --workers=3 --firms=20 --pace=1 --store-away=60 --settle=45
// --throughput|--no-throughput]`: many processes on a real PostgreSQL behind pgbouncer, a real S3 server and the proxy that we
// ship. A process is killed at regular intervals, the database once, and the store is unavailable for a while. Exits with 1 if
// something was lost, sent twice or took too long. Then measures how fast 1, 2 and 4 workers are (`--throughput`: only that). See
// docs/cluster.md.
const option = (name: string, usual: number) =>
  Number(process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? usual);
const minutes = option('minutes', 10);
const killEvery = option('kill-every', 20);
const settleMinutes = option('settle', 45);
const away = option('store-away', 60);
const firmCount = option('firms', 20);
const size = { webs: option('webs', 2), workers: option('workers', 3) };
/** Minutes into the run when the database is restarted and when the store becomes unavailable. */
const [databaseAt, storeAt] = [minutes * 0.35, minutes * 0.6];

await ensureBuild(root);
const folder = mkdtempSync(join(tmpdir(), 'kontor-cluster-'));
const servers = await startClusterServers(folder);
let begun = performance.now();
const minute = () => (performance.now() - begun) / 60_000;
const say = (line: string) => console.log(`${minute().toFixed(1).padStart(5)} min  ${line}`);
let well = true;
try {
  if (!process.argv.includes('--throughput')) well = await prove(servers, await makeSpace(servers, 'haufen'));
  if (!process.argv.includes('--no-throughput'))
    console.log(`\n${throughputTable(await throughput(servers, folder, firmCount, say))}`);
} finally {
  await servers.stop();
  if (well) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  else console.log(`Was die Prozesse schrieben, liegt in ${folder}.`);
}
process.exit(well ? 0 : 1);

/** The run itself; returns whether all is well. */
async function prove(on: ClusterServers, space: ClusterSpace): Promise<boolean> {
  const cluster = await Cluster.start(folder, space, size);
  const database = openServer(space.databaseUrl, () => {});
  const browser = await launchBrowser();
  const journal = new Journal();
  const notes = new Notes();
  const disturbances = new Disturbances(cluster, on, database);
  let firms: Firm[] = [];
  let probes: Probe[] = [];
  try {
    firms = await makeFirms(cluster, await makeCompanies(cluster, firmCount));
    begun = performance.now();
    say(`${firms.length} Firmen stehen, ${size.webs} + ${size.workers} Prozesse, Last ${loadavg()[0]?.toFixed(1)}.`);
    const load = new Load(cluster, firms, journal);
    probes = probesOf(cluster, firms);
    for (const probe of probes) probe.start();
    load.start(browser, mild, option('pace', 1));
    await live({ cluster, load, journal, notes, disturbances, firms });
    await load.stop();
    for (const probe of probes) await probe.stop();
    const faults = [...load.faults];
    faults.push(...(await end({ cluster, database, space, firms, journal, disturbances })));
    return clusterReport({ cluster, disturbances, probes, load, journal, firms, notes, minutes: minute() }, [
      ...faults,
      ...journal.faults,
      ...twiceFaults(firms),
    ]);
  } finally {
    await browser.close();
    for (const { sales } of firms) await sales?.sandbox.close();
    for (const { name, output } of cluster.processes) writeFileSync(join(folder, `${name}.log`), output);
    writeFileSync(join(folder, 'proxy.log'), cluster.proxyLog);
    await database.close();
    await cluster.stop();
    await space.stop();
  }
}

type Stood = {
  cluster: Cluster;
  load: Load;
  journal: Journal;
  notes: Notes;
  disturbances: Disturbances;
  firms: readonly Firm[];
};

/** The main phase: a kill at regular intervals, once the database, once the store, a note every minute. */
async function live({ cluster, load, journal, notes, disturbances, firms }: Stood): Promise<void> {
  let [nextNote, nextKill] = [1, killEvery / 60];
  const planned = [
    { at: databaseAt, what: 'Datenbank neu gestartet', run: () => disturbances.restartDatabase() },
    { at: storeAt, what: `Dateispeicher ${away} s fort`, run: () => disturbances.storeAway(away) },
  ];
  const running: Promise<void>[] = [];
  while (minute() < minutes) {
    await wait(250);
    const due = planned[0];
    if (due !== undefined && minute() >= due.at) {
      planned.shift();
      say(due.what);
      running.push(due.run());
    }
    if (minute() >= nextKill) {
      nextKill += killEvery / 60;
      say(`getötet: ${disturbances.killOne() ?? 'niemand, keiner lebt'}`);
    }
    if (minute() < nextNote) continue;
    nextNote = Math.floor(minute()) + 1;
    const broken = cluster.watch();
    try {
      const figures = [
        await notes.connections(cluster, minute(), load.work),
        await (await notes.tables(cluster, minute(), load.work))(),
      ];
      say([...figures, `${load.work} Vorgänge, ${journal.open} Läufe offen`].join('; '));
      await load.quiet(() => journal.checkSaves(firms));
      await journal.checkRuns();
    } catch (error) {
      // What fails during a disturbance is checked again a minute later, and at the end.
      if (!broken()) throw error;
    }
  }
  await Promise.all(running);
}

function probesOf(cluster: Cluster, firms: readonly Firm[]): Probe[] {
  const [first] = firms;
  const asks: [string, (signal: AbortSignal) => Promise<Response>][] = [
    ['Seite', (signal) => fetch(`${cluster.url}/`, { signal, headers: { accept: 'text/html' } })],
    ['API', (signal) => first?.client.raw(pathOf(api.masters), { signal }) ?? Promise.reject(new Error('no company'))],
    ['Feed', (signal) => fetch(`${cluster.url}${first?.pullPath}`, { signal })],
  ];
  return asks.map(([name, ask]) => new Probe(name, ask, minute));
}

type Ended = {
  cluster: Cluster;
  database: Database;
  space: ClusterSpace;
  firms: readonly Firm[];
  journal: Journal;
  disturbances: Disturbances;
};

/** Waits until all runs have ended, then checks the result. */
async function end({ cluster, database, space, firms, journal, disturbances }: Ended): Promise<string[]> {
  const found: string[] = [];
  for (const { sales } of firms) sales?.sandbox.setFaults({});
  await cluster.untilWhole();
  await disturbances.settle(90);
  for (const until = performance.now() + 120_000; journal.open > 0 && performance.now() < until; await wait(1000))
    await journal.checkRuns();
  if (journal.open > 0) found.push(`${journal.open} Läufe sind nach zwei Minuten Ruhe nicht zu Ende`);
  await journal.checkSaves(firms);
  say('Ruhe: bis alle Aktionen zu Ende sind');
  let open = '';
  for (const until = performance.now() + settleMinutes * 60_000; ; await wait(15_000)) {
    await repeatWishes(firms);
    open = await openActions(database, firms);
    if (open === '' || performance.now() > until) break;
  }
  say(open === '' ? 'alles zu Ende' : `noch unterwegs: ${open}`);
  if (open !== '') found.push(`Aktionen sind nach ${settleMinutes} Minuten Ruhe unterwegs: ${open}`);
  const output = cluster.processes.map((one) => one.output).join('\n');
  found.push(...strayedLines(output));
  const kills = [...disturbances.kills.values()].reduce((sum, one) => sum + one, 0);
  found.push(...(await orderFaults(database, firms, { kills, output: '' }, say)));
  const looker = join(folder, 'looker');
  found.push(
    ...(await clusterFaults(firms, { database, store: servers.gateway, bucket: space.bucket, folder: looker }, say)),
  );
  return found;
}
