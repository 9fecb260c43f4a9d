import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { CompanyEvent } from '#shared/live/schema.ts';
import { addressOf } from '#client/call.ts';
import { listenTogether } from './shared-stream.ts';

/**
 * What is running in the company (LIV): imports by catalogue, channels and uploads by
 * their ids; `ended` channels have just ended.
 */
export type LiveStatus = {
  readonly imports: ReadonlySet<string>;
  readonly uploads: ReadonlySet<string>;
  readonly running: ReadonlySet<string>;
  readonly ended: ReadonlySet<string>;
  /** Number of runs seen to end; screens that show a run's results reload when it changes. */
  readonly finished: number;
};

const nothing: LiveStatus = {
  imports: new Set(),
  uploads: new Set(),
  running: new Set(),
  ended: new Set(),
  finished: 0,
};
/** Milliseconds that 'Beendet' is shown before the run control returns. */
const endedMs = 4000;

const LiveContext = createContext<LiveStatus>(nothing);
export const useLiveStatus = (): LiveStatus => useContext(LiveContext);

/** Listens to the company's runs as long as the page is open and visible. */
export function LiveProvider({ company, children }: { company: string; children: ReactNode }) {
  const status = useStream(company);
  return <LiveContext value={status}>{children}</LiveContext>;
}

function useStream(company: string): LiveStatus {
  const [status, setStatus] = useState(nothing);
  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const forgetLater = (channel: string) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        setStatus((now) => ({ ...now, ended: without(now.ended, channel) }));
      }, endedMs);
      timers.add(timer);
    };
    const leave = listenTogether(addressOf(api.companyLive), `kontor-live:${company}`, {
      running: (events) => setStatus((now) => withStarted(now, events)),
      event: (event) => {
        setStatus((now) => changed(now, event));
        if (event.message === 'channel' && event.state === 'idle') forgetLater(event.channel);
      },
      // LIV-03: markers cleared, stream closed, no message.
      broken: () => setStatus(({ finished }) => ({ ...nothing, finished })),
    });
    return () => {
      leave();
      for (const timer of timers) clearTimeout(timer);
      setStatus(nothing);
    };
  }, [company]);
  return status;
}

/** Compares with the last known runs: a channel that is no longer running has ended in the meantime. */
function withStarted(now: LiveStatus, events: readonly CompanyEvent[]): LiveStatus {
  const of = (wanted: CompanyEvent['message']) => events.filter(({ message }) => message === wanted);
  const imports = new Set(of('import').map(({ masterid }) => masterid));
  const uploads = new Set(of('upload').map(({ channel }) => channel));
  const running = new Set(of('channel').map(({ channel }) => channel));
  const lost = (before: ReadonlySet<string>, after: ReadonlySet<string>) => [...before].some((id) => !after.has(id));
  const someEnded = lost(now.imports, imports) || lost(now.uploads, uploads) || lost(now.running, running);
  return { imports, uploads, running, ended: now.ended, finished: now.finished + (someEnded ? 1 : 0) };
}

/** LIV-02. */
function changed(now: LiveStatus, { message, state, channel, masterid }: CompanyEvent): LiveStatus {
  const runs = state === 'run';
  const finished = now.finished + (runs ? 0 : 1);
  if (message === 'import') return { ...now, imports: (runs ? withOne : without)(now.imports, masterid), finished };
  if (message === 'upload') return { ...now, uploads: (runs ? withOne : without)(now.uploads, channel), finished };
  if (runs) return { ...now, running: withOne(now.running, channel), ended: without(now.ended, channel) };
  const ended = now.running.has(channel) ? new Set([...now.ended, channel]) : now.ended;
  return { ...now, running: without(now.running, channel), ended, finished };
}

const withOne = (set: ReadonlySet<string>, one: string): ReadonlySet<string> => new Set([...set, one]);

function without(set: ReadonlySet<string>, one: string): ReadonlySet<string> {
  if (!set.has(one)) return set;
  return new Set([...set].filter((other) => other !== one));
}
