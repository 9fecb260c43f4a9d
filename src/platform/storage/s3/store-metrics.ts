import { KontorError } from '#platform/errors.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import { StoreRefusal } from './store-refusal.ts';

/** Bucket bounds: a store answers in hundredths of a second, a part takes a second, and the last attempt comes after many. */
const SECONDS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 60];

type StoreRequest = {
  readonly method: string;
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
};

/** Metrics of the requests to a store. No label names the bucket or an object. */
export function storeMeter(metrics: Metrics) {
  const seconds = metrics.durations(
    'kontor_store_request_seconds',
    'How long requests to the file store took until its response, including all attempts.',
    ['operation', 'outcome'],
    SECONDS,
  );
  const bytes = metrics.counter(
    'kontor_store_bytes_total',
    'Bytes of files sent to and received from the file store.',
    ['direction'],
  );
  const retries = metrics.counter('kontor_store_retries_total', 'Repeated attempts at requests to the file store.', []);
  return {
    asked: (request: StoreRequest, took: number, error: unknown) =>
      seconds.observe({ operation: operationOf(request), outcome: outcomeOf(error) }, took),
    sent: (count: number) => bytes.add({ direction: 'sent' }, count),
    received: (count: number) => bytes.add({ direction: 'received' }, count),
    again: () => retries.add({}),
  };
}
export type StoreMeter = ReturnType<typeof storeMeter>;

function operationOf({ method, key, query = {} }: StoreRequest): string {
  if (method === 'HEAD') return 'look';
  if (method === 'GET') return key === undefined || 'uploadId' in query ? 'list' : 'read';
  if (method === 'DELETE') return 'uploadId' in query ? 'abort' : 'remove';
  if (method === 'POST') return 'uploads' in query ? 'begin' : 'complete';
  return 'partNumber' in query ? 'part' : 'put';
}

const codes: Readonly<Record<string, string>> = { store_away: 'away', store_full: 'full', store_refused: 'denied' };
/** Statuses that are no failure of the store: the object does not exist, or exists already. */
const answers: Readonly<Record<number, string>> = { 404: 'absent', 412: 'exists' };

function outcomeOf(error: unknown): string {
  if (error === undefined) return 'ok';
  if (error instanceof StoreRefusal) return answers[error.answered] ?? 'refused';
  return (error instanceof KontorError ? codes[error.code] : undefined) ?? 'error';
}
