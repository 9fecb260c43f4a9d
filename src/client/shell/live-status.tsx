import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigation, useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import { addressOf } from '#client/call.ts';
import { type LiveStatus, nothingRuns, withBroken, withEvent, withoutEnded, withStarted } from './live/live-runs.ts';
import { listenTogether } from './live/shared-stream.ts';

/** Milliseconds that 'Beendet' is shown before the run control returns. */
const endedMs = 4000;

const LiveContext = createContext<LiveStatus>(nothingRuns);
export const useLiveStatus = (): LiveStatus => useContext(LiveContext);

/** How many runs had finished when the browser began to load the page that is shown. */
const FinishedBeforeContext = createContext(0);
export const useFinishedBeforeLoading = (): number => useContext(FinishedBeforeContext);

/** Reloads the page's data when a run has ended since they were loaded, whoever started it. */
export function useReloadAfterRuns(): void {
  const { finished } = useLiveStatus();
  const { revalidate } = useRevalidator();
  const seen = useRef(useFinishedBeforeLoading());
  const anew = useEffectEvent(() => void revalidate());
  useEffect(() => {
    if (finished > seen.current) anew();
    seen.current = finished;
  }, [finished]);
}

/** Listens to the company's runs as long as the page is open and visible. */
export function LiveProvider({ company, children }: { company: string; children: ReactNode }) {
  const status = useStream(company);
  return (
    <LiveContext value={status}>
      <FinishedBeforeContext value={useFinishedBefore(status.finished)}>{children}</FinishedBeforeContext>
    </LiveContext>
  );
}

function useFinishedBefore(finished: number): number {
  const { location } = useNavigation();
  const [last, setLast] = useState({ location, finished: 0 });
  if (location === last.location) return last.finished;
  const now = { location, finished: location === undefined ? last.finished : finished };
  setLast(now);
  return now.finished;
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
