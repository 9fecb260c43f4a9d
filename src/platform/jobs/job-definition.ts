import type { z } from 'zod';
import type { Trx } from '#platform/db/database.ts';
import { lineContext } from '#platform/telemetry/line-context.ts';
import { activeSpan } from '#platform/telemetry/spans.ts';
import type { Job, JobContext, JobEnd } from './job.ts';
import type { Pool } from './job-pools.ts';
import { endOfFailure, type Retry } from './retries.ts';

/**
 * A kind of job: its name, its payload, the pool whose slots it takes, and how it is retried. This is all that is needed to add
 * a job; `jobRunner` binds it to its handler, where connections and folders are available.
 */
export type JobDefinition<P extends z.ZodType> = {
  readonly kind: string;
  readonly payload: P;
  readonly pool: Pool;
  /** Without it a failure ends the job. */
  readonly retry?: Retry<z.output<P>>;
};

export const defineJob = <P extends z.ZodType>(definition: JobDefinition<P>): JobDefinition<P> => definition;

/** `inOrder`: the job starts only when every earlier job of its subject has ended. */
export type NewJob<P> = { company: string; id: string; subject: string; payload: P; inOrder?: boolean };

/** Adds a job inside the caller's transaction: both become visible together or not at all. */
export async function addJob<P extends z.ZodType>(
  trx: Trx,
  { kind }: JobDefinition<P>,
  { company, id, subject, payload, inOrder = false }: NewJob<z.input<P>>,
): Promise<void> {
  await trx
    .insertInto('jobs')
    .values((eb) => ({
      company,
      id,
      kind,
      subject,
      state: 'queued',
      payload: JSON.stringify(payload),
      trace: activeSpan()?.traceparent ?? lineContext()?.trace ?? null,
      in_order: inOrder,
      // Not the transaction's time: jobs added in one transaction must keep their order, too.
      created_at: eb.fn<Date>('clock_timestamp'),
    }))
    .execute();
}

/** Thrown when the payload of a job does not fit its kind: another version of the program wrote it. */
export class UnreadablePayload extends Error {
  constructor(kind: string, cause: unknown) {
    super(
      `Der Auftrag dieses Laufs (${kind}) ist nicht lesbar; er stammt wohl von einer anderen Fassung des Programms. Der bisherige Stand gilt weiter. Bitte erneut starten.`,
      { cause },
    );
  }
}

/** Parses the payload of a job. @throws UnreadablePayload */
export function payloadOf<P extends z.ZodType>({ kind, payload }: JobDefinition<P>, text: string): z.output<P> {
  try {
    return payload.parse(JSON.parse(text));
  } catch (error) {
    throw new UnreadablePayload(kind, error);
  }
}

/** A job as passed to its handler: with its payload parsed. */
export type RunningJob<P> = Omit<Job, 'payload'> & { readonly payload: P };

/** The runner for all jobs of one kind. */
export type JobRunner = {
  readonly kind: string;
  readonly pool: Pool;
  /** @throws errors that the kind's `retry` does not recognise: faults of the program */
  readonly run: (job: Job, context: JobContext) => Promise<JobEnd>;
};

/**
 * Binds a kind of job to its handler: `run` returns how the job ended, or throws; `retry` decides whether the error is a
 * failure. `onFailure` records a failed attempt, in the transaction of the attempt's end.
 */
export function jobRunner<P extends z.ZodType>(
  definition: JobDefinition<P>,
  run: (job: RunningJob<z.output<P>>, context: JobContext) => Promise<JobEnd>,
  onFailure?: (trx: Trx, failed: { job: Job; error: unknown; end: JobEnd }) => Promise<void>,
): JobRunner {
  const { kind, pool, retry } = definition;
  return {
    kind,
    pool,
    run: async (job, context) => {
      const payload = payloadOf(definition, job.payload);
      try {
        return await run({ ...job, payload }, context);
      } catch (error) {
        const end = context.signal.aborted ? undefined : retry && endOfFailure(retry, { job, payload }, error);
        if (end === undefined) throw error;
        return onFailure ? { ...end, effect: (trx) => onFailure(trx, { job, error, end }) } : end;
      }
    },
  };
}
