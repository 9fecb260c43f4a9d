import type { Attributes, SpanKind } from '#platform/telemetry/spans.ts';

/** A span that has ended. */
export type EndedSpan = {
  readonly trace: string;
  readonly span: string;
  readonly parent: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly tookMs: number;
  readonly attributes: Attributes;
  readonly failed: boolean;
};

/** Numbers of OTLP's SpanKind and StatusCode. */
const kinds = { internal: 1, server: 2, client: 3, consumer: 5 } as const satisfies Record<SpanKind, number>;
const FAILED = 2;
const NANO = 1_000_000n;

/** Returns the body of an export request (ExportTraceServiceRequest in JSON); 64-bit numbers are texts in it. */
export const spansBody = (resource: Attributes, spans: readonly EndedSpan[]): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesJson(resource) },
        scopeSpans: [{ scope: { name: 'kontor' }, spans: spans.map(spanJson) }],
      },
    ],
  });

function spanJson({ trace, span, parent, name, kind, startedAt, tookMs, attributes, failed }: EndedSpan) {
  const start = BigInt(startedAt) * NANO;
  return {
    traceId: trace,
    spanId: span,
    ...(parent === undefined ? {} : { parentSpanId: parent }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + BigInt(Math.round(tookMs * Number(NANO)))),
    attributes: attributesJson(attributes),
    status: failed ? { code: FAILED } : {},
  };
}

const attributesJson = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
