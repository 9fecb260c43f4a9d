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
  /** Address of the given database through the pooler. */
  url: string;
  /** Returns its output. */
  output: () => string;
  stop: () => Promise<void>;
};

/**
 * Starts pgbouncer on a free loopback port before a database. Each transaction gets any free one of `servers` connections, so
 * settings that a transaction leaves in its session are visible to another one.
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
      // As docs/operations.md recommends: with the default, a restart of the database would cost 15 s.
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

/** Waits until the port is open. @throws the text that `alive` returns instead of true */
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
