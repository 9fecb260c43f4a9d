import { AsyncLocalStorage } from 'node:async_hooks';

/** What a span says of its work. Like labels of metrics: never a company, a person, an article, an address or an id of any of them. */
export type Attributes = Readonly<Record<string, string | number>>;
export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';
export type SpanStart = { readonly name: string; readonly kind: SpanKind; readonly attributes: Attributes };

/** A piece of work that has begun. */
export type Span = {
  /** Names it to whoever goes on elsewhere, as the W3C's header does. */
  readonly traceparent: string;
  child(start: SpanStart): Span;
  /** Adds to what it says; `failed` marks it for good. */
  set(attributes: Attributes, failed?: boolean): void;
  /** Ending it twice does no harm. */
  end(): void;
};

/** Begins spans that are nobody's child in this process. */
export type Traces = {
  /** `parent`: a traceparent, or a trace alone. undefined: nobody collects spans. */
  begin(start: SpanStart, parent?: string): Span | undefined;
};

/** For a program whose spans nobody collects. */
export const noTraces: Traces = { begin: () => undefined };

const active = new AsyncLocalStorage<Span>();

/** The span of the work that asks; undefined where nobody collects any. */
export const activeSpan = (): Span | undefined => active.getStore();

/** Does `work`; what begins in it is a child of `span`, which goes on. */
export const runInSpan = <T>(span: Span | undefined, work: () => T): T =>
  span === undefined ? work() : active.run(span, work);

/** Ends the span with the work. */
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

/** Does `work` in a child of the active span; without one it is just done. */
export function inSpan<T>(start: SpanStart, work: () => Promise<T>): Promise<T> {
  const span = activeSpan()?.child(start);
  return span === undefined ? work() : endWith(span, runInSpan(span, work));
}

/** A word of the program's own: messages may quote what people wrote. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  return 'code' in error && typeof error.code === 'string' && /^\w{1,50}$/.test(error.code) ? error.code : error.name;
}
