import { type Metrics, timed } from '#platform/telemetry/metrics.ts';
import { type Connector, MarketplaceError } from './port.ts';

/** A marketplace answers in tenths of a second, and is given up after half a minute. */
const CALLS = [0.1, 0.3, 1, 3, 10, 30];

/** Times what marketplaces are asked, by connector, operation (a name of the port) and outcome: `ok` or what kind of failure it was. */
export function measuredConnectors(metrics: Metrics): (kind: string, connector: Connector) => Connector {
  const seconds = metrics.durations(
    'kontor_marketplace_call_seconds',
    'How long marketplaces took to answer.',
    ['connector', 'operation', 'outcome'],
    CALLS,
  );
  return (kind, connector) =>
    measured(connector, '', (operation, took, error) =>
      seconds.observe({ connector: kind, operation, outcome: outcomeOf(error) }, took),
    );
}

const outcomeOf = (error: unknown): string =>
  error === undefined ? 'ok' : error instanceof MarketplaceError ? error.kind : 'error';

type Tell = (operation: string, seconds: number, error: unknown) => void;

/** The same object, its calls that take time timed; parts of a connector (orders, messages) likewise. */
function measured<T extends object>(part: T, prefix: string, tell: Tell): T {
  return new Proxy(part, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof name === 'symbol') return member;
      if (typeof member === 'object' && member !== null) return measured(member, `${prefix}${name}.`, tell);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        const answer: unknown = Reflect.apply(member, target, given);
        if (!(answer instanceof Promise)) return answer;
        return timed<unknown>(
          () => answer,
          (took, error) => tell(`${prefix}${name}`, took, error),
        );
      };
    },
  });
}
