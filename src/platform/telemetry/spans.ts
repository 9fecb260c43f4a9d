import { AsyncLocalStorage } from 'node:async_hooks';

/** Attributes of a span. As with labels of metrics: never a company, person, article or address, or an id of one. */
export type Attributes = Readonly<Record<string, string | number>>;
export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';
export type SpanStart = { readonly name: string; readonly kind: SpanKind; readonly attributes: Attributes };

/** A piece of work that has begun. */
export type Span = {
  /** The W3C header by which work in another process can continue this span. */
  readonly traceparent: string;
  child(start: SpanStart): Span;
  /** Adds attributes; `failed` marks the span permanently. */
  set(attributes: Attributes, failed?: boolean): void;
  /** Ends the span; calling it twice does no harm. */
  end(): void;
};

/** Starts spans that have no parent in this process. */
export type Traces = {
  /** `parent`: a traceparent, or a trace id alone. Returns undefined if spans are not collected. */
  begin(start: SpanStart, parent?: string): Span | undefined;
};

/** For a program that collects no spans. */
export const noTraces: Traces = { begin: () => undefined };

const active = new AsyncLocalStorage<Span>();

/** Returns the span of the current work; undefined if spans are not collected. */
export const activeSpan = (): Span | undefined => active.getStore();

/** Runs `work`; spans that begin in it are children of `span`, which is not ended. */
export const runInSpan = <T>(span: Span | undefined, work: () => T): T =>
  span === undefined ? work() : active.run(span, work);

/** Ends the span when the work ends. */
export async function endWith<T>(span: Span, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    span.set({ 'error.type': errorType(error) }, true);
    throw error;
  } finally {
    span.end();
  }
}

/** Runs `work` in a child of the active span, or without a span if there is none. */
export function inSpan<T>(start: SpanStart, work: () => Promise<T>): Promise<T> {
  const span = activeSpan()?.child(start);
  return span === undefined ? work() : endWith(span, runInSpan(span, work));
}

/** Returns the error's code or name, never its message, which may quote user input. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  return 'code' in error && typeof error.code === 'string' && /^\w{1,50}$/.test(error.code) ? error.code : error.name;
}
