import type { DuckDBInstance } from '@duckdb/node-api';
import type { Calculator, Connection } from './connection.ts';

export type DuckOptions = {
  /** The only folder that queries may read and write. */
  folder: string;
  /** Distinguishes instances of one folder: two that spill to the same place would overwrite each other's files. */
  instance?: string | undefined;
  /** In DuckDB notation; 2 GB is the least at which rules over Parquet do not spill badly (docs/decisions/0003). */
  memoryLimit?: string | undefined;
  threads?: number | undefined;
  /**
   * Whether to cache data read from files, up to the memory limit, while questions come in: a page is read again and again (half
   * the time, measured under load). Runs read each file once, so the cache would only grow.
   */
  keepFiles?: boolean | undefined;
  /** Time in ms without use after which memory is released; shorter in tests. */
  restMs?: number | undefined;
};

/** Longer than users pause between two questions. */
const REST_MS = 20_000;

/** Returns the folder to which an instance spills what does not fit into memory. */
export const spillFolder = ({ folder, instance = 'main' }: DuckOptions): string => `${folder}/.duckdb-tmp/${instance}`;

/** DuckDB itself, loaded with the first question: a program that answers none needs 40 MB less and starts sooner. */
const library = () => import('./local-connection.ts');

/**
 * An in-memory DuckDB in this process, locked to one folder: no statement can extend its rights again (T9). It is closed while
 * unused, because it would keep file data up to its memory limit, and opens again with the next question.
 */
export class DuckInstance implements Calculator {
  private readonly options: DuckOptions;
  private instance: Promise<DuckDBInstance> | undefined;
  private users = 0;
  private rest: ReturnType<typeof setTimeout> | undefined;
  constructor(options: DuckOptions) {
    this.options = options;
  }

  /** Opens DuckDB once. @throws if the settings are wrong, before the first question */
  async check(): Promise<void> {
    await this.opened();
    this.restLater();
  }

  /** Opens a connection. The instance is not closed while a connection is open. */
  async connect(): Promise<Connection> {
    this.users++;
    clearTimeout(this.rest);
    try {
      const [instance, { LocalConnection }] = await Promise.all([this.opened(), library()]);
      return new LocalConnection(this, await instance.connect(), () => this.leave());
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  close(): void {
    clearTimeout(this.rest);
    this.closeInstance();
  }

  private opened(): Promise<DuckDBInstance> {
    return (this.instance ??= library()
      .then(({ openInstance }) => openInstance(this.options))
      .catch((error: unknown) => {
        this.instance = undefined;
        throw error;
      }));
  }

  private leave(): void {
    this.users--;
    if (this.users === 0) this.restLater();
  }

  private restLater(): void {
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.closeInstance(), this.options.restMs ?? REST_MS).unref();
  }

  private closeInstance(): void {
    const { instance } = this;
    this.instance = undefined;
    void instance?.then((open) => open.closeSync()).catch(() => {});
  }
}
