/**
 * What is measured, in the words of its subject: each defines its own metrics where it lives. A label has few values, and never one of a
 * company, a person, an article or an address: whoever watches an installation need not know its merchants (docs/observability.md).
 */
export type Metrics = {
  counter<L extends string>(name: string, help: string, labels: readonly L[]): Counter<L>;
  /** How long something takes, in seconds; `buckets` are upper bounds of the groups it is counted in. */
  durations<L extends string>(
    name: string,
    help: string,
    labels: readonly L[],
    buckets?: readonly number[],
  ): Durations<L>;
  gauge<L extends string>(name: string, help: string, labels: readonly L[]): Gauge<L>;
  /** A number of this process that costs nothing to read; read when somebody asks. `total`: it only grows. */
  reading(name: string, help: string, read: () => number, total?: 'total'): void;
};
export type LabelsOf<L extends string> = Readonly<Record<L, string>>;
/** Name of a unit at its end, as Prometheus counts: `…_total`. */
export type Counter<L extends string> = { add(labels: LabelsOf<L>, count?: number): void };
export type Durations<L extends string> = {
  observe(labels: LabelsOf<L>, seconds: number): void;
  /** Shows that there was none of these yet: a count that is there from the beginning on is seen to grow the first time as well. */
  none(labels: LabelsOf<L>): void;
};
export type Series<L extends string> = { readonly labels: LabelsOf<L>; readonly value: number };
export type Gauge<L extends string> = {
  /** These instead of all that stood there. */
  replace(series: readonly Series<L>[]): void;
};

const nothing = () => {};

/** For a program that nobody watches, and for tests: costs nothing and keeps nothing. */
export const noMetrics: Metrics = {
  counter: () => ({ add: nothing }),
  durations: () => ({ observe: nothing, none: nothing }),
  gauge: () => ({ replace: nothing }),
  reading: nothing,
};

/** Measures what `work` takes, told by the word for how it ended. */
export async function timed<T>(work: () => Promise<T>, tell: (seconds: number, error: unknown) => void): Promise<T> {
  const begin = performance.now();
  try {
    const result = await work();
    tell((performance.now() - begin) / 1000, undefined);
    return result;
  } catch (error) {
    tell((performance.now() - begin) / 1000, error);
    throw error;
  }
}
