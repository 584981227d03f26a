/**
 * Puts off writing answers until the requests that came with theirs are dealt with, which takes less time in all: clients
 * are woken once and not after every answer. An answer waits for `mostMs` and one more request at the longest.
 * @param now milliseconds that only rise
 */
export function answeringTogether(now: () => number, mostMs: number): (write: () => void) => void {
  let waiting: (() => void)[] = [];
  let since = 0;
  const writeAll = () => {
    const writes = waiting;
    waiting = [];
    for (const write of writes) write();
  };
  return (write) => {
    if (waiting.length === 0) {
      since = now();
      setImmediate(writeAll);
    }
    waiting.push(write);
    if (now() - since >= mostMs) writeAll();
  };
}
