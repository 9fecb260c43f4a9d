import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './postgres.ts';

/** Ceph's gateway with the S3 interface; it needs root. */
export const objectStoreProgram = '/usr/bin/radosgw';
export const hasObjectStore = existsSync(objectStoreProgram) && process.getuid?.() === 0;

/** Address of the server, and a key. */
export type ObjectStore = { readonly endpoint: string; readonly accessKey: string; readonly secretKey: string };
type Cluster = ObjectStore & { readonly folder: string; readonly pids: readonly number[] };

/** Folder of the run's server: the first test that needs it starts it, `stopObjectStore` stops it after the last. */
const place = (): string => process.env['KONTOR_TEST_OBJECT_STORE'] ?? join(tmpdir(), `kontor-ceph-${process.ppid}`);
const readyFile = () => join(place(), 'ready.json');

const key = { accessKey: 'kontor-test', secretKey: 'geheim-geheim-geheim' };

/**
 * Returns one real S3 server on loopback, shared by all test files of a run, because it takes 9 s to start. All its data are in
 * its folder.
 */
export async function objectStore(): Promise<ObjectStore> {
  return cluster();
}

async function cluster(diskGb = 5): Promise<Cluster> {
  let first = true;
  try {
    mkdirSync(place());
  } catch {
    first = false;
  }
  if (first) {
    const started = join(place(), 'started.json');
    writeFileSync(started, JSON.stringify(await start(place(), diskGb)));
    renameSync(started, readyFile());
  }
  for (let tries = 0; !existsSync(readyFile()); tries++) {
    if (tries > 600) throw new Error('the object store did not start');
    await wait(100);
  }
  return JSON.parse(readFileSync(readyFile(), 'utf8')) as Cluster;
}

/** Stops the server that tests of this run have started, if any. */
export function stopObjectStore(): void {
  const folder = place();
  for (const name of ['ready.json', 'pids.json']) {
    const file = join(folder, name);
    if (!existsSync(file)) continue;
    const known = JSON.parse(readFileSync(file, 'utf8')) as { pids: number[] };
    for (const pid of known.pids.toReversed()) kill(pid, 'SIGKILL');
  }
  rmSync(folder, { recursive: true, force: true });
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

export type Gateway = ObjectStore & {
  kill(): Promise<void>;
  revive(): Promise<void>;
  /** A stopped gateway accepts connections and does not answer. */
  stop(): void;
  resume(): void;
};

/**
 * Starts a gateway of a test's own to the same data, which it may kill and stop without disturbing others. The first caller sets
 * the disk size.
 */
export async function ownGateway(diskGb?: number): Promise<Gateway> {
  const { folder } = await cluster(diskGb);
  const port = await freePort();
  const state: { child: ChildProcess | undefined } = { child: undefined };
  const revive = async () => {
    state.child = gateway(folder, port);
    await untilAnswers(port);
  };
  await revive();
  const send = (signal: NodeJS.Signals) => void state.child?.kill(signal);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    ...key,
    revive,
    kill: async () => {
      const { child } = state;
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => {
        child.once('exit', resolve);
      });
      child.kill('SIGKILL');
      await gone;
    },
    stop: () => send('SIGSTOP'),
    resume: () => send('SIGCONT'),
  };
}

/** Returns access to the same server for a user who may store only one object. */
export async function smallAccount(): Promise<ObjectStore> {
  const { folder, endpoint } = await cluster();
  const own = { accessKey: `klein-${randomUUID()}`, secretKey: randomUUID() };
  const admin = (...words: string[]) => run('radosgw-admin', ['-c', join(folder, 'ceph.conf'), ...words]);
  const user = `--uid=${own.accessKey}`;
  admin('user', 'create', user, '--display-name=klein', `--access-key=${own.accessKey}`, `--secret=${own.secretKey}`);
  admin('quota', 'set', '--quota-scope=bucket', user, '--max-objects=1');
  admin('quota', 'enable', '--quota-scope=bucket', user);
  return { endpoint, ...own };
}

/** Only for tests on loopback: a monitor, one disk in a sparse file, and a gateway, all below `folder`. */
async function start(folder: string, diskGb: number): Promise<Cluster> {
  const [port, monitor, older] = [await freePort(), await freePort(), await freePort()];
  const [id, disk] = [randomUUID(), randomUUID()];
  for (const name of ['run', 'log', 'crash', 'mon', 'osd']) mkdirSync(join(folder, name), { recursive: true });
  const file = join(folder, 'ceph.conf');
  writeFileSync(file, configuration(folder, id, { monitor, older, diskGb }));
  const at = ['-c', file];
  const keys = (name: string, ...rights: string[]) =>
    run('ceph-authtool', [
      ...(existsSync(join(folder, 'keyring')) ? [] : ['--create-keyring']),
      join(folder, 'keyring'),
      '--gen-key',
      '-n',
      name,
      ...rights.flatMap((right) => ['--cap', ...right.split('=')]),
    ]);
  keys('mon.', 'mon=allow *');
  keys('client.admin', 'mon=allow *', 'osd=allow *', 'mgr=allow *');
  keys('osd.0', 'mon=allow profile osd', 'osd=allow *');
  const address = `[v2:127.0.0.1:${monitor},v1:127.0.0.1:${older}]`;
  const map = join(folder, 'monmap');
  run('monmaptool', ['--create', '--clobber', '--fsid', id, '--addv', 'a', address, map]);
  run('ceph-mon', [...at, '-i', 'a', '--mkfs', '--monmap', map, '--keyring', join(folder, 'keyring')]);
  const pids = [daemon('ceph-mon', [...at, '-i', 'a', '-f'])];
  const note = () => writeFileSync(join(folder, 'pids.json'), JSON.stringify({ pids }));
  note();
  run('ceph', [...at, 'osd', 'new', disk]);
  run('ceph-osd', [...at, '-i', '0', '--mkfs', '--osd-uuid', disk, '--no-mon-config']);
  pids.push(daemon('ceph-osd', [...at, '-i', '0', '-f']));
  note();
  run('ceph', [...at, 'osd', 'crush', 'add', 'osd.0', '1.0', 'host=localhost', 'root=default']);
  pids.push(gateway(folder, port).pid ?? 0);
  note();
  const user = ['user', 'create', '--uid=kontor', '--display-name=kontor'];
  run('radosgw-admin', [...at, ...user, `--access-key=${key.accessKey}`, `--secret=${key.secretKey}`]);
  await untilAnswers(port);
  return { folder, pids, endpoint: `http://127.0.0.1:${port}`, ...key };
}

const configuration = (
  folder: string,
  id: string,
  { monitor, older, diskGb }: { monitor: number; older: number; diskGb: number },
): string => `[global]
fsid = ${id}
mon host = [v2:127.0.0.1:${monitor},v1:127.0.0.1:${older}]
mon initial members = a
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
keyring = ${folder}/keyring
run dir = ${folder}/run
admin socket = ${folder}/run/$name.$pid.asok
pid file = ${folder}/run/$type.$id.$pid.pid
log file = ${folder}/log/$name.log
crash dir = ${folder}/crash
mon data = ${folder}/mon
osd data = ${folder}/osd
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 1000
mon data avail crit = 1
osd objectstore = bluestore
bluestore block size = ${diskGb * 1024 ** 3}
osd memory target = 939524096
ms bind port min = 16800
ms bind port max = 17300
rgw run sync thread = false
rgw user quota sync interval = 1
rgw bucket quota ttl = 0
paxos propose interval = 0.05
paxos min wait = 0.01
mon tick interval = 1
`;

function gateway(folder: string, port: number): ChildProcess {
  const address = `--rgw-frontends=beast endpoint=127.0.0.1:${port}`;
  const keyring = ['--keyring', join(folder, 'keyring')];
  return spawn(objectStoreProgram, ['-c', join(folder, 'ceph.conf'), '-n', 'client.admin', ...keyring, address, '-f'], {
    stdio: 'ignore',
  });
}

function daemon(program: string, parameters: readonly string[]): number {
  // It serves the other files of the run as well, so it outlives the process that started it.
  const child = spawn(program, parameters, { stdio: 'ignore', detached: true });
  child.unref();
  return child.pid ?? 0;
}

function run(program: string, parameters: readonly string[]): void {
  const { status, stderr } = spawnSync(program, parameters, { encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`${program} ${parameters.join(' ')}: ${stderr}`);
}

async function untilAnswers(port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      ({ status }) => status < 500,
      () => false,
    );
    if (answered) return;
    await wait(100);
  }
  throw new Error('the gateway of the object store does not answer');
}
