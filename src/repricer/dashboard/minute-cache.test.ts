import { expect, it } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { currentClientSignal, withClientSignal } from '#platform/db/client-signal.ts';
import { MinuteCache } from './minute-cache.ts';

it('a shared computation of figures continues when its first client has disconnected', async () => {
  const cache = new MinuteCache(systemClock, async () => currentClientSignal());
  const gone = new AbortController();
  const place = { company: 'firma', masterid: 'katalog', sellers: new Map() };
  const first = withClientSignal(gone.signal, () => cache.of(place));
  gone.abort();
  expect(await first).toBeUndefined();
  expect(await cache.of(place)).toBeUndefined();
});
