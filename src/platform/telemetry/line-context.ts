import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/**
 * Fields of every log line written for a request or job. `trace` is that of the W3C header `traceparent`: one id for a request,
 * the jobs it orders, and the work of proxies before us.
 */
export type LineContext = {
  readonly trace: string;
  readonly request?: string;
  readonly job?: string;
  readonly kind?: string;
};

const current = new AsyncLocalStorage<LineContext>();

/** Runs `work`; its log lines, and those of everything it starts, carry `context`. */
export const withLineContext = <T>(context: LineContext, work: () => T): T => current.run(context, work);

export const lineContext = (): LineContext | undefined => current.getStore();

/** Returns a new unique trace id: 32 hexadecimal digits. */
export const newTrace = (): string => randomBytes(16).toString('hex');

/** Version 00 of the W3C format; later versions may append fields. */
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;
const NOBODY = '0'.repeat(32);

/** Returns the trace id of a request; undefined if its header is absent or unreadable. */
export function traceOf(traceparent: string | string[] | undefined): string | undefined {
  const trace = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
  return trace === NOBODY ? undefined : trace;
}

/** The parent of work that begins here. `span`, `sampled`: undefined if only the trace is known. */
export type TraceParent = {
  readonly trace: string;
  readonly span: string | undefined;
  readonly sampled: boolean | undefined;
};

/** Parses a traceparent, or a trace id alone as stored with jobs when no spans are collected. */
export function readParent(text: string | undefined): TraceParent | undefined {
  if (text === undefined) return undefined;
  if (/^[0-9a-f]{32}$/.test(text)) return { trace: text, span: undefined, sampled: undefined };
  const [, , span = '', flags = ''] = TRACEPARENT.exec(text) ?? [];
  const trace = traceOf(text);
  if (trace === undefined || /^0+$/.test(span)) return undefined;
  return { trace, span, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
