import type { Trx } from '#platform/db/database.ts';
import type { Row } from '#platform/db/row.ts';
import type { JobFile } from './job-files.ts';

export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled', 'blocked'] as const;
export type JobState = (typeof jobStates)[number];

/** A row of the jobs table. `payload`, `progress` and `result` are JSON texts that only the job's own subject reads. */
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
  | 'not_before'
  | 'trace'
>;

/**
 * Thrown by an `effect` when what its job was computed from was replaced meanwhile: nothing of the end is stored, and the job
 * starts anew at once.
 */
export class Overtaken extends Error {}

/**
 * How a job ended. `files` get their names and `effect` runs in the transaction that stores the end, and only if the lease still
 * holds: a worker that lost its lease can make nothing visible. Nothing in `effect` may wait for a disk or a network; the
 * contents of `files` are forced to the disk before the transaction begins. `after` always runs, last: it cleans up, and
 * receives whether the end was stored.
 */
export type JobEnd = {
  /** again: the job stays queued and is retried after `seconds`, with this result available. */
  state: 'done' | 'failed' | 'cancelled' | 'blocked' | 'again';
  seconds?: number;
  result?: unknown;
  message?: string;
  /** Whether it has failed so often that users are notified, although it is retried. */
  failsForLong?: boolean;
  files?: readonly JobFile[];
  effect?: (trx: Trx) => Promise<void>;
  after?: (ended: boolean) => Promise<void>;
};

export type JobContext = {
  /** Aborted when the user cancels, the lease is lost or the program stops. */
  signal: AbortSignal;
  /** Stores the progress; written at most twice a second. */
  progress(value: unknown): void;
};
