import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { partRanges } from '#feed/export/parts/run-in-parts.ts';
import { type Database, openServer } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import type { Run } from '#shared/runs/schema.ts';
import { ensureBuild } from '../scripts/bundle/build.ts';
import { clientOf } from '../test/stages/client.ts';
import { makeExport, saveRules, serveCatalogue } from './growth/catalogue.ts';
import {
  count,
  fileFaults,
  growthFigures,
  growthHead,
  growthLine,
  nameOf,
  number,
  type Spent,
  sum,
  type Way,
} from './growth/report.ts';
import { GrowthStage, type Workers } from './growth/stage.ts';
import { benchToken, root } from './kontor-process.ts';
import { commitName, comparison, keepResults, lastFigures, machineName } from './results.ts';

// `npm run bench:growth [-- --items=1000000,2000000 --workers=1,2 --part-items=250000 --rules=50 --ranks --rounds=1 --memory=2GB
// --store=folder|bucket]`: the real program as a web process and workers on PostgreSQL. A catalogue of each size is fetched once,
// then an export of it is built as a whole by one worker, and in parts by each number of workers. Exits with 1 if a run failed,
// or a file differs from that of the run as a whole. See docs/scale.md.
const option = (name: string) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const numbers = (name: string, usual: string) => (option(name) ?? usual).split(',').map(Number);
const sizes = numbers('items', '1000000,2000000');
const workerCounts = numbers('workers', '1,2');
const [rules = 50] = numbers('rules', '50');
const [rounds = 1] = numbers('rounds', '1');
const ranks = process.argv.includes('--ranks');
const memory = option('memory') ?? '2GB';
const place = option('store') === 'bucket' ? 'bucket' : 'folder';
/** A part has at most a million items; a smaller catalogue is split into quarters. */
const partItemsOf = (items: number) => Number(option('part-items') ?? Math.min(1_000_000, Math.ceil(items / 4)));
const MOST_HOURS = 3;
const LOOK_EVERY_MS = 250;

for (const items of sizes)
  if (!(partItemsOf(items) < items)) throw new Error(`${count(items)} Artikel sind nicht mehr als ein Teil`);
await ensureBuild(root);
const folder = mkdtempSync(join(tmpdir(), 'kontor-growth-'));
const faults: string[] = [];
// The bucket holds a snapshot, its uploads and one file per way at a time.
const diskGb = Math.ceil(10 + (sum(sizes) / 1e6) * (3 + 2 * rounds * (1 + workerCounts.length)));
const stage = await GrowthStage.start(folder, { place, memory, diskGb });
const client = clientOf(() => stage.url, benchToken);
const database = openServer(stage.databaseUrl, () => {});
try {
  for (const items of sizes)
    await measure(items).catch((error: unknown) => {
      faults.push(`${count(items)} Artikel: ${error instanceof Error ? error.message : String(error)}`);
    });
} finally {
  await database.close();
  await stage.stop();
}
for (const fault of faults) console.log(`FEHLER: ${fault}`);
if (faults.length === 0) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
else console.log(`Was die Prozesse schrieben, liegt in ${folder}.`);
process.exit(faults.length === 0 ? 0 : 1);

/** Measures one size: its import, then every way in every round. */
async function measure(items: number): Promise<void> {
  const partItems = partItemsOf(items);
  console.log(
    `\n${count(items)} Artikel x 60, ${rules} Regeln${ranks ? ' und zwei über alle Artikel' : ''}, Teile von ${count(partItems)}, Dateien im ${place === 'bucket' ? 'Bucket' : 'Ordner'}, KONTOR_MEMORY=${memory}`,
  );
  const { masterid, accepted } = await importOf(items);
  await saveRules(client, masterid, { rules, ranks });
  const ways: Way[] = [];
  let base: Way | undefined;
  console.log(growthHead);
  for (let round = 0; round < rounds; round++)
    for (const way of [
      { workers: 1, partItems: undefined },
      ...workerCounts.map((workers) => ({ workers, partItems })),
    ]) {
      const done = await exportOf(masterid, { ...way, items: accepted });
      if (base === undefined || done.parts === 0) base = done;
      console.log(growthLine(done, base));
      ways.push(done);
    }
  faults.push(...fileFaults(items, ways));
  report(items, growthFigures(`growth: ${place}, ${rules} rules${ranks ? ' and ranks' : ''}, ${memory}`, ways));
}

function report(items: number, figures: ReturnType<typeof growthFigures>): void {
  const [kept, machine] = [join(root, 'bench', 'results'), machineName()];
  const last = lastFigures(kept, machine, items);
  for (const figure of figures) {
    const before = comparison(figure, last.get(figure.name));
    // A single round has no spread: any other load on the machine would look like a change.
    if (rounds > 2 && before !== '') console.log(`  ${figure.name}: ${number(figure.ratio, 2)}, ${before}`);
  }
  keepResults(kept, { machine, commit: commitName(root), at: new Date().toISOString(), items, runs: rounds, figures });
}

/** Imports the catalogue from this machine, with one worker. */
async function importOf(items: number): Promise<{ masterid: string; accepted: number }> {
  const { masterid } = await client.ask(api.createMaster, {}, { name: `Katalog ${items}` });
  const source = await serveCatalogue(items);
  const workers = await stage.workers(1, {});
  try {
    const order = () => client.ask(api.import, { masterid }, { url: source.url });
    const { run, spent, phases } = await spentOn(workers, async () => (await order()).runid);
    if (run.accepted !== items) throw new Error(`vom Import kamen ${run.accepted} Artikel an`);
    console.log(
      `Import: ${number(spent.wall, 1)} s, Prozessor ${number(sum(spent.cpu), 1)} s, Spitze ${number(spent.peakMb, 0)} MB, Last ${number(spent.load, 1)}; ${phases}`,
    );
    await untilQuiet();
    return { masterid, accepted: run.accepted };
  } finally {
    await workers.stop();
    source.close();
  }
}

type Wanted = { items: number; workers: number; partItems: number | undefined };

/** Measures the first run of a new export, by new workers. */
async function exportOf(masterid: string, { items, workers: size, partItems }: Wanted): Promise<Way> {
  const parts = partItems === undefined ? 0 : partRanges(items, partItems).length;
  const id = await makeExport(client, masterid, nameOf({ parts, workers: size }));
  const workers = await stage.workers(size, { KONTOR_PARTS_ABOVE: String(partItems ?? items) });
  try {
    const { run, spent } = await spentOn(workers, async () => (await client.ask(api.runExport, { id })).runid);
    const done = await partsOf(database, run.runid);
    if (done !== parts) throw new Error(`„${nameOf({ parts, workers: size })}“: ${done} Teile statt ${parts}`);
    return { ...spent, parts, workers: size, ...(await fileOf(id)) };
  } finally {
    await workers.stop();
    await stage.dropFiles(id);
  }
}

/** Returns what the workers spend on a run until its end. @throws if it fails, or a worker ends */
async function spentOn(workers: Workers, order: () => Promise<string>) {
  await wait(1000);
  const load = loadavg()[0] ?? 0;
  const before = workers.seconds();
  const runid = await order();
  const phases = new Map<string, number>();
  let peakMb = 0;
  let run: Run;
  let at = performance.now();
  for (const until = performance.now() + MOST_HOURS * 3_600_000; ; await wait(LOOK_EVERY_MS)) {
    run = await client.ask(api.run, { runid });
    peakMb = Math.max(peakMb, workers.peakMb());
    if (run.state !== 'queued' && run.state !== 'running') break;
    const phase = run.state === 'queued' ? '' : run.progress.phase.replace(/:.*/, '');
    const now = performance.now();
    phases.set(phase, (phases.get(phase) ?? 0) + (now - at) / 1000);
    at = now;
    const gone = workers.gone();
    if (gone.length > 0) throw new Error(`${gone.join(', ')} ist im Lauf gestorben`);
    if (performance.now() > until) throw new Error(`nach ${MOST_HOURS} Stunden ist der Lauf nicht zu Ende`);
  }
  const cpu = workers.seconds().map((seconds, index) => seconds - (before[index] ?? 0));
  if (run.state !== 'done') throw new Error(`${run.kind} -> ${run.state}: ${run.message ?? ''}`);
  const wall = (Date.parse(run.finishedAt ?? '') - Date.parse(run.startedAt ?? '')) / 1000;
  const spent: Spent = { wall, fileWall: phases.get('Datei schreiben') ?? 0, cpu, peakMb, load };
  const seen = [...phases]
    .filter(([phase]) => phase !== '')
    .map(([phase, seconds]) => `${phase} ${number(seconds, 1)} s`);
  return { run, spent, phases: seen.join(', ') };
}

async function partsOf(on: Database, runid: string): Promise<number> {
  const { rows } = await on.system((trx) =>
    pg<{ parts: number }>`select count(*)::int as parts from jobs
      where kind = 'export-part' and state = 'done' and subject like ${`part:${runid}:%`}`.execute(trx),
  );
  return rows[0]?.parts ?? 0;
}

/** Waits until no job that the import created is left. */
async function untilQuiet(): Promise<void> {
  for (const until = performance.now() + 600_000; performance.now() < until; await wait(500)) {
    const { rows } = await database.system((trx) =>
      pg`select 1 from jobs where state = 'running' or state = 'queued' and coalesce(not_before, now()) <= now() limit 1`.execute(
        trx,
      ),
    );
    if (rows.length === 0) return;
  }
  throw new Error('nach dem Import kehrt keine Ruhe ein');
}

/** Reads the channel's file from the web process, without keeping it in memory. */
async function fileOf(id: string): Promise<{ bytes: number; sha256: string }> {
  const answer = await client.raw(pathOf(api.exportFile, { id }));
  if (!answer.ok || answer.body === null) throw new Error(`die Datei -> ${answer.status}`);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of answer.body) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
