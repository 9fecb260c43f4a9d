import { z } from 'zod';
import type { StoragePaths } from './storage-paths.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { KontorError } from '#platform/errors.ts';
import { type QuotaKind, quotaKinds, type QuotaUse } from '#shared/operations/quotas.ts';

/** Quotas that the installation grants each company; undefined: unlimited. */
export type QuotaLimits = Readonly<Record<QuotaKind, number | undefined>>;

const count = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 1 });
const size = (bytes: number): string =>
  bytes < 1e9 ? `${count.format(bytes / 1e6)} MB` : `${count.format(bytes / 1e9)} GB`;

const Counted = z.object({ n: z.number().int() });
const tables = { catalogues: 'masters', exports: 'exports', jobs: 'jobs' } as const;
const more = 'Löschen Sie einen, den Sie nicht mehr brauchen, oder bitten Sie den Betreiber um mehr.';
const refusals = {
  catalogues: (used: number, limit: number, done = 'angelegt') =>
    `Ihre Firma hat ${count.format(used)} von ${count.format(limit)} Katalogen angelegt. Es wurde nichts ${done}. ${more}`,
  exports: (used: number, limit: number, done = 'angelegt') =>
    `Ihre Firma hat ${count.format(used)} von ${count.format(limit)} Exporten angelegt. Es wurde nichts ${done}. ${more}`,
  jobs: (used: number, limit: number) =>
    `Es warten schon ${count.format(used)} Läufe Ihrer Firma, mehr als ${count.format(limit)} dürfen es nicht sein. Es wurde nichts gestartet. Warten Sie, bis einige fertig sind, oder brechen Sie welche ab.`,
  bytes: (used: number, limit: number) =>
    `Die Dateien Ihrer Firma belegen ${size(used)} von ${size(limit)}. Der bisherige Stand gilt weiter. Löschen Sie Kataloge oder Exporte (der Speicher wird frei, wenn sie den Papierkorb verlassen) oder bitten Sie den Betreiber um mehr.`,
} as const satisfies Record<QuotaKind, (used: number, limit: number, done?: string) => string>;

/** Quotas of companies, and their use. */
export class Quotas {
  private readonly database: Database;
  private readonly storagePaths: Pick<StoragePaths, 'company' | 'store'>;
  private readonly limits: QuotaLimits;

  constructor(database: Database, storagePaths: Pick<StoragePaths, 'company' | 'store'>, limits: QuotaLimits) {
    this.database = database;
    this.storagePaths = storagePaths;
    this.limits = limits;
  }

  /**
   * To be called in the transaction that adds one. Entries of the trash do not count. @throws 409 quota_exceeded if the quota is
   * used up
   */
  async requireOneMore(trx: Trx, company: string, kind: 'catalogues' | 'exports' | 'jobs'): Promise<void> {
    const limit = this.limits[kind];
    if (limit === undefined) return;
    await lockCount(trx, company, kind);
    const used = await this.counted(trx, company, kind);
    if (used >= limit) throw exceeded(kind, used, limit);
  }

  /**
   * To be called in the transaction that restored `back` entries from the trash. @throws 409 quota_exceeded if there are too many
   * now
   */
  async requireRoomFor(trx: Trx, company: string, kind: 'catalogues' | 'exports', back: number): Promise<void> {
    const limit = this.limits[kind];
    if (limit === undefined || back === 0) return;
    await lockCount(trx, company, kind);
    const used = await this.counted(trx, company, kind);
    if (used > limit) throw exceeded(kind, used - back, limit, 'wiederhergestellt');
  }

  /** Measures the files, so not inside a transaction. @throws 409 quota_exceeded if they take up the whole quota */
  async requireSpace(company: string): Promise<void> {
    const limit = this.limits.bytes;
    if (limit === undefined) return;
    const { bytes } = await this.storagePaths.store.sizeOf([this.storagePaths.company(company)]);
    if (bytes >= limit) throw exceeded('bytes', bytes, limit);
  }

  /** Returns what a company uses of each quota. */
  async used(company: string): Promise<QuotaUse[]> {
    const { bytes } = await this.storagePaths.store.sizeOf([this.storagePaths.company(company)]);
    return this.database.company(company, async (trx) => {
      const uses: QuotaUse[] = [];
      for (const kind of quotaKinds) {
        const used = kind === 'bytes' ? bytes : await this.counted(trx, company, kind);
        uses.push({ kind, used, limit: this.limits[kind] ?? null });
      }
      return uses;
    });
  }

  private async counted(trx: Trx, company: string, kind: 'catalogues' | 'exports' | 'jobs'): Promise<number> {
    // All parts of a run count as one job.
    // A transaction that restores sees the whole trash, so it is excluded here.
    const which =
      kind === 'jobs' ? pg`state = 'queued' and kind not in ('export-part', 'import-part')` : pg`trashed_at is null`;
    const { rows } = await pg`select count(*)::int as n from ${pg.table(tables[kind])}
      where company = ${company} and ${which}`.execute(trx);
    return Counted.parse(rows[0]).n;
  }
}

/** Two concurrent transactions, in any processes, would each find room for one: the lock makes the second wait. */
const lockCount = (trx: Trx, company: string, kind: QuotaKind) =>
  pg`select pg_advisory_xact_lock(hashtextextended(${`quota ${company} ${kind}`}, 0))`.execute(trx);

const exceeded = (kind: QuotaKind, used: number, limit: number, done?: string) =>
  new KontorError(409, 'quota_exceeded', refusals[kind](used, limit, done));
