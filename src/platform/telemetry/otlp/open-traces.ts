import { hostname } from 'node:os';
import type { Clock } from '#platform/clock.ts';
import type { Ids } from '#platform/ids.ts';
import type { Log } from '#platform/telemetry/log.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import type { Traces } from '#platform/telemetry/spans.ts';
import { RecordedTraces } from './recorded-traces.ts';
import type { TraceSettings } from './settings.ts';

type Deps = { clock: Clock; ids: Pick<Ids, 'hex'>; log: Log; metrics: Metrics; program: string };

/** Opens the collector of the settings; without one `traces` is undefined, no spans are made and no HTTP client is loaded. */
export async function openTraces(
  settings: TraceSettings | undefined,
  { clock, ids, log, metrics, program }: Deps,
  role: string,
): Promise<{ readonly traces: Traces | undefined; readonly close: () => Promise<void> }> {
  if (settings === undefined) return { traces: undefined, close: async () => {} };
  const resource = {
    'service.name': settings.service,
    'service.version': program,
    'service.instance.id': `${hostname()}/${process.pid}`,
    'kontor.role': role,
  };
  const { SpanQueue } = await import('./span-queue.ts');
  const queue = new SpanQueue(settings, { clock, log, metrics, resource });
  const traces = new RecordedTraces({ clock, ids, ratio: settings.ratio, add: (span) => queue.add(span) });
  return { traces, close: () => queue.close() };
}
