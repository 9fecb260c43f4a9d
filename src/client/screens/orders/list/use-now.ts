import { useEffect, useState } from 'react';

/** What time it is, in milliseconds, looked at every half minute; first the time that the server said, so that both draw the same. */
export function useNow(asOf: string): number {
  const [now, setNow] = useState(() => Date.parse(asOf));
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
