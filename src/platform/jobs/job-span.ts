import { newTrace, readParent, withLineContext } from '#platform/telemetry/line-context.ts';
import { activeSpan, endWith, runInSpan, type Traces } from '#platform/telemetry/spans.ts';
import type { Job } from './job.ts';

/** Outcomes that count as failures of an attempt. */
const failures: ReadonlySet<string> = new Set(['failed', 'lease-lost', 'unwritten']);

/**
 * Runs an attempt at a job: its log lines carry its trace, and its span is a child of the span that ordered the job, in
 * whichever process. A job stores the whole traceparent if spans are collected, otherwise only the trace id.
 */
export function asJob(traces: Traces, { id, kind, trace, attempts }: Job, work: () => Promise<void>): Promise<void> {
  const known = readParent(trace ?? undefined)?.trace ?? newTrace();
  return withLineContext({ job: id, kind, trace: known }, () => {
    const attributes = { 'kontor.job.kind': kind, 'kontor.job.attempt': attempts };
    const span = traces.begin({ name: `job ${kind}`, kind: 'consumer', attributes }, trace ?? known);
    return span === undefined ? work() : endWith(span, runInSpan(span, work));
  });
}

/** Stores the outcome of an attempt in its span. */
export const reportSpan = (outcome: string): void =>
  activeSpan()?.set({ 'kontor.job.outcome': outcome }, failures.has(outcome));
