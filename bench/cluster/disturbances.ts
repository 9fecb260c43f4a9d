import { setTimeout as wait } from 'node:timers/promises';
import type { Database, Trx } from '#platform/db/database.ts';
import { seeded } from '../../seed/random.ts';
import type { ClusterServers } from './servers.ts';
import type { Cluster } from './stage.ts';

/** Longest time (ms) from the database's return until the API answers again (I10). */
const HEALED_MS = 10_000;
const LOOK_MS = 250;

type Left = { id: string; kind: string; fence: number };
export type TakeOver = { readonly from: string; readonly kind: string; readonly seconds: number };

/** Disturbs a cluster, and measures how long the jobs of a killed process wait until another one takes them over. */
export class Disturbances {
  readonly takeOvers: TakeOver[] = [];
  /** Number of kills, by name of the process. */
  readonly kills = new Map<string, number>();
  /** Seconds from the restart of the database until it accepted connections again, and from the store's end to its return. */
  databaseSeconds: number[] = [];
  storeSeconds: number[] = [];
  private readonly cluster: Cluster;
  private readonly servers: ClusterServers;
  private readonly database: Database;
  private readonly chance = seeded(19);
  private readonly looking = new Set<Promise<void>>();
  private over = false;

  constructor(cluster: Cluster, servers: ClusterServers, database: Database) {
    this.cluster = cluster;
    this.servers = servers;
    this.database = database;
  }

  /** Kills a random running process, which its supervisor restarts. Returns its name. */
  killOne(): string | undefined {
    const alive = this.cluster.processes.filter(({ pid }) => pid !== undefined);
    if (alive.length === 0) return undefined;
    const one = this.chance.pick(alive);
    const { name, pid } = one;
    // Only calls to a web process may fail with it: the end of a worker must go unnoticed.
    const killed = one.kill();
    if (one.role === 'web') void this.cluster.troubled(() => killed);
    this.kills.set(name, (this.kills.get(name) ?? 0) + 1);
    if (one.role === 'worker') this.watch(this.takenOver(name, pid ?? 0, performance.now()));
    return name;
  }

  /** Kills the database without a shutdown, and starts it again. */
  async restartDatabase(): Promise<void> {
    await this.cluster.troubled(async () => {
      const begun = performance.now();
      await this.servers.postgres.restart();
      while (!(await this.answers())) await wait(LOOK_MS);
      this.databaseSeconds.push((performance.now() - begun) / 1000);
      await wait(HEALED_MS);
    });
  }

  /**
   * Half of the time the store accepts connections but does not answer, half of the time it is down. Calls that need it are
   * answered 503; nothing else fails.
   */
  async storeAway(seconds: number): Promise<void> {
    const { gateway } = this.servers;
    const begun = performance.now();
    gateway.stop();
    await wait(seconds * 500);
    await gateway.kill();
    await wait(seconds * 500);
    await gateway.revive();
    this.storeSeconds.push((performance.now() - begun) / 1000);
  }

  /** Waits until every job of a killed process was taken over. */
  async settle(seconds: number): Promise<void> {
    const late = setTimeout(() => {
      this.over = true;
    }, seconds * 1000);
    await Promise.all(this.looking);
    clearTimeout(late);
  }

  private async answers(): Promise<boolean> {
    return this.database.ping().then(
      () => true,
      () => false,
    );
  }

  private watch(work: Promise<void>): void {
    const one = work.finally(() => this.looking.delete(one));
    this.looking.add(one);
  }

  private async takenOver(from: string, pid: number, since: number): Promise<void> {
    let left = await this.asked((trx) =>
      trx
        .selectFrom('jobs')
        .select(['id', 'kind', 'fence'])
        .where('state', '=', 'running')
        .where('worker', 'like', `%/${pid}`)
        .execute(),
    );
    while (left.length > 0) {
      await wait(LOOK_MS);
      const ids = left.map(({ id }) => id);
      const now = await this.asked((trx) =>
        trx.selectFrom('jobs').select(['id', 'fence', 'state']).where('id', 'in', ids).execute(),
      );
      const waits = ({ id, fence }: Left) =>
        now.some((row) => row.id === id && row.fence === fence && row.state === 'running');
      const seconds = (performance.now() - since) / 1000;
      for (const one of left) if (!waits(one) || this.over) this.takeOvers.push({ from, kind: one.kind, seconds });
      left = this.over ? [] : left.filter(waits);
    }
  }

  /** The database may be unavailable for a moment. */
  private async asked<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await this.database.system(work);
      } catch (error) {
        if (this.over) throw error;
        await wait(LOOK_MS);
      }
    }
  }
}
