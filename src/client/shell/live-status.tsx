import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { api } from '#shared/http/api.ts';
import { LiveEvent } from '#shared/live/schema.ts';
import { addressOf } from '#client/call.ts';

/** What runs of the active catalogue (LIV): its import, and the files of its exports; `ended` ones have just finished. */
export type LiveStatus = {
  readonly importing: boolean;
  readonly running: ReadonlySet<string>;
  readonly ended: ReadonlySet<string>;
};

const nothing: LiveStatus = { importing: false, running: new Set(), ended: new Set() };
/** How long 'Beendet' stands before the control is there again. */
const endedMs = 4000;
/** A stream that broke is tried again after this; meanwhile nothing is said to run. */
const againMs = 10_000;

const LiveContext = createContext<LiveStatus>(nothing);
export const useLiveStatus = (): LiveStatus => useContext(LiveContext);

/** Listens to the catalogue's stream as long as the page is open. */
export function LiveProvider({ masterid, children }: { masterid: string | null; children: ReactNode }) {
  const status = useStream(masterid);
  return <LiveContext value={status}>{children}</LiveContext>;
}

function useStream(masterid: string | null): LiveStatus {
  const [status, setStatus] = useState(nothing);
  useEffect(() => {
    if (masterid === null) return;
    let stream: EventSource | undefined;
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const later = (work: () => void, ms: number) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        work();
      }, ms);
      timers.add(timer);
    };
    const forget = (channel: string) => setStatus((now) => ({ ...now, ended: without(now.ended, channel) }));
    const open = () => {
      stream = new EventSource(addressOf(api.live, { params: { projectId: masterid } }));
      stream.addEventListener('message', ({ data }: MessageEvent<string>) => {
        const event = LiveEvent.parse(JSON.parse(data));
        setStatus((now) => changed(now, event));
        if (event.message === 'channel' && event.state === 'idle') later(() => forget(event.channel), endedMs);
      });
      // LIV-03: markers cleared, stream closed, no message.
      stream.addEventListener('error', () => {
        stream?.close();
        setStatus(nothing);
        later(open, againMs);
      });
    };
    open();
    return () => {
      stream?.close();
      for (const timer of timers) clearTimeout(timer);
      setStatus(nothing);
    };
  }, [masterid]);
  return status;
}

/** LIV-02. */
function changed(now: LiveStatus, { message, state, channel }: LiveEvent): LiveStatus {
  if (message === 'import') return { ...now, importing: state === 'run' };
  if (state === 'run')
    return { ...now, running: new Set([...now.running, channel]), ended: without(now.ended, channel) };
  const ended = now.running.has(channel) ? new Set([...now.ended, channel]) : now.ended;
  return { ...now, running: without(now.running, channel), ended };
}

function without(set: ReadonlySet<string>, one: string): ReadonlySet<string> {
  if (!set.has(one)) return set;
  return new Set([...set].filter((other) => other !== one));
}
