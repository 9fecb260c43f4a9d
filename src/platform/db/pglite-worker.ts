import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { Sent, Settings } from './embedded-thread.ts';

// PGlite computes in its own thread; here it cannot block the server's event loop (measured: 2.4 s).
const port = ownPort();

const database = await PGlite.create({
  dataDir: String(workerData.folder),
  // Small, as it is touched as a whole at the start; other pages are in the operating system's file cache.
  startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
  // int8 as number, dates as plain text, numeric as text: equal to the parsers that database.ts sets for a real server.
  parsers: {
    20: Number,
    1082: (value: string) => value,
    1184: (value: string) => new Date(value),
    1114: (value: string) => value,
  },
});
port.postMessage({ id: 0 });

port.on('message', (request: Sent) => void answer(request));

/**
 * Replaces a server's autovacuum, which gathers statistics for the planner: without them it takes an index whose values many
 * rows share for as good as one that finds a single row (measured: a hundred times slower). Tables that have grown fourfold are
 * analysed again, between two transactions.
 */
let lookAgainAt = 0;
const LOOK_MS = 10_000;

async function gatherStatistics(): Promise<void> {
  const { rows } = await database.query<{ name: string }>(`select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' and pg_relation_size(c.oid) > 4 * 8192 * greatest(c.relpages, 2)`);
  for (const { name } of rows) await database.exec(`analyze ${name}`);
}

/** Begins a transaction with its settings. */
async function begin(settings: Settings): Promise<void> {
  await database.exec('begin');
  const entries = Object.entries(settings);
  if (entries.length === 0) return;
  const calls = entries.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, true)`);
  await database.query(`select ${calls.join(', ')}`, entries.flat());
}

async function answer({ id, kind, sql, params, begins }: Sent): Promise<void> {
  try {
    if (kind === 'close') {
      await database.close();
      port.postMessage({ id });
      process.exit(0);
    }
    if (kind === 'exec') {
      await database.exec(sql);
      port.postMessage({ id, rows: [] });
      return;
    }
    if (begins !== undefined && performance.now() >= lookAgainAt) {
      lookAgainAt = performance.now() + LOOK_MS;
      // Without statistics everything still works, only slower.
      await gatherStatistics().catch((error: unknown) =>
        process.emitWarning(`no statistics gathered: ${String(error)}`),
      );
    }
    if (begins !== undefined) await begin(begins);
    const { rows, affectedRows } = await database.query(sql, [...params]);
    port.postMessage({ id, rows, affectedRows });
  } catch (error) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- PGlite throws the server's own error fields
    const { message, code, constraint } = error as { message: string; code?: string; constraint?: string };
    port.postMessage({ id, error: { message, code, constraint } });
  }
}

function ownPort(): MessagePort {
  if (!parentPort) throw new Error('pglite-worker must run as a worker thread');
  return parentPort;
}
