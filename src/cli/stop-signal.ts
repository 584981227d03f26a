const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** npm hands on a Ctrl-C that the terminal has already sent: the two arrive together and are one. */
const SAME_MS = 500;

/**
 * Resolves at the first request to stop. A later one ends the process at once, for whoever does not want to wait.
 * @param now a monotonic clock in milliseconds
 */
export function stopSignal(now: () => number, force: (exitCode: number) => void): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = (signal: NodeJS.Signals) => {
      if (first === undefined) {
        first = now();
        resolve();
      } else if (now() - first > SAME_MS) {
        force(signal === 'SIGINT' ? 130 : 143);
      }
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
  });
}
