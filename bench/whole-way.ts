import { createReadStream, createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { catalogueCsv } from '../seed/catalogue.ts';
import { clientOf } from '../test/stages/client.ts';
import { benchToken, root, startKontor } from './kontor-process.ts';
import { run } from './cases/measure.ts';
import { costsOf, processorSecondsOf } from './process-cost.ts';
import { commitName, comparison, type Figure, keepResults, lastFigures, machineName } from './results.ts';
import { fiftyRules } from './cases/rules.ts';
import { fields } from './cases/validation-cases.ts';

// `npm run bench:whole [-- --million] [--runs=3]`: from the upload of a catalogue of 60 columns until the channel's new file is
// at its pull address, in the running program: import, 50 rules, a mapping of 500 rows and one of 20,000, 200 categories, 30
// fields, validation, difference to the last file, the file. Compared with DuckDB copying the same bytes in and 30 columns of
// them out.
const million = process.argv.includes('--million');
const items = million ? 1_000_000 : 100_000;
const runs = Number(process.argv.find((one) => one.startsWith('--runs='))?.slice('--runs='.length) ?? 3);
const GOAL = 1.6;
const title = `${items.toLocaleString('de-DE')} Artikel x 60: Upload bis Datei`;

const folder = mkdtempSync(join(tmpdir(), 'kontor-whole-'));
mkdirSync(join(folder, 'data'));
const csvs = [1, 2].map((n) => join(folder, `katalog-${n}.csv`));
for (const [index, file] of csvs.entries())
  await pipeline(Readable.from(index === 0 ? catalogueCsv(items) : oneInHundredDearer()), createWriteStream(file));

const { url, child } = await startKontor(join(folder, 'data'));
const { ask, ended } = clientOf(() => url, benchToken);
try {
  const { exportid, masterid, pullPath } = await setUp();
  await way(masterid, exportid, pullPath, 0);
  const ours: Way[] = [];
  const bare: Spent[] = [];
  let peakMb = 0;
  for (let round = 1; round <= runs; round++) {
    ours.push(await way(masterid, exportid, pullPath, round));
    bare.push(await copyInAndOut(round % 2));
    peakMb = Math.max(peakMb, ...costsOf(child.pid ?? 0).map((one) => one.peakMb));
  }
  report(ours, bare, peakMb);
} finally {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
  rmSync(folder, { recursive: true, force: true });
}

/** Milliseconds, and processor seconds, which other load on the machine affects less. */
type Spent = { ms: number; cpu: number };
type Way = Spent & { stages: Map<string, number> };

/** Yields the same catalogue, with another price for every hundredth item. */
function* oneInHundredDearer(): Generator<string> {
  let line = 0;
  let rest = '';
  for (const part of catalogueCsv(items)) {
    const lines = (rest + part).split('\r\n');
    rest = lines.pop() ?? '';
    for (const one of lines) yield `${line++ % 100 === 1 ? one.replace(/;(\d+,\d\d);/, ';9$1;') : one}\r\n`;
  }
}

/** Creates a master and an export with everything on it, before there are items. */
async function setUp() {
  const { masterid } = await ask(api.createMaster, {}, { name: 'Messung' });
  const { id: exportid } = await ask(
    api.createExport,
    { masterid },
    { name: 'Messung', channel: 'google', format: 'csv' },
  );
  const field = (value: string) => ({ type: '_field', value });
  const row = (index: number, source: string, filter: string, value: string) => {
    const target = `Ziel ${index}`;
    return { id: `${index}`, field: [field(source)], filter, value, target };
  };
  const contained = Array.from({ length: 500 }, (_, index) => row(index, 'Titel', 'contains', `wort${index}x`));
  const equal = Array.from({ length: 20_000 }, (_, index) => row(index, 'Marke', 'is_equal', `marke ${index}`));
  for (const [mappingid, data] of Object.entries({ MessungTitel: contained, MessungMarke: equal }))
    await ask(api.saveMapping, { masterid, mappingid }, { name: mappingid, active: true, data });
  await ask(api.saveRules, { masterid }, fiftyRules);
  const categories = Array.from({ length: 200 }, (_, index) => ({
    id: `k${index}`,
    field: [{ input: field('Kategoriepfad'), filter: 'contains', value: `gruppe ${index}` }],
    target: String(100 + index),
  }));
  await ask(api.saveCategories, { id: exportid }, categories);
  const mapped: Readonly<Record<string, object>> = {
    short: { type: '_mapping', value: 'MessungTitel' },
    material: { type: '_mapping', value: 'MessungMarke' },
  };
  const rows = fields.map(([exportfield, source], index) => {
    const part = mapped[exportfield] ?? field(source);
    return { id: String(index + 1), exportfield, field: [part], valuetype: 'field' };
  });
  await ask(api.saveConstruction, { projectId: exportid }, rows);
  const { pullPath } = await ask(api.export, { id: exportid });
  return { masterid, exportid, pullPath };
}

/** Measures one full pass, and how long each phase was visible. @throws if a run fails or the old file is still there */
async function way(masterid: string, exportid: string, pullPath: string, round: number): Promise<Way> {
  const before = await etagAt(pullPath);
  const stages = new Map<string, number>();
  const spentBefore = processorSecondsOf(child.pid ?? 0);
  const begin = performance.now();
  const { runid } = await upload(masterid, csvs[round % 2] ?? '');
  stages.set('Upload', performance.now() - begin);
  await watch(runid, 'Import', stages);
  await watch((await ask(api.runExport, { id: exportid })).runid, 'Export', stages);
  if ((await etagAt(pullPath)) === before) throw new Error('the pull address still has the former file');
  return { ms: performance.now() - begin, cpu: processorSecondsOf(child.pid ?? 0) - spentBefore, stages };
}

/**
 * Sends a file as a tool would: fetch with a form took twice the processor time of the program that received it, on the same two
 * cores.
 */
async function upload(masterid: string, file: string) {
  const boundary = 'kontor-bench';
  const disposition = 'Content-Disposition: form-data; name="file"; filename="katalog.csv"';
  const sent = request(url + pathOf(api.import, { masterid }), {
    method: 'POST',
    headers: { authorization: `Bearer ${benchToken}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
  const answered = once(sent, 'response');
  sent.write(`--${boundary}\r\n${disposition}\r\nContent-Type: text/csv\r\n\r\n`);
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), sent, { end: false });
  sent.end(`\r\n--${boundary}--\r\n`);
  const [answer] = (await answered) as [IncomingMessage];
  const body = await text(answer);
  if (answer.statusCode !== 202 && answer.statusCode !== 200)
    throw new Error(`import -> ${answer.statusCode}: ${body}`);
  return api.import.response.parse(JSON.parse(body));
}

async function watch(runid: string, kind: string, stages: Map<string, number>): Promise<void> {
  for (let at = performance.now(); ;) {
    const { state, progress } = await ask(api.run, { runid });
    const now = performance.now();
    const stage = `${kind}: ${state === 'queued' ? 'wartet' : progress.phase}`;
    stages.set(stage, (stages.get(stage) ?? 0) + now - at);
    at = now;
    if (state !== 'queued' && state !== 'running') break;
    await wait(50);
  }
  const end = await ended(runid);
  if (end.state !== 'done') throw new Error(`${kind} -> ${end.state}: ${end.message ?? ''}`);
}

async function etagAt(path: string): Promise<string | null> {
  const answer = await fetch(url + path, { method: 'HEAD' });
  return answer.headers.get('etag');
}

/** The machine's minimum: parsing the bytes into columns, and writing as many columns as a file. */
async function copyInAndOut(index: number): Promise<Spent> {
  const duckdb = await DuckDb.open({ folder });
  const [snapshot, out] = [join(folder, 'bare.parquet'), join(folder, 'bare.csv')];
  const columns = fields.map(([, source]) => `"${source}"`).join(', ');
  const spentBefore = process.cpuUsage();
  const begin = performance.now();
  await run(
    duckdb,
    `COPY (SELECT * FROM read_csv('${csvs[index]}', delim = ';', all_varchar = true)) TO '${snapshot}' (FORMAT parquet)`,
  );
  await run(
    duckdb,
    `COPY (SELECT ${columns} FROM read_parquet('${snapshot}')) TO '${out}' (FORMAT csv, DELIMITER ';')`,
  );
  const ms = performance.now() - begin;
  const { user, system } = process.cpuUsage(spentBefore);
  duckdb.close();
  for (const file of [snapshot, out]) rmSync(file);
  return { ms, cpu: (user + system) / 1e6 };
}

function report(ours: readonly Way[], bare: readonly Spent[], rssMb: number) {
  const ratios = (part: 'ms' | 'cpu') =>
    ours.map((one, index) => one[part] / (bare[index]?.[part] ?? Number.NaN)).toSorted((one, other) => one - other);
  const middleOf = <T>(sorted: readonly T[]) => sorted[Math.floor(sorted.length / 2)];
  const byTime = (one: Spent, other: Spent) => one.ms - other.ms;
  const [middle, middleBare] = [middleOf(ours.toSorted(byTime)), middleOf(bare.toSorted(byTime))];
  const [ratio = Number.NaN, cpu = Number.NaN] = [middleOf(ratios('ms')), middleOf(ratios('cpu'))];
  const [min = ratio, max = ratio] = [ratios('ms')[0], ratios('ms').at(-1)];
  const figure: Figure = { name: 'whole', goal: GOAL, ratio, min, max, cpu, ms: middle?.ms ?? 0, rssMb };
  const kept = join(root, 'bench', 'results');
  const last = lastFigures(kept, machineName(), items).get('whole');
  console.log(`${title}
  ${ratio.toFixed(2)} x COPY hinein und hinaus (${min.toFixed(2)} … ${max.toFixed(2)}), CPU ${cpu.toFixed(2)} x, Ziel <= ${GOAL}: ${ratio <= GOAL ? 'ok' : 'ÜBER ZIEL'}  ${comparison(figure, last)}
  ${seconds(figure.ms)} gegen ${seconds(middleBare?.ms ?? 0)}, CPU ${seconds(1000 * (middle?.cpu ?? 0))} gegen ${seconds(1000 * (middleBare?.cpu ?? 0))}, Spitze ${rssMb.toFixed(0)} MB`);
  for (const [stage, ms] of middle?.stages ?? [])
    console.log(
      `  ${stage.padEnd(44)}${seconds(ms).padStart(8)}  ${'█'.repeat(Math.round((ms / (middle?.ms ?? 1)) * 40))}`,
    );
  const at = new Date().toISOString();
  keepResults(kept, { machine: machineName(), commit: commitName(root), at, items, runs, figures: [figure] });
  if (ratio > GOAL) process.exitCode = 1;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
