import { z } from 'zod';

/** German labels of the kinds of jobs; other kinds have none. */
const jobWords: ReadonlyMap<string, string> = new Map([
  ['import', 'Import'],
  ['export', 'Export'],
  ['export-part', 'Teil eines Exports'],
  ['import-part', 'Teil eines Imports'],
  ['upload', 'Übertragung'],
  ['images', 'Bildprüfung'],
  ['stock', 'Bestandsdatei'],
  ['prices', 'Preismeldung'],
  ['deliver', 'Benachrichtigung'],
  ['digest', 'Sammelmail'],
  ['maintenance', 'Nächtliche Pflege'],
  ['company-export', 'Archiv der Firmendaten'],
  ['purge', 'Endgültiges Löschen'],
]);
export const jobLabel = (kind: string): string => jobWords.get(kind) ?? kind;

const time = z.iso.datetime();
/** Activity and stored data of an installation, over all companies, for its operator. Sizes are bytes. */
export const InstallationUse = z
  .object({
    /** Waiting and running jobs, and those that failed in the last day; `oldest`: when the oldest was ordered. */
    jobs: z.array(z.object({ kind: z.string(), state: z.string(), count: z.number().int(), oldest: time.nullable() })),
    running: z.array(
      z.object({
        id: z.string(),
        company: z.string(),
        companyName: z.string(),
        kind: z.string(),
        startedAt: time.nullable(),
        /** The process that runs it: its machine and number. */
        worker: z.string().nullable(),
        progress: z.object({ done: z.number(), total: z.number(), phase: z.string() }),
        cancelling: z.boolean(),
      }),
    ),
    /** Processes that use this database, or did within the last day; `running`: number of jobs of each. */
    processes: z.array(
      z.object({
        name: z.string(),
        role: z.enum(['all', 'web', 'worker']),
        program: z.string(),
        startedAt: time,
        seenAt: time,
        answers: z.boolean(),
        running: z.number().int(),
        /** Who drained it, so that it starts no jobs, and since when. */
        drained: z.object({ by: z.string(), since: time }).nullable(),
      }),
    ),
    /** Where files are stored: '' is the data folder. `refusal`: why they cannot be accessed, in German. */
    store: z.object({ place: z.string(), refusal: z.string().nullable() }),
    /** Items being sent to marketplaces, by kind of account. `unclear`: those that people have to check. */
    marketplaces: z.array(
      z.object({
        connector: z.string(),
        name: z.string(),
        accounts: z.number().int(),
        companies: z.number().int(),
        prices: z.number().int(),
        oldestPrice: time.nullable(),
        actions: z.number().int(),
        oldestAction: time.nullable(),
        unclear: z.number().int(),
      }),
    ),
    /** Failed jobs of the last day, the newest 50. `retryable`: not retried yet, and its kind may be run twice. */
    failed: z.array(
      z.object({
        id: z.string(),
        company: z.string(),
        companyName: z.string(),
        kind: z.string(),
        failedAt: time.nullable(),
        retryable: z.boolean(),
        /** Who retried it, and the state of the retry; null: that job was deleted since. */
        retried: z.object({ by: z.string(), at: time, state: z.string().nullable() }).nullable(),
      }),
    ),
    /** Number of jobs per kind that failed in the last day and can be retried. */
    retryable: z.record(z.string(), z.number().int()),
    companies: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        members: z.number().int(),
        catalogues: z.number().int(),
        exports: z.number().int(),
        waiting: z.number().int(),
        bytes: z.number(),
      }),
    ),
    companiesTotal: z.number().int(),
    deleted: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        by: z.string(),
        at: time,
        rows: z.number().int(),
        files: z.number().int(),
        bytes: z.number(),
      }),
    ),
    database: z.object({ embedded: z.boolean(), version: z.string(), bytes: z.number() }),
    disk: z.object({ free: z.number(), total: z.number() }),
    program: z.string(),
    node: z.string(),
  })
  .meta({ id: 'InstallationUse' });
export type InstallationUse = z.infer<typeof InstallationUse>;
