import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { addToken } from '#auth/tokens.ts';
import { createCompany } from '#auth/auth.ts';
import { systemClock } from '#platform/clock.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { processEnvironment } from '../scripts/process-options.ts';
import { catalogueCsv } from '../seed/catalogue.ts';
import { clientOf } from '../test/stages/client.ts';
import { openTestDatabase } from '../test/stages/kontor.ts';
import { kill, startProgram } from '../test/stages/program.ts';
import { type Hostile, type HostileKind, hostileKinds } from './hostile-viewers.ts';

// `npm run bench:viewers [-- --items=50000 --seconds=30 --viewers=20]`: twenty viewers of one company ask the heaviest questions of each
// kind, all at once and again and again (`--each`: a kind alone after the other; `--kind=rows,open`: those kinds alone); meanwhile /livez is asked every 50 ms, and a page of another company's grid every 500 ms.
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
const [LIVE_MS, GRID_TIMES] = [100, 3];

const folder = mkdtempSync(join(tmpdir(), 'kontor-viewers-'));
const quietToken = randomIds.secret();
const tokens = Array.from({ length: viewers }, () => randomIds.secret());
const database = await openTestDatabase(folder, undefined);
const quiet = await createCompany(database, randomIds, systemClock, 'Stille Firma');
await database.company(quiet, (trx) =>
  addToken(trx, randomIds, quiet, { name: 'quiet', role: 'owner', secret: quietToken }),
);
await database.close();
const program = await startProgram(folder, { NODE_ENV: 'production', ...processEnvironment });
const hostile = clientOf(() => program.url);
const other = clientOf(() => program.url, quietToken);
let load: ChildProcess | undefined;
try {
  let csv = '';
  for await (const part of Readable.from(catalogueCsv(items))) csv += String(part);
  const { masterid } = await hostile.ask(api.createMaster, {}, { name: 'Feindlich' });
  const { masterid: quietMaster } = await other.ask(api.createMaster, {}, { name: 'Still' });
  await hostile.ended(await hostile.upload(masterid, csv), 600);
  await other.ended(await other.upload(quietMaster, csv), 600);
  const { id } = await hostile.ask(api.createExport, { masterid }, { name: 'Export', channel: 'google' });
  const itemid = csv.split('\n')[1]?.split(';')[0]?.replaceAll('"', '') ?? '';
  const readers: string[] = [];
  for (const name of tokens)
    readers.push((await hostile.ask(api.createToken, {}, { name: name.slice(0, 8), role: 'viewer' })).token);
  console.log(`${items} Artikel, ${viewers} Leser, ${seconds} s`);

  const idle = await probe();
  report('im Leerlauf', idle);
  // `--each`: one kind after the other, to see which it is.
  const rounds: (readonly HostileKind[])[] =
    each || only !== undefined
      ? hostileKinds.filter((kind) => only?.includes(kind) ?? true).map((kind) => [kind])
      : [hostileKinds];
  for (const kinds of rounds) {
    load = fork(new URL('./hostile-viewers.ts', import.meta.url), { stdio: 'inherit' });
    load.send({ url: program.url, masterid, itemid, id, tokens: readers, kinds: [...kinds] } satisfies Hostile);
    await once(load, 'message');
    await wait(2000);
    const busy = await probe();
    load.send('stop');
    const [answers]: unknown[] = await once(load, 'message');
    load.kill();
    report(each || only !== undefined ? kinds.join() : 'unter Last', busy);
    console.log('  Antworten der Last:', JSON.stringify(answers));
    const live = percentile(busy.live, 0.99);
    const times = percentile(busy.grid, 0.95) / percentile(idle.grid, 0.95);
    console.log(
      `  /livez p99 ${live.toFixed(0)} ms (Ziel ${LIVE_MS})   Artikelseite p95 x ${times.toFixed(1)} (Ziel ${GRID_TIMES})`,
    );
    if (live > LIVE_MS || times > GRID_TIMES) process.exitCode = 1;
  }
} finally {
  load?.kill();
  await kill(program, 'SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

type Probed = { live: number[]; grid: number[]; failed: number };

/** Asks for a while, at the pace of the clock whatever has not been answered yet. */
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
    if (turn % 10 === 0)
      pending.push(
        timed(found.grid, () => other.raw(`/api/items/data?limit=100&offset=${(turn * 100) % items}&sort=f0012`)),
      );
    await wait(50);
  }
  await Promise.all(pending);
  return found;
}

function percentile(list: readonly number[], share: number): number {
  return list.toSorted((a, b) => a - b)[Math.ceil((list.length - 1) * share)] ?? Number.NaN;
}

function report(title: string, { live, grid, failed }: Probed): void {
  const line = (list: readonly number[]) =>
    `p50 ${percentile(list, 0.5).toFixed(0)}  p95 ${percentile(list, 0.95).toFixed(0)}  p99 ${percentile(list, 0.99).toFixed(0)}  max ${percentile(list, 1).toFixed(0)} ms (${list.length})`;
  console.log(`${title}: /livez ${line(live)}; Artikelseite ${line(grid)}; fehlgeschlagen ${failed}`);
}
