import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

/** Returns the folder of PostgreSQL's server programs, if this machine has them. */
export function postgresPrograms(): string | undefined {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base) ? readdirSync(base).filter((version) => Number(version) >= 15) : [];
  return versions.map((version) => join(base, version, 'bin')).findLast((folder) => existsSync(join(folder, 'initdb')));
}

/** The user id of nobody: PostgreSQL refuses to run as root. */
export const nobody = 65_534;

export type TestPostgres = {
  url: string;
  /** Kills it without closing connections, and starts it again (F11). */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
};

/**
 * Starts a private server on a free loopback port. The tests' role owns its databases but is no superuser, as in a hosted
 * installation. `durable`: it waits for the disk, as a production server does. `settings`: others of postgresql.conf.
 */
export async function startPostgres(
  programs: string,
  { durable = false, settings: own = [] }: { durable?: boolean; settings?: readonly string[] } = {},
): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-postgres-'));
  const asNobody = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  if ('uid' in asNobody) chownSync(folder, nobody, nobody);
  const data = join(folder, 'data');
  const init = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...asNobody, cwd: folder, encoding: 'utf8' },
  );
  if (init.status !== 0) throw new Error(`initdb: ${init.stderr}`);
  const port = await freePort();
  const settings = [
    `listen_addresses=127.0.0.1`,
    // Every worker of the tests starts several programs with up to ten connections each.
    `max_connections=400`,
    `unix_socket_directories=${folder}`,
    ...(durable ? [] : ['fsync=off']),
    ...own,
  ];
  const start = () =>
    spawn(
      join(programs, 'postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      { ...asNobody, cwd: folder, stdio: 'ignore' },
    );
  let server = start();
  const end = async (signal: NodeJS.Signals) => {
    const gone = once(server, 'exit');
    server.kill(signal);
    await gone;
  };
  const admin = await connected(`postgresql://postgres@127.0.0.1:${port}/postgres`);
  await admin.query('create role kontor login createdb nosuperuser');
  await admin.end();
  return {
    url: `postgresql://kontor@127.0.0.1:${port}`,
    restart: async () => {
      await end('SIGQUIT');
      server = start();
    },
    stop: async () => {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns a free port of this machine. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function connected(url: string): Promise<pg.Client> {
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (attempt > 200) throw error;
      await wait(50);
    }
  }
}

/** The migrated database on the test server that tests copy. */
export const postgresTemplate = 'kontor_template';

/** Creates a database on the server at `url`: empty, or a copy of `template`, which must have no connections. */
export async function createDatabase(url: string, name: string, template = 'template1'): Promise<string> {
  const client = await connected(`${url}/postgres`);
  await client.query(`create database ${name} template ${template}`);
  await client.end();
  return `${url}/${name}`;
}
