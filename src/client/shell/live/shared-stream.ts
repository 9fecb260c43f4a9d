import { MOST_AGE_MS } from '#shared/live/most-age.ts';
import type { CompanyEvent } from '#shared/live/schema.ts';
import { companyEventOf, type Message, messageOf, runningOf } from './stream-messages.ts';

export type StreamListener = {
  /** Everything that is running when listening begins. `missed`: others may have ended, as nothing was heard for too long. */
  running: (events: readonly CompanyEvent[], missed: boolean) => void;
  event: (event: CompanyEvent) => void;
  /** LIV-03: nothing is known until the stream is back. */
  broken: () => void;
};

/** Milliseconds before a broken stream is opened again. */
const againMs = 10_000;

/** Returns the stream's address; `age`: for how many milliseconds this window has heard nothing. */
type AddressOf = (age: number) => string;
/**
 * When this window last heard of runs, and whether it still listens. At first that is when the browser requested the page: its
 * data are no older.
 */
type Known = { at: number; listens: boolean };
const ageOf = ({ at }: Known): number => Math.min(MOST_AGE_MS, Math.round(performance.now() - at));
/** Milliseconds in which the end of a stream is noticed by the window that takes over. */
const noticedMs = 1000;
/** A window that listens and hears nothing knows that nothing has ended. */
function stillKnown(known: Known): void {
  if (known.listens) known.at = Math.max(known.at, performance.now() - noticedMs);
}

/**
 * Listens to the event stream that all windows of a browser share: browsers open six connections to a host, and six streams would
 * leave none for anything else. The window that holds the lock opens the stream and passes on its events; when it closes, the
 * next one takes over. A hidden window releases the lock. Without locks (a page without https) each visible window opens its own
 * stream. `name` is the company's: windows of another company receive nothing. What ended while a window was not listening, for
 * instance before its scripts were loaded, is reported when it begins.
 */
export function listenTogether(addressOf: AddressOf, name: string, listener: StreamListener): () => void {
  const known: Known = { at: 0, listens: false };
  let leave: (() => void) | undefined;
  const check = () => {
    if (document.visibilityState === 'hidden') {
      leave?.();
      leave = undefined;
      stillKnown(known);
      known.listens = false;
    } else leave ??= join(addressOf, name, listener, known);
  };
  document.addEventListener('visibilitychange', check);
  check();
  return () => {
    document.removeEventListener('visibilitychange', check);
    leave?.();
  };
}

function join(addressOf: AddressOf, name: string, listener: StreamListener, known: Known): () => void {
  const over = new AbortController();
  const others = new BroadcastChannel(name);
  const own = `${performance.timeOrigin + performance.now()}`;
  const hear = (message: Message) => {
    const missed = !known.listens && performance.now() - known.at > MOST_AGE_MS;
    if (message.kind === 'running' || (message.kind === 'event' && known.listens)) known.at = performance.now();
    if (message.kind === 'running') {
      known.listens = true;
      listener.running(message.running, missed);
    } else if (message.kind === 'event') listener.event(message.event);
    else if (message.kind === 'broken') {
      known.listens = false;
      listener.broken();
    }
  };
  others.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = messageOf(data);
    const to = message !== undefined && 'to' in message ? message.to : undefined;
    if (message !== undefined && (to === undefined || to === own)) hear(message);
  });
  const send = (message: Message) => others.postMessage(message);
  send({ kind: 'newcomer', age: ageOf(known), from: own });
  const lead = () =>
    new Promise<void>((resolve) => {
      stillKnown(known);
      const end = open(
        () => addressOf(ageOf(known)),
        others,
        (message) => {
          hear(message);
          send(message);
        },
      );
      const stop = () => {
        end();
        resolve();
      };
      over.signal.addEventListener('abort', stop, { once: true });
    });
  // Locks are missing on pages without https.
  if ('locks' in navigator) {
    navigator.locks.request(name, { signal: over.signal }, lead).catch((error: unknown) => {
      if (!over.signal.aborted) throw error;
    });
  } else void lead();
  return () => {
    over.abort();
    others.close();
  };
}

/**
 * Opens the stream, passes on its events and tells new windows what is running and what ended while they did not listen, until the
 * returned function is called.
 */
function open(address: () => string, others: BroadcastChannel, say: (message: Message) => void): () => void {
  const running = new Map<string, CompanyEvent>();
  const ended = new Map<string, { event: CompanyEvent; at: number }>();
  let stream: EventSource | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  const connect = () => {
    stream = new EventSource(address());
    stream.addEventListener('running', ({ data }: MessageEvent<string>) => {
      running.clear();
      for (const event of runningOf(JSON.parse(data))) running.set(keyOf(event), event);
      say({ kind: 'running', running: [...running.values()] });
    });
    stream.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const event = companyEventOf(JSON.parse(data));
      if (event.state === 'run') running.set(keyOf(event), event);
      else {
        running.delete(keyOf(event));
        ended.set(keyOf(event), { event, at: performance.now() });
      }
      say({ kind: 'event', event });
    });
    stream.addEventListener('error', () => {
      stream?.close();
      running.clear();
      say({ kind: 'broken' });
      again = setTimeout(connect, againMs);
    });
  };
  const answer = ({ data }: MessageEvent<unknown>) => {
    const message = messageOf(data);
    if (message?.kind !== 'newcomer' || stream?.readyState !== EventSource.OPEN) return;
    const { from: to } = message;
    for (const [key, { event, at }] of ended)
      if (performance.now() - at < message.age && !running.has(key))
        others.postMessage({ kind: 'event', event, to } satisfies Message);
    others.postMessage({ kind: 'running', running: [...running.values()], to } satisfies Message);
  };
  others.addEventListener('message', answer);
  connect();
  return () => {
    others.removeEventListener('message', answer);
    clearTimeout(again);
    stream?.close();
  };
}

const keyOf = ({ message, channel, masterid }: CompanyEvent): string => `${message}\n${channel}\n${masterid}`;
