import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** Bucket bounds in seconds, from a hundredth to ten: what users wait for. */
const WAITS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10];

/** Metrics of one program, and their values in Prometheus' text format. */
export type PrometheusMetrics = Metrics & { text(): Promise<string>; readonly contentType: string };

/** Creates a registry. @throws when a metric's name is already in use */
export function prometheusMetrics(): PrometheusMetrics {
  const registry = new Registry();
  const registers = [registry];
  return {
    counter: (name, help, labels) => {
      const counter = new Counter({ name, help, labelNames: labels, registers });
      return { add: (values, count = 1) => counter.inc(values, count) };
    },
    durations: (name, help, labels, buckets = WAITS) => {
      const histogram = new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers });
      return {
        observe: (values, seconds) => histogram.observe(values, seconds),
        none: (values) => histogram.zero(values),
      };
    },
    gauge: (name, help, labels) => {
      const gauge = new Gauge({ name, help, labelNames: labels, registers });
      // Without labels the library shows 0 from the start, but an unread figure is not 0.
      gauge.remove({});
      return {
        replace: (series) => {
          gauge.reset();
          gauge.remove({});
          for (const one of series) gauge.set(one.labels, one.value);
        },
      };
    },
    reading: (name, help, read, total) => {
      if (total === undefined) {
        const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read()) });
        return;
      }
      const collect = () => {
        counter.reset();
        counter.inc(read());
      };
      const counter: Counter = new Counter({ name, help, registers, collect });
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
