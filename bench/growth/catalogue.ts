import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as breathe } from 'node:timers/promises';
import { act, rule, when } from '#engine/testing/case.ts';
import { api } from '#shared/http/api.ts';
import { catalogueCsv } from '../../seed/catalogue.ts';
import type { Client } from '../../test/stages/client.ts';
import { manyRules } from '../cases/rules.ts';
import { fields } from '../cases/validation-cases.ts';

/** Serves the generated catalogue on this machine. It is generated while it is downloaded and never stored as a whole. */
export async function serveCatalogue(items: number): Promise<{ url: string; close: () => void }> {
  const server = createServer((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' });
    // The client reports why it aborted.
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

/** Yields to the event loop: otherwise a client as fast as the generator would stop this process polling the run for minutes. */
async function* withBreaths(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece;
    await breathe();
  }
}

/** Rules over all items, which a run in parts must evaluate before its parts. */
const overAll = [
  rule([when('Preis', 'is_in_highest', '1000')], [act('Material', 'set', 'Spitze')]),
  rule([when('Marke', 'contains', 'a')], [act('Hauptartikelnummer', 'group', { field: 'Titel' })]),
];

export async function saveRules(client: Client, masterid: string, { rules, ranks }: { rules: number; ranks: boolean }) {
  await client.ask(api.saveRules, { masterid }, [...manyRules(rules), ...(ranks ? overAll : [])]);
}

/** Creates an export of thirty checked fields that has never run: its first run has nothing to compare with. */
export async function makeExport(client: Client, masterid: string, name: string): Promise<string> {
  const { id } = await client.ask(api.createExport, { masterid }, { name, channel: 'google', format: 'csv' });
  const rows = fields.map(([exportfield, value], index) => {
    return { id: String(index + 1), exportfield, field: [{ type: '_field', value }], valuetype: 'field' };
  });
  await client.ask(api.saveConstruction, { projectId: id }, rows);
  return id;
}
