import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openServer } from '#platform/db/database.ts';
import { pg as sql } from '#platform/db/pg.ts';
import { createDatabase, postgresPrograms, startPostgres } from '../servers/postgres.ts';

const programs = postgresPrograms();
/** strace shows a process's system calls; a container may forbid it. */
const withStrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
const commits = 50;

/** A power failure cannot be produced here. What is tested instead: nothing is acknowledged before it is on the disk. */
describe.skipIf(programs === undefined || !withStrace)('a power cut (needs PostgreSQL and strace)', () => {
  it('F7 PostgreSQL syncs every acknowledged commit to the disk', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kontor-strace-'));
    const postgres = await startPostgres(programs ?? '', { durable: true });
    try {
      const url = await createDatabase(postgres.url, 'durable');
      const trace = join(folder, 'trace');
      const tracing = spawn(
        'strace',
        ['-f', '-p', String(await postmasterOf(url)), '-e', 'trace=fsync,fdatasync', '-o', trace],
        {
          stdio: ['ignore', 'ignore', 'pipe'],
        },
      );
      await once(tracing.stderr, 'data');
      // Its connections start after the trace, so their processes are included.
      const database = openServer(url, () => {});
      await database.script('create table kept (n int)');
      const syncs = () => readFileSync(trace, 'utf8').match(/f(?:data)?sync\(/g)?.length ?? 0;
      const before = syncs();
      for (let n = 0; n < commits; n++)
        await database.company('firma', (trx) => sql`insert into kept values (${n})`.execute(trx));
      expect(syncs() - before).toBeGreaterThanOrEqual(commits);
      await database.close();
      tracing.kill('SIGINT');
      await once(tracing, 'exit');
    } finally {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** Returns the process that starts one process per connection. */
async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const stat = readFileSync(`/proc/${rows[0]?.pid}/stat`, 'utf8');
  await client.end();
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
