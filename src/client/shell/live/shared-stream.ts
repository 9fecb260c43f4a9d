import type { CompanyEvent } from '#shared/live/schema.ts';
import { companyEventOf, type Message, messageOf, runningOf } from './stream-messages.ts';

export type StreamListener = {
  /** Everything that is running when listening begins. */
  running: (events: readonly CompanyEvent[]) => void;
  event: (event: CompanyEvent) => void;
  /** LIV-03: nothing is known until the stream is back. */
  broken: () => void;
};

/** Milliseconds before a broken stream is opened again. */
const againMs = 10_000;

/**
 * Listens to the event stream that all windows of a browser share: browsers open six connections to a host, and six streams would
 * leave none for anything else. The window that holds the lock opens the stream and passes on its events; when it closes, the
 * next one takes over. A hidden window releases the lock. Without locks (a page without https) each visible window opens its own
 * stream. `name` is the company's: windows of another company receive nothing.
 */
export function listenTogether(address: string, name: string, listener: StreamListener): () => void {
  let leave: (() => void) | undefined;
  const check = () => {
    if (document.visibilityState === 'hidden') {
      leave?.();
      leave = undefined;
    } else leave ??= join(address, name, listener);
  };
  document.addEventListener('visibilitychange', check);
  check();
  return () => {
    document.removeEventListener('visibilitychange', check);
    leave?.();
  };
}

function join(address: string, name: string, listener: StreamListener): () => void {
  const over = new AbortController();
  const others = new BroadcastChannel(name);
  const hear = (message: Message) => {
    if (message.kind === 'running') listener.running(message.running);
    else if (message.kind === 'event') listener.event(message.event);
    else if (message.kind === 'broken') listener.broken();
  };
  others.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = messageOf(data);
    if (message !== undefined) hear(message);
  });
  const send = (message: Message) => others.postMessage(message);
  send({ kind: 'newcomer' });
  const lead = () =>
    new Promise<void>((resolve) => {
      const end = open(address, others, (message) => {
        hear(message);
        send(message);
      });
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

/** Opens the stream, passes on its events and tells new windows what is running, until the returned function is called. */
function open(address: string, others: BroadcastChannel, say: (message: Message) => void): () => void {
  const running = new Map<string, CompanyEvent>();
  let stream: EventSource | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  const connect = () => {
    stream = new EventSource(address);
    stream.addEventListener('running', ({ data }: MessageEvent<string>) => {
      running.clear();
      for (const event of runningOf(JSON.parse(data))) running.set(keyOf(event), event);
      say({ kind: 'running', running: [...running.values()] });
    });
    stream.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const event = companyEventOf(JSON.parse(data));
      if (event.state === 'run') running.set(keyOf(event), event);
      else running.delete(keyOf(event));
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
    if (messageOf(data)?.kind === 'newcomer' && stream?.readyState === EventSource.OPEN)
      others.postMessage({ kind: 'running', running: [...running.values()] } satisfies Message);
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
