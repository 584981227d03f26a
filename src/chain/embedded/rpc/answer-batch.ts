/**
 * Delays writing answers until the requests that arrived together are handled, which takes less time in total: clients
 * are woken once instead of after every answer. An answer waits at most `maxDelayMs` and one more request.
 *
 * @param now - A monotonic clock in milliseconds.
 */
export function createAnswerBatch(now: () => number, maxDelayMs: number): (write: () => void) => void {
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
    if (now() - since >= maxDelayMs) writeAll();
  };
}
