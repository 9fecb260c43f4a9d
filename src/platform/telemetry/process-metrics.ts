import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from './metrics.ts';

const NANO = 1e9;
const MICRO = 1e6;
/** Resolution of the event loop's delay: fine enough for what users notice, coarse enough to cost nothing. */
const LOOK_MS = 20;

/** Registers metrics of this process. Returns a function that stops measuring. */
export function measureProcess(
  metrics: Metrics,
  { program, migration, role }: { program: string; migration: number; role: string },
): () => void {
  metrics
    .gauge('kontor_build_info', 'Version of the program and role of this process; always 1.', [
      'version',
      'node',
      'role',
    ])
    .replace([{ labels: { version: program, node: process.versions.node, role }, value: 1 }]);
  metrics
    .gauge('kontor_migration_number', 'Number of the newest migration that this program applied.', [])
    .replace([{ labels: {}, value: migration }]);
  const startedAt = Date.now() / 1000 - process.uptime();
  metrics.reading('process_start_time_seconds', 'When the process started, in seconds since 1970.', () => startedAt);
  const cpu = () => process.cpuUsage();
  metrics.reading(
    'process_cpu_seconds_total',
    'Processor time of the process.',
    () => (cpu().user + cpu().system) / MICRO,
    'total',
  );
  metrics.reading('process_resident_memory_bytes', 'Resident memory of the process.', () => process.memoryUsage.rss());
  metrics.reading('nodejs_heap_used_bytes', "Used memory of the program's heap.", () => process.memoryUsage().heapUsed);
  metrics.reading('nodejs_heap_total_bytes', "Size of the program's heap.", () => process.memoryUsage().heapTotal);
  const delay = monitorEventLoopDelay({ resolution: LOOK_MS });
  delay.enable();
  metrics.reading('nodejs_eventloop_lag_p99_seconds', 'Delay of timers since the last scrape, 99th percentile.', () => {
    // The histogram holds whole intervals; the excess over one interval is lag.
    const lag = Math.max(0, delay.percentile(99) / NANO - LOOK_MS / 1000);
    delay.reset();
    return Number.isFinite(lag) ? lag : 0;
  });
  return () => void delay.disable();
}
