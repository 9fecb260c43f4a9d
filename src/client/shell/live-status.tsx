import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useState } from 'react';
import { useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import { addressOf } from '#client/call.ts';
import { type LiveStatus, nothingRuns, withBroken, withEvent, withoutEnded, withStarted } from './live/live-runs.ts';
import { listenTogether } from './live/shared-stream.ts';

/** Milliseconds that 'Beendet' is shown before the run control returns. */
const endedMs = 4000;

const LiveContext = createContext<LiveStatus>(nothingRuns);
export const useLiveStatus = (): LiveStatus => useContext(LiveContext);

/** Reloads the page's data when a run has ended, for instance because what was the next planned run is over. */
export function useReloadAfterRuns(): void {
  const { finished } = useLiveStatus();
  const { revalidate } = useRevalidator();
  const anew = useEffectEvent(() => void revalidate());
  useEffect(() => {
    if (finished > 0) anew();
  }, [finished]);
}

/** Listens to the company's runs as long as the page is open and visible. */
export function LiveProvider({ company, children }: { company: string; children: ReactNode }) {
  const status = useStream(company);
  return <LiveContext value={status}>{children}</LiveContext>;
}

function useStream(company: string): LiveStatus {
  const [status, setStatus] = useState(nothingRuns);
  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const forgetLater = (channel: string) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        setStatus((now) => withoutEnded(now, channel));
      }, endedMs);
      timers.add(timer);
    };
    const leave = listenTogether((age) => addressOf(api.companyLive, { query: { age } }), `kontor-live:${company}`, {
      running: (events, missed) => setStatus((now) => withStarted(now, events, missed)),
      event: (event) => {
        setStatus((now) => withEvent(now, event));
        if (event.message === 'channel' && event.state === 'idle') forgetLater(event.channel);
      },
      // LIV-03: markers cleared, stream closed, no message.
      broken: () => setStatus(withBroken),
    });
    return () => {
      leave();
      for (const timer of timers) clearTimeout(timer);
      setStatus(nothingRuns);
    };
  }, [company]);
  return status;
}
