import { useMemo, useState } from 'react';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { useLive } from '#client/use-live.ts';

/** Loads the figures of one of our sellers in a catalogue. */
export function useFigures(masterid: string, sellerid: string) {
  const [version, setVersion] = useState(0);
  const question = useMemo(() => ({ masterid, sellerid, version }), [masterid, sellerid, version]);
  const ask = (signal: AbortSignal) => call(api.repricerFigures, { params: { sellerid }, query: { masterid }, signal });
  const { answer, busy, failure, retry } = useLive(question, ask, { delay: 0 });
  return { figures: answer, busy, failure, retry, reload: () => setVersion(version + 1) };
}
