import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasObjectStore, ownGateway, stopObjectStore } from '../../test/servers/object-store.ts';
import { createDatabase, postgresPrograms, startPostgres } from '../../test/servers/postgres.ts';
import { makeBucket } from '../../test/stages/bucket-stage.ts';
import { startKontor } from '../kontor-process.ts';
import { peakMbBelow, processorSecondsBelow } from '../process-cost.ts';

export type Place = 'folder' | 'bucket';
type Settings = {
  readonly place: Place;
  /** DuckDB's memory in each process (KONTOR_MEMORY). */
  readonly memory: string;
  /** Disk of the object store, which grows with what is written. */
  readonly diskGb: number;
};

/** Workers with the same settings that live as long as one measurement. */
export type Workers = {
  /** Returns the processor seconds of each with its children, since its start. */
  readonly seconds: () => number[];
  /** Returns the peak memory of the largest worker, including its children. */
  readonly peakMb: () => number;
  /** Returns workers that ended unexpectedly. */
  readonly gone: () => string[];
  readonly stop: () => Promise<void>;
};

/** The real program as several processes on PostgreSQL: one web process, and workers that are started and stopped. */
export class GrowthStage {
  url = '';
  databaseUrl = '';
  private readonly folder: string;
  private readonly settings: Settings;
  private environment: Readonly<Record<string, string>> = {};
  private readonly stops: (() => Promise<unknown>)[] = [];
  private started = 0;

  private constructor(folder: string, settings: Settings) {
    this.folder = folder;
    this.settings = settings;
  }

  /** @throws if this machine lacks a server */
  static async start(folder: string, settings: Settings): Promise<GrowthStage> {
    const stage = new GrowthStage(folder, settings);
    try {
      await stage.startAll();
      return stage;
    } catch (error) {
      await stage.stop();
      throw error;
    }
  }

  /** Starts new workers: none has cached what an earlier one fetched or computed. */
  async workers(count: number, environment: Readonly<Record<string, string>>): Promise<Workers> {
    const names = Array.from({ length: count }, () => `worker-${++this.started}`);
    const started = await Promise.allSettled(names.map((name) => this.startProcess(name, 'worker', environment)));
    const alive = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const stop = async () => {
      await Promise.all(alive.map(end));
      // Files that a worker fetched from the bucket.
      if (this.settings.place === 'bucket')
        for (const name of names) await rm(join(this.folder, name), { recursive: true, force: true });
    };
    const failed = started.find((one) => one.status === 'rejected');
    if (failed) {
      await stop();
      throw failed.reason;
    }
    return {
      seconds: () => alive.map(({ pid }) => processorSecondsBelow(pid ?? 0)),
      peakMb: () => Math.max(...alive.map(({ pid }) => peakMbBelow(pid ?? 0))),
      gone: () => names.filter((_, index) => alive[index] !== undefined && hasEnded(alive[index])),
      stop,
    };
  }

  /** Deletes the files of an export's runs after reading: together they would need several times the disk of one. */
  async dropFiles(exportId: string): Promise<void> {
    if (this.settings.place !== 'folder') return;
    await rm(join(this.folder, 'data', 'items', exportId, 'runs'), { recursive: true, force: true });
  }

  async stop(): Promise<void> {
    for (const stop of this.stops.toReversed()) await stop();
    this.stops.length = 0;
  }

  private async startAll(): Promise<void> {
    const programs = postgresPrograms();
    if (programs === undefined) throw new Error('Hier fehlt PostgreSQL >= 15');
    const postgres = await startPostgres(programs);
    this.stops.push(postgres.stop);
    this.databaseUrl = await createDatabase(postgres.url, 'wachstum');
    const shared = { DATABASE_URL: this.databaseUrl, KONTOR_SECRET: 'wachstum-geheimnis-wachstum-geheimnis' };
    this.environment = { ...shared, ...(this.settings.place === 'bucket' ? await this.startBucket() : {}) };
    const web = await this.startProcess('web', 'web', {});
    this.stops.push(() => end(web));
  }

  private async startBucket(): Promise<Record<string, string>> {
    if (!hasObjectStore) throw new Error('Hier fehlt radosgw (als root)');
    process.env['KONTOR_TEST_OBJECT_STORE'] = join(this.folder, 'ceph');
    this.stops.push(async () => stopObjectStore());
    const gateway = await ownGateway(this.settings.diskGb);
    this.stops.push(() => gateway.kill());
    return {
      KONTOR_STORE: `s3://${await makeBucket(gateway)}/kontor`,
      S3_ENDPOINT: gateway.endpoint,
      S3_ACCESS_KEY: gateway.accessKey,
      S3_SECRET_KEY: gateway.secretKey,
    };
  }

  private async startProcess(name: string, role: 'web' | 'worker', environment: Readonly<Record<string, string>>) {
    const data = join(this.folder, this.settings.place === 'bucket' ? name : 'data');
    mkdirSync(data, { recursive: true });
    const more = {
      ...this.environment,
      ...environment,
      KONTOR_MEMORY: this.settings.memory,
      KONTOR_ROLE: role,
      KONTOR_LOG: 'warn',
      // The catalogue comes from this machine, which the program may only call in a test.
      NODE_ENV: 'test',
      KONTOR_EGRESS_LOOPBACK: '1',
    };
    const { url, child } = await startKontor(data, more, 'scripts/start.mjs');
    child.stdout?.on('data', (chunk: Buffer) => appendFileSync(join(this.folder, `${name}.log`), chunk));
    if (role === 'web') this.url = url;
    return child;
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 40_000);
  await gone;
  clearTimeout(late);
}
