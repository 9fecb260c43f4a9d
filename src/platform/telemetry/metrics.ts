/**
 * Registry of metrics; each subject defines its own in its own code. A label has few values, and never a company, person,
 * article or address: the person who monitors an installation need not know its merchants (docs/observability.md).
 */
export type Metrics = {
  counter<L extends string>(name: string, help: string, labels: readonly L[]): Counter<L>;
  /** Durations in seconds; `buckets` are upper bounds of the groups in which they are counted. */
  durations<L extends string>(
    name: string,
    help: string,
    labels: readonly L[],
    buckets?: readonly number[],
  ): Durations<L>;
  gauge<L extends string>(name: string, help: string, labels: readonly L[]): Gauge<L>;
  /** A number of this process that costs nothing to read; read at each scrape. `total`: it only grows. */
  reading(name: string, help: string, read: () => number, total?: 'total'): void;
};
export type LabelsOf<L extends string> = Readonly<Record<L, string>>;
/** Its name ends in a unit and `_total`, as in Prometheus. */
export type Counter<L extends string> = { add(labels: LabelsOf<L>, count?: number): void };
export type Durations<L extends string> = {
  observe(labels: LabelsOf<L>, seconds: number): void;
  /** Exposes a count of 0: only a series that exists from the start shows its first increase. */
  none(labels: LabelsOf<L>): void;
};
export type Series<L extends string> = { readonly labels: LabelsOf<L>; readonly value: number };
export type Gauge<L extends string> = {
  /** Replaces all series of the gauge. */
  replace(series: readonly Series<L>[]): void;
};

const nothing = () => {};

/** For a program without monitoring, and for tests: costs nothing and keeps nothing. */
export const noMetrics: Metrics = {
  counter: () => ({ add: nothing }),
  durations: () => ({ observe: nothing, none: nothing }),
  gauge: () => ({ replace: nothing }),
  reading: nothing,
};

/** Measures the time of `work` in seconds and reports it with the error, if any. */
export async function timed<T>(work: () => Promise<T>, observe: (seconds: number, error: unknown) => void): Promise<T> {
  const begin = performance.now();
  try {
    const result = await work();
    observe((performance.now() - begin) / 1000, undefined);
    return result;
  } catch (error) {
    observe((performance.now() - begin) / 1000, error);
    throw error;
  }
}
