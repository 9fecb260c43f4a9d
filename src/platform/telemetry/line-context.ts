import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/**
 * What every line of the log says that is written while a request is answered or a job runs. `trace` is that of the W3C's header
 * `traceparent`: one number for a request, the jobs it orders, and whatever a proxy before us did for it.
 */
export type LineContext = {
  readonly trace: string;
  readonly request?: string;
  readonly job?: string;
  readonly kind?: string;
};

const current = new AsyncLocalStorage<LineContext>();

/** Does `work`; its lines and those of all that follows from it carry `context`. */
export const withLineContext = <T>(context: LineContext, work: () => T): T => current.run(context, work);

export const lineContext = (): LineContext | undefined => current.getStore();

/** A number that nobody else has: 32 hexadecimal digits. */
export const newTrace = (): string => randomBytes(16).toString('hex');

/** Version 00 as the W3C wrote it; a later version may add to its end. */
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;
const NOBODY = '0'.repeat(32);

/** The trace that a request belongs to; undefined where its header says none, or nothing that can be read. */
export function traceOf(traceparent: string | string[] | undefined): string | undefined {
  const trace = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
  return trace === NOBODY ? undefined : trace;
}

/** Where work belongs that begins here. `span`, `sampled`: undefined where only the trace is known. */
export type TraceParent = {
  readonly trace: string;
  readonly span: string | undefined;
  readonly sampled: boolean | undefined;
};

/** Reads a traceparent, or a trace alone as jobs keep it where nobody collects spans. */
export function readParent(text: string | undefined): TraceParent | undefined {
  if (text === undefined) return undefined;
  if (/^[0-9a-f]{32}$/.test(text)) return { trace: text, span: undefined, sampled: undefined };
  const [, , span = '', flags = ''] = TRACEPARENT.exec(text) ?? [];
  const trace = traceOf(text);
  if (trace === undefined || /^0+$/.test(span)) return undefined;
  return { trace, span, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
