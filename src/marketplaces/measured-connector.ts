import { type Metrics, timed } from '#platform/telemetry/metrics.ts';
import { activeSpan, endWith, noTraces, runInSpan, type Span, type Traces } from '#platform/telemetry/spans.ts';
import { type Connector, MarketplaceError } from './port.ts';

/** Buckets in seconds: a marketplace answers in tenths of a second, and times out after half a minute. */
const CALLS = [0.1, 0.3, 1, 3, 10, 30];

/** Measures calls to marketplaces, by connector, operation (a name of the port) and outcome: `ok` or the kind of failure. */
export function measuredConnectors(
  metrics: Metrics,
  traces: Traces = noTraces,
): (kind: string, connector: Connector) => Connector {
  const seconds = metrics.durations(
    'kontor_marketplace_call_seconds',
    'How long marketplaces took to answer.',
    ['connector', 'operation', 'outcome'],
    CALLS,
  );
  return (kind, connector) =>
    measured(connector, '', {
      begin: (operation) => beginCall(traces, kind, operation),
      tell: (operation, took, error) =>
        seconds.observe({ connector: kind, operation, outcome: outcomeOf(error) }, took),
    });
}

const outcomeOf = (error: unknown): string =>
  error === undefined ? 'ok' : error instanceof MarketplaceError ? error.kind : 'error';

/** Starts the trace of a call. A call by a worker outside a job is a trace of its own. */
function beginCall(traces: Traces, connector: string, operation: string): Span | undefined {
  const attributes = { 'kontor.connector': connector, 'kontor.operation': operation };
  const start = { name: `marketplace ${operation}`, kind: 'client', attributes } as const;
  const parent = activeSpan();
  return parent === undefined ? traces.begin(start) : parent.child(start);
}

type Watch = {
  readonly begin: (operation: string) => Span | undefined;
  readonly tell: (operation: string, seconds: number, error: unknown) => void;
};

/** Wraps an object so that its asynchronous calls are measured; parts of a connector (orders, messages) likewise. */
function measured<T extends object>(part: T, prefix: string, watch: Watch): T {
  return new Proxy(part, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof name === 'symbol') return member;
      if (typeof member === 'object' && member !== null) return measured(member, `${prefix}${name}.`, watch);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        const operation = `${prefix}${name}`;
        const span = watch.begin(operation);
        const answer: unknown = runInSpan(span, () => Reflect.apply(member, target, given) as unknown);
        if (!(answer instanceof Promise)) return answer;
        return timed<unknown>(
          () => (span === undefined ? answer : endWith(span, answer)),
          (took, error) => watch.tell(operation, took, error),
        );
      };
    },
  });
}
