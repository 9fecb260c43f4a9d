import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort, nobody } from './postgres.ts';
import { tools } from './servers.ts';

export type Pooler = {
  /** The same database as the given one, through the pooler. */
  url: string;
  /** What it wrote. */
  output: () => string;
  stop: () => Promise<void>;
};

/**
 * Starts pgbouncer on a free loopback port before a database, giving each transaction whichever of `servers` connections is free: what one
 * transaction leaves in its session, another one finds.
 */
export async function startPgbouncer(databaseUrl: string, servers: number): Promise<Pooler> {
  const { hostname, port: serverPort, username, pathname } = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'kontor-pgbouncer-'));
  const port = await freePort();
  const settings = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users.txt');
  writeFileSync(users, `"${username}" ""\n`);
  writeFileSync(
    settings,
    [
      '[databases]',
      `${pathname.slice(1)} = host=${hostname} port=${serverPort}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      `default_pool_size = ${servers}`,
      // As docs/operations.md asks for it: the usual 15 s are what a restart of the database would cost.
      'server_login_retry = 1',
    ].join('\n'),
  );
  const asNobody = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  if ('uid' in asNobody) for (const path of [folder, settings, users]) chownSync(path, nobody, nobody);
  const pooler = spawn(tools.pgbouncer, [settings], { ...asNobody, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [pooler.stdout, pooler.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const gone = once(pooler, 'exit');
  await listening(port, () => pooler.exitCode === null || output);
  return {
    url: `postgresql://${username}@127.0.0.1:${port}${pathname}`,
    output: () => output,
    stop: async () => {
      pooler.kill('SIGINT');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until somebody listens. @throws what `alive` says instead of true */
async function listening(port: number, alive: () => true | string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const says = alive();
    if (says !== true || attempt > 200) throw new Error(`pgbouncer does not listen: ${says}`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    await wait(25);
  }
}
