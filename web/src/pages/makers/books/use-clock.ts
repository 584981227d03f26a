import { useEffect, useState } from 'react';

/** Returns the time of `performance.now`, again every so many milliseconds. */
export function useClock(everyMs: number): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
