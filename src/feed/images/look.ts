import { setTimeout as wait } from 'node:timers/promises';
import type { Egress } from '#platform/egress/egress.ts';
import { imageHead, type ImageFormat } from './image-size.ts';

/** The result of requesting an address. `status` 0: no answer; `format` null: no picture; `bytes` null: unknown. */
export type ImageCheck = {
  readonly status: number;
  readonly format: ImageFormat | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly bytes: number | null;
};

/** Limits on requests for pictures, which are sent to other people's servers. */
export type RequestPace = {
  readonly parallel: number;
  readonly perHost: number;
  /** Milliseconds between two requests of one worker to a host. */
  readonly delayMs: number;
  readonly timeoutMs: number;
  /** After this number of consecutive requests without an answer a host is skipped. */
  readonly patience: number;
  /** After this time no new request is sent. */
  readonly totalMs: number;
};
export const usual: RequestPace = {
  parallel: 8,
  perHost: 2,
  delayMs: 100,
  timeoutMs: 15_000,
  patience: 5,
  totalMs: 120_000,
};

/** Nearly all pictures contain their size in these first bytes; long previews and colour profiles may precede it. */
const BYTES = 64 * 1024;
/** The server asks to retry later, which says nothing about the picture. */
const later = new Set([408, 425, 429, 503]);

/** Requests one address; undefined if it cannot be judged now. Throws only if `signal` is aborted. */
async function checkImage(
  egress: Egress,
  address: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ImageCheck | undefined> {
  const nothing = { format: null, width: null, height: null, bytes: null };
  try {
    const { status, head, total } = await egress.peek(
      address,
      BYTES,
      AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    );
    if (later.has(status)) return undefined;
    const found = status >= 200 && status < 300 ? imageHead(head) : undefined;
    return { status, ...nothing, ...found, bytes: total };
  } catch {
    signal.throwIfAborted();
    return { status: 0, ...nothing };
  }
}

/**
 * Requests pictures in the given order, at most `perHost` at a time from each host; calls `onLook` for each that could be judged.
 * Pictures of silent hosts, and those for which time ran out, are left unchecked.
 */
export function checkImages(
  egress: Egress,
  addresses: readonly string[],
  pace: RequestPace,
  signal: AbortSignal,
  onLook: (address: string, look: ImageCheck) => Promise<void>,
): Promise<void> {
  const check = (address: string) => checkImage(egress, address, pace.timeoutMs, signal);
  return requestAtPace(addresses, pace, signal, check, onLook);
}

/** Requests addresses host by host, each with `ask`; calls `onAnswer` for each that was answered. */
export async function requestAtPace<Answer extends { status: number }>(
  addresses: readonly string[],
  pace: RequestPace,
  signal: AbortSignal,
  ask: (address: string) => Promise<Answer | undefined>,
  onAnswer: (address: string, answer: Answer) => Promise<void> | void,
): Promise<void> {
  const hosts = Map.groupBy(addresses, hostOf);
  const until = performance.now() + pace.totalMs;
  const silent = new Map<string, number>();
  const workers = [...hosts].flatMap(([host, list]) => Array.from({ length: pace.perHost }, () => ({ host, list })));
  const requestFromHost = async ({ host, list }: { host: string; list: string[] }) => {
    for (let address = list.shift(); address !== undefined; address = list.shift()) {
      if (performance.now() > until || (silent.get(host) ?? 0) >= pace.patience) return;
      const answer = await ask(address);
      silent.set(host, answer === undefined || answer.status === 0 ? (silent.get(host) ?? 0) + 1 : 0);
      if (answer) await onAnswer(address, answer);
      if (list.length > 0) await wait(pace.delayMs, undefined, { signal });
    }
  };
  const work = async () => {
    for (let worker = workers.shift(); worker; worker = workers.shift()) await requestFromHost(worker);
  };
  await Promise.all(Array.from({ length: pace.parallel }, work));
}

function hostOf(address: string): string {
  try {
    return new URL(address).host;
  } catch {
    return '';
  }
}
