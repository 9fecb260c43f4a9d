import type { Trx } from '#platform/db/database.ts';
import type { Row } from '#platform/db/row.ts';
import type { JobFile } from './job-files.ts';

export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled', 'blocked'] as const;
export type JobState = (typeof jobStates)[number];

/** A row of the jobs table. `payload`, `progress` and `result` are JSON texts that only their own subject reads. */
export type Job = Row<
  'jobs',
  | 'company'
  | 'id'
  | 'kind'
  | 'subject'
  | 'state'
  | 'payload'
  | 'progress'
  | 'result'
  | 'message'
  | 'fence'
  | 'attempts'
  | 'cancel'
  | 'created_at'
  | 'started_at'
  | 'finished_at'
  | 'trace'
>;

/**
 * How a job ended. `files` get their names and `effect` runs in the transaction that marks the end, and only if the lease still
 * holds: a worker that was overtaken can make nothing visible. Nothing in `effect` waits for a disk or a network; the
 * contents of `files` are forced to the disk before the transaction begins. `after` runs in any case, last: it clears away, and is
 * told whether the end was written.
 */
export type JobEnd = {
  /** again: it stays queued and is tried once more after `seconds`, with this result at hand. */
  state: 'done' | 'failed' | 'cancelled' | 'blocked' | 'again';
  seconds?: number;
  result?: unknown;
  message?: string;
  /** It has failed so often that people are told, though it is tried again. */
  failsForLong?: boolean;
  files?: readonly JobFile[];
  effect?: (trx: Trx) => Promise<void>;
  after?: (ended: boolean) => Promise<void>;
};

export type JobContext = {
  /** Aborted when the user cancels, the lease is lost or the program stops. */
  signal: AbortSignal;
  /** Remembers how far the work is; written at most twice a second. */
  progress(value: unknown): void;
};
