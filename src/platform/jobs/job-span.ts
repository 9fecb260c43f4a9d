import { newTrace, readParent, withLineContext } from '#platform/telemetry/line-context.ts';
import { activeSpan, endWith, runInSpan, type Traces } from '#platform/telemetry/spans.ts';
import type { Job } from './job.ts';

/** How a job ended that did not do what it was to. */
const failures: ReadonlySet<string> = new Set(['failed', 'lease-lost', 'unwritten']);

/**
 * Does an attempt at a job: its lines carry its trace, and its span is a child of what ordered it, in whichever process that was. A job
 * keeps the whole traceparent where spans are collected, the trace alone elsewhere.
 */
export function asJob(traces: Traces, { id, kind, trace, attempts }: Job, work: () => Promise<void>): Promise<void> {
  const known = readParent(trace ?? undefined)?.trace ?? newTrace();
  return withLineContext({ job: id, kind, trace: known }, () => {
    const attributes = { 'kontor.job.kind': kind, 'kontor.job.attempt': attempts };
    const span = traces.begin({ name: `job ${kind}`, kind: 'consumer', attributes }, trace ?? known);
    return span === undefined ? work() : endWith(span, runInSpan(span, work));
  });
}

/** Says in the span of an attempt how it ended. */
export const tellSpan = (outcome: string): void =>
  activeSpan()?.set({ 'kontor.job.outcome': outcome }, failures.has(outcome));
