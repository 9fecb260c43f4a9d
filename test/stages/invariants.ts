import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import type { Client } from './client.ts';

/** The installation to check: the program's answers, its files, and the channel's view. */
export type Watched = {
  readonly client: Client;
  /** The program's folder of items. */
  readonly items: string;
  readonly masterid: string;
  readonly exportId: string;
  /** The final name of the file on the channel's server, and its folder there. */
  readonly channel?: { readonly folder: string; readonly filename: string };
};

/**
 * Checks, from outside, the invariants that hold after every fault (docs/delivery.md): every item belongs to a complete snapshot
 * (I2), the channel sees one complete accepted file (I3), no job did its work twice (I6), every missing row is listed (I8), and
 * every run ends by itself within a minute (I10). Whether an acknowledged change is missing (I1) only the test itself can know.
 */
export async function checkInvariants(watched: Watched): Promise<void> {
  await healed(watched);
  await wholeSnapshots(watched);
  await accountedRows(watched);
  await wholeFiles(watched);
  const left = await readdir(watched.items, { recursive: true });
  expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([]);
}

/** I10. */
async function healed({ client, masterid, exportId }: Watched): Promise<void> {
  const until = performance.now() + 60_000;
  for (;;) {
    const runs = [
      ...(await client.ask(api.masterRuns, { masterid })),
      ...(await client.ask(api.exportRuns, { id: exportId })),
      ...(await client.ask(api.upload, { id: exportId })).runs,
    ];
    const open = runs.filter(({ state }) => state === 'queued' || state === 'running');
    if (open.length === 0) return;
    if (performance.now() > until) throw new Error(`still open after a minute: ${JSON.stringify(open)}`);
    await wait(100);
  }
}

/** I2 and I6: there are as many snapshots as imports that report one, each with exactly the items of its record. */
async function wholeSnapshots({ client, items, masterid }: Watched): Promise<void> {
  const snapshots = await client.ask(api.snapshots, { masterid });
  const made = (await client.ask(api.masterRuns, { masterid }))
    .filter(({ state, snapshot }) => state === 'done' && snapshot !== null)
    .map(({ snapshot }) => snapshot);
  expect(new Set(made).size).toBe(made.length);
  expect(snapshots.map(({ number }) => number)).toEqual(expect.arrayContaining(made));
  const master = await client.ask(api.master, { masterid });
  expect(snapshots.map((snapshot) => snapshot.items)).toContain(master.items);
  const duckdb = await DuckDb.open({ folder: items, memoryLimit: '500MB' });
  for (const { number, items: count } of snapshots) {
    const file = join(await companyFolder(items, masterid), 'snapshots', `${number}.parquet`);
    const [row] = await duckdb.all({
      sql: 'select count(*)::int as n, count(distinct _id)::int as ids from read_parquet($1)',
      values: [file],
    });
    expect(row).toEqual({ n: count, ids: count });
  }
  duckdb.close();
}

/** I8. */
async function accountedRows({ client, masterid }: Watched): Promise<void> {
  for (const run of await client.ask(api.masterRuns, { masterid })) {
    if (run.state !== 'done') continue;
    expect(run.rowsIn).toBe((run.accepted ?? 0) + (run.rejected ?? 0) + (run.duplicates ?? 0));
    const { total } = await client.ask(api.rejected, { runid: run.runid });
    expect(total).toBeGreaterThanOrEqual(run.rejected ?? 0);
  }
}

/** I3: the feed and the channel's server show accepted files, byte for byte. */
async function wholeFiles({ client, items, exportId, channel }: Watched): Promise<void> {
  const folder = join(await companyFolder(items, exportId), 'runs');
  const accepted = new Set<string>();
  for (const name of existsSync(folder) ? await readdir(folder) : []) {
    if (/^\d+\.(csv|jsonl|json|xml)$/.test(name)) accepted.add(hash(await readFile(join(folder, name))));
  }
  const answer = await client.raw(pathOf(api.exportFile, { id: exportId }));
  if (answer.status === 200) expect(accepted).toContain(hash(Buffer.from(await answer.arrayBuffer())));
  else expect(answer.status).toBe(404);
  if (channel === undefined) return;
  const names = await readdir(channel.folder);
  if (names.includes(channel.filename))
    expect(accepted).toContain(hash(await readFile(join(channel.folder, channel.filename))));
}

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Returns the folder of a master or an export, of any company. */
async function companyFolder(items: string, owner: string): Promise<string> {
  const companies = (await readdir(items)).filter((name) => existsSync(join(items, name, owner)));
  return join(items, companies[0] ?? '', owner);
}
