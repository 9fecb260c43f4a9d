import { useEffect, useState } from 'react';

/**
 * Returns the current time in milliseconds, updated every half minute; first the server's time, so
 * that server and browser render the same.
 */
export function useNow(asOf: string): number {
  const [now, setNow] = useState(() => Date.parse(asOf));
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
