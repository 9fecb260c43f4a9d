import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startHaproxy, type Proxy } from '../../test/servers/haproxy.ts';
import { freePort } from '../../test/servers/postgres.ts';
import { ClusterProcess } from './process.ts';
import type { ClusterSpace } from './servers.ts';
import type { Stage, StageData } from '../long-run/stage.ts';

export type ClusterSize = { readonly webs: number; readonly workers: number };

/** Many processes on one database and one bucket, each with a folder of its own, behind the proxy that we ship. */
export class Cluster implements Stage, StageData {
  readonly answers = true;
  readonly folder: string;
  readonly databaseUrl: string;
  readonly processes: readonly ClusterProcess[];
  private readonly proxy: Proxy;
  private breaks = 0;
  private troubles = 0;

  private constructor(folder: string, databaseUrl: string, processes: readonly ClusterProcess[], proxy: Proxy) {
    this.folder = folder;
    this.databaseUrl = databaseUrl;
    this.processes = processes;
    this.proxy = proxy;
  }

  /** Starts all at the same moment, as after a reboot of the machine. */
  static async start(folder: string, space: ClusterSpace, { webs, workers }: ClusterSize): Promise<Cluster> {
    const processes: ClusterProcess[] = [];
    const ports: number[] = [];
    const { environment } = space;
    for (let n = 1; n <= webs; n++) {
      const port = await freePort();
      ports.push(port);
      processes.push(
        new ClusterProcess({ name: `web-${n}`, role: 'web', folder: join(folder, `web-${n}`), port, environment }),
      );
    }
    for (let n = 1; n <= workers; n++) {
      const name = `worker-${n}`;
      processes.push(new ClusterProcess({ name, role: 'worker', folder: join(folder, name), port: 0, environment }));
    }
    const proxy = await startHaproxy(ports);
    const cluster = new Cluster(folder, space.databaseUrl, processes, proxy);
    const started = await Promise.allSettled(processes.map((one) => one.start()));
    const failed = started.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') {
      await cluster.stop();
      throw failed.reason;
    }
    await cluster.untilAnswers();
    return cluster;
  }

  get url(): string {
    return this.proxy.url;
  }

  /** One line of the proxy's log per request. */
  get proxyLog(): string {
    return this.proxy.output();
  }

  watch(): () => boolean {
    const { breaks, troubles } = this;
    return () => troubles > 0 || this.breaks !== breaks;
  }

  /** Runs a disturbance: until the end of `work` everything may fail. */
  async troubled<T>(work: () => Promise<T>): Promise<T> {
    this.breaks++;
    this.troubles++;
    try {
      return await work();
    } finally {
      this.troubles--;
      this.breaks++;
    }
  }

  of(role: ClusterProcess['role']): ClusterProcess[] {
    return this.processes.filter((one) => one.role === role);
  }

  /** Waits until every process is running. @throws after `seconds` */
  async untilWhole(seconds = 120): Promise<void> {
    for (const until = performance.now() + seconds * 1000; ; await wait(250)) {
      const dead = this.processes.filter(({ pid }) => pid === undefined).map(({ name }) => name);
      if (dead.length === 0) return;
      if (performance.now() > until) throw new Error(`${dead.join(', ')}: nach ${seconds} s nicht wieder da`);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((one) => one.stop()));
    await this.proxy.stop();
  }

  private async untilAnswers(): Promise<void> {
    for (const until = performance.now() + 30_000; ; await wait(100)) {
      const answer = await fetch(`${this.url}/readyz`).catch(() => undefined);
      if (answer?.ok === true) return;
      if (performance.now() > until) throw new Error(`the proxy answers ${answer?.status}`);
    }
  }
}
