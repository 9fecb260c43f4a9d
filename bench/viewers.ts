import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { randomIds } from '#platform/ids.ts';
import { clientOf } from '../test/stages/client.ts';
import { createDatabase, postgresPrograms, startPostgres } from '../test/servers/postgres.ts';
import { kill, startProgram } from '../test/stages/program.ts';
import { prepareStage, programEnvironment } from './viewers/hostile-stage.ts';
import { type Hostile, type HostileKind, hostileKinds } from './viewers/hostile-viewers.ts';

// `npm run bench:viewers [-- --items=50000 --seconds=30 --viewers=20 --postgres]`: twenty viewers of one company make the
// heaviest requests of each kind, all at once and repeatedly (`--each`: one kind after the other; `--kind=rows,open`: only those
// kinds); meanwhile /livez is requested every 50 ms, and a page of another company's grid every 500 ms.
const option = (name: string, usual: number) =>
  Number(process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? usual);
const items = option('items', 50_000);
const seconds = option('seconds', 30);
const viewers = option('viewers', 20);
const each = process.argv.includes('--each');
const only = process.argv
  .find((argument) => argument.startsWith('--kind='))
  ?.slice('--kind='.length)
  .split(',');
const [LIVE_MS, GRID_TIMES, WARM] = [100, 3, 10];

const folder = mkdtempSync(join(tmpdir(), 'kontor-viewers-'));
const readers = Array.from({ length: viewers }, () => randomIds.secret());
const programs = process.argv.includes('--postgres') ? postgresPrograms() : undefined;
const server = programs ? await startPostgres(programs) : undefined;
const databaseUrl = server && (await createDatabase(server.url, 'leser'));
const { place, quietToken } = await prepareStage(folder, items, readers, databaseUrl);
const program = await startProgram(folder, programEnvironment(databaseUrl));
const other = clientOf(() => program.url, quietToken);
let load: ChildProcess | undefined;
try {
  console.log(
    `${server ? 'PostgreSQL' : 'eingebettet'}, ${items} Artikel, ${viewers} Leser, ${seconds} s, Last der Maschine ${machineLoad()}`,
  );

  // The first page starts a process and reads the file for the first time; only later ones count as idle.
  for (let turn = 0; turn < WARM; turn++) await (await page(turn)).arrayBuffer();
  // Twice, to show its spread.
  const rests = [await probe(), await probe()];
  for (const rest of rests) report('im Leerlauf', rest);
  const atRest = percentile(
    rests.flatMap(({ grid }) => grid),
    0.95,
  );
  // `--each`: one kind after the other, to see which one is slow.
  const rounds: (readonly HostileKind[])[] =
    each || only !== undefined
      ? hostileKinds.filter((kind) => only?.includes(kind) ?? true).map((kind) => [kind])
      : [hostileKinds];
  for (const kinds of rounds) {
    load = fork(new URL('./viewers/hostile-viewers.ts', import.meta.url), { stdio: 'inherit' });
    load.send({ url: program.url, place, tokens: readers, kinds: [...kinds] } satisfies Hostile);
    await once(load, 'message');
    await wait(2000);
    const busy = await probe();
    load.send('stop');
    const [answers]: unknown[] = await once(load, 'message');
    load.kill();
    report(each || only !== undefined ? kinds.join() : 'unter Last', busy);
    console.log(`  Antworten der Last: ${JSON.stringify(answers)}; Last der Maschine ${machineLoad()}`);
    const live = percentile(busy.live, 0.99);
    const times = percentile(busy.grid, 0.95) / atRest;
    console.log(
      `  /livez p99 ${live.toFixed(0)} ms (Ziel ${LIVE_MS})   Artikelseite p95 x ${times.toFixed(1)} (Ziel ${GRID_TIMES})`,
    );
    if (live > LIVE_MS || times > GRID_TIMES) process.exitCode = 1;
  }
} finally {
  load?.kill();
  await kill(program, 'SIGTERM');
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Requests a page of the other company's grid, another one each time. */
function page(turn: number): Promise<Response> {
  return other.raw(`/api/items/data?limit=100&offset=${(turn * 100) % items}&sort=f0012`);
}

type Probed = { live: number[]; grid: number[]; failed: number };

/** Sends requests for a while at a fixed pace, even if earlier ones are not answered yet. */
async function probe(): Promise<Probed> {
  const found: Probed = { live: [], grid: [], failed: 0 };
  const pending: Promise<void>[] = [];
  const until = performance.now() + seconds * 1000;
  const timed = async (times: number[], ask: () => Promise<Response>) => {
    const begun = performance.now();
    const answer = await ask();
    await answer.arrayBuffer();
    times.push(performance.now() - begun);
    if (!answer.ok) found.failed++;
  };
  for (let turn = 0; performance.now() < until; turn++) {
    pending.push(timed(found.live, () => fetch(`${program.url}/livez`)));
    if (turn % 10 === 0) pending.push(timed(found.grid, () => page(turn)));
    await wait(50);
  }
  await Promise.all(pending);
  return found;
}

function machineLoad(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}

function percentile(list: readonly number[], share: number): number {
  return list.toSorted((a, b) => a - b)[Math.ceil((list.length - 1) * share)] ?? Number.NaN;
}

function report(title: string, { live, grid, failed }: Probed): void {
  const line = (list: readonly number[]) =>
    `p50 ${percentile(list, 0.5).toFixed(0)}  p95 ${percentile(list, 0.95).toFixed(0)}  p99 ${percentile(list, 0.99).toFixed(0)}  max ${percentile(list, 1).toFixed(0)} ms (${list.length})`;
  console.log(`${title}: /livez ${line(live)}; Artikelseite ${line(grid)}; fehlgeschlagen ${failed}`);
}
