import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { catalogueCsv } from '../seed/catalogue.ts';
import { clientOf } from '../test/stages/client.ts';
import { kill, startProgram } from '../test/stages/program.ts';
import { makeSpace, startClusterServers } from './cluster/servers.ts';

// `npm run bench:store [-- --items=2000 --rounds=5]`: the number of requests and bytes to a bucket for an import, an export run
// and a pull of its feed, each the mean of several rounds. A store's costs depend on them (docs/scale.md). Needs root,
// PostgreSQL, radosgw and pgbouncer.
const option = (name: string, usual: number) =>
  Number(process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? usual);
const items = option('items', 2000);
const rounds = option('rounds', 5);
const metricsToken = 'kennwort-der-messung-mit-32-zeichen';

const folder = mkdtempSync(join(tmpdir(), 'kontor-store-requests-'));
const servers = await startClusterServers(folder);
const space = await makeSpace(servers, 'anfragen');
const program = await startProgram(join(folder, 'data'), { ...space.environment, KONTOR_METRICS_TOKEN: metricsToken });
const client = clientOf(() => program.url);

type Counts = Map<string, number>;
/** Returns requests by kind, and bytes, since the program started. */
async function counts(): Promise<Counts> {
  const answer = await fetch(`${program.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  const found: Counts = new Map();
  for (const line of (await answer.text()).split('\n')) {
    const [, name, value] =
      /^kontor_store_request_seconds_count\{operation="(\w+)".*\} (\S+)$/.exec(line) ??
      /^kontor_store_bytes_total\{direction="(\w+)"\} (\S+)$/.exec(line) ??
      [];
    if (name !== undefined) found.set(name, (found.get(name) ?? 0) + Number(value));
  }
  return found;
}

const sums = new Map<string, Counts>();
/** Runs a step, and adds its requests to the bucket to its kind. */
async function counted<T>(kind: string, step: () => Promise<T>): Promise<T> {
  const before = await counts();
  const result = await step();
  const sum = sums.get(kind) ?? new Map<string, number>();
  for (const [name, value] of await counts()) sum.set(name, (sum.get(name) ?? 0) + value - (before.get(name) ?? 0));
  sums.set(kind, sum);
  return result;
}

try {
  const { masterid } = await client.ask(api.createMaster, {}, { name: 'Katalog' });
  const upload = async (seed: number) =>
    client.ended(await client.upload(masterid, [...catalogueCsv(items, seed)].join('')), 300);
  await upload(1);
  const { id } = await client.ask(api.createExport, { masterid }, { name: 'Kanal', format: { kind: 'csv' } });
  const listed = await client.raw(`${pathOf(api.items)}?masterid=${masterid}&limit=1`);
  const fields = api.items.response.parse(await listed.json()).fields.slice(0, 30);
  const rows = fields.map(({ name: field }) =>
    ConstructionRow.parse({ id: field, exportfield: field, field: [{ type: '_field', value: field, caption: '' }] }),
  );
  await client.ask(api.saveConstruction, { projectId: id }, rows);
  const { pullPath } = await client.ask(api.export, { id });
  for (let round = 0; round < rounds; round++) {
    await counted('Import', () => upload(round % 2 === 0 ? 2 : 1));
    await counted('Export', async () => client.ended((await client.ask(api.runExport, { id })).runid, 300));
    await counted('Abruf', async () => (await client.raw(pullPath)).arrayBuffer());
  }
  const operations = [...new Set([...sums.values()].flatMap((sum) => [...sum.keys()]))].filter(
    (name) => name !== 'sent' && name !== 'received',
  );
  const mean = (value = 0) => (value / rounds).toLocaleString('de-DE', { maximumFractionDigits: 1 });
  const megabytes = (value = 0) => `${(value / rounds / 1e6).toLocaleString('de-DE', { maximumFractionDigits: 2 })} MB`;
  console.log(`${items} Artikel, ${rounds} Runden, im Mittel:`);
  for (const [kind, sum] of sums)
    console.log(
      `${kind.padEnd(8)} ${operations.map((name) => `${name} ${mean(sum.get(name))}`).join(', ')}; gesendet ${megabytes(sum.get('sent'))}, empfangen ${megabytes(sum.get('received'))}`,
    );
} finally {
  await kill(program);
  await space.stop();
  await servers.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
