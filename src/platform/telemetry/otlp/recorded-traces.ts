import type { Clock } from '#platform/clock.ts';
import type { Ids } from '#platform/ids.ts';
import { readParent } from '#platform/telemetry/line-context.ts';
import type { Attributes, Span, SpanStart, Traces } from '#platform/telemetry/spans.ts';
import type { EndedSpan } from './span-json.ts';

type Deps = {
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'hex'>;
  /** Share of traces that are recorded, from 0 to 1, if no caller before us has decided. */
  readonly ratio: number;
  readonly add: (span: EndedSpan) => void;
};
const TRACE_BYTES = 16;
const SPAN_BYTES = 8;

/** Records spans. A caller's sampling decision is kept; otherwise the trace id decides, so that all processes agree. */
export class RecordedTraces implements Traces {
  private readonly deps: Deps;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  begin(start: SpanStart, parent?: string): Span {
    const { ids, ratio } = this.deps;
    const from = readParent(parent) ?? { trace: ids.hex(TRACE_BYTES), span: undefined, sampled: undefined };
    if (from.sampled ?? isChosen(from.trace, ratio)) return new RecordedSpan(this.deps, from, start);
    return unrecorded(`00-${from.trace}-${from.span ?? ids.hex(SPAN_BYTES)}-00`);
  }
}

/** Uses the last 52 bits as a number from 0 to 1: they are random in any trace id. */
const isChosen = (trace: string, ratio: number): boolean => Number.parseInt(trace.slice(-13), 16) / 2 ** 52 < ratio;

/** A span for unrecorded work that is its own child, so that no part of the work begins a new trace. */
function unrecorded(traceparent: string): Span {
  const span: Span = { traceparent, child: () => span, set: () => {}, end: () => {} };
  return span;
}

class RecordedSpan implements Span {
  private readonly deps: Deps;
  private readonly trace: string;
  private readonly id: string;
  private readonly parent: string | undefined;
  private readonly start: SpanStart;
  private readonly startedAt: number;
  private readonly begin = performance.now();
  private attributes: Attributes;
  private failed = false;
  private ended = false;

  constructor(deps: Deps, from: { readonly trace: string; readonly span: string | undefined }, start: SpanStart) {
    this.deps = deps;
    this.trace = from.trace;
    this.id = deps.ids.hex(SPAN_BYTES);
    this.parent = from.span;
    this.start = start;
    this.startedAt = deps.clock.now().getTime();
    this.attributes = start.attributes;
  }

  get traceparent(): string {
    return `00-${this.trace}-${this.id}-01`;
  }

  child(start: SpanStart): Span {
    return new RecordedSpan(this.deps, { trace: this.trace, span: this.id }, start);
  }

  set(attributes: Attributes, failed = false): void {
    this.attributes = { ...this.attributes, ...attributes };
    this.failed ||= failed;
  }

  /** Ends the span. The clock gives its start, a monotonic timer its duration, as the clock may be set meanwhile. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    const { trace, id: span, parent, startedAt, attributes, failed } = this;
    const { name, kind } = this.start;
    const tookMs = performance.now() - this.begin;
    this.deps.add({ trace, span, parent, name, kind, startedAt, tookMs, attributes, failed });
  }
}
