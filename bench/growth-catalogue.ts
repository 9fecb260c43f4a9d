import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as breathe } from 'node:timers/promises';
import { act, rule, when } from '#engine/testing/case.ts';
import { api } from '#shared/http/api.ts';
import { catalogueCsv } from '../seed/catalogue.ts';
import type { Client } from '../test/stages/client.ts';
import { manyRules } from './rules.ts';
import { fields } from './validation-cases.ts';

/** The generated catalogue at an address of this machine, made while it is fetched: it is nowhere whole. */
export async function serveCatalogue(items: number): Promise<{ url: string; close: () => void }> {
  const server = createServer((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' });
    // Who fetches it says why it broke off.
    pipeline(Readable.from(withBreaths(catalogueCsv(items))), answer).catch(() => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/katalog.csv`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A reader that is as fast as the generator would keep this process from everything else: from asking how far the run is, for minutes. */
async function* withBreaths(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece;
    await breathe();
  }
}

/** Rules that look at all items: what a run in parts must find before its parts. */
const overAll = [
  rule([when('Preis', 'is_in_highest', '1000')], [act('Material', 'set', 'Spitze')]),
  rule([when('Marke', 'contains', 'a')], [act('Hauptartikelnummer', 'group', { field: 'Titel' })]),
];

export async function saveRules(client: Client, masterid: string, { rules, ranks }: { rules: number; ranks: boolean }) {
  await client.ask(api.saveRules, { masterid }, [...manyRules(rules), ...(ranks ? overAll : [])]);
}

/** An export of thirty checked fields, which has never run: a run has nothing to compare itself with. */
export async function makeExport(client: Client, masterid: string, name: string): Promise<string> {
  const { id } = await client.ask(api.createExport, { masterid }, { name, channel: 'google', format: 'csv' });
  const rows = fields.map(([exportfield, value], index) => {
    return { id: String(index + 1), exportfield, field: [{ type: '_field', value }], valuetype: 'field' };
  });
  await client.ask(api.saveConstruction, { projectId: id }, rows);
  return id;
}
