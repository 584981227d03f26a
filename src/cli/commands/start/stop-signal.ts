const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** npm hands on a Ctrl-C that the terminal has already sent: the two arrive together and are one. */
const SAME_MS = 500;

export interface StopOptions {
  /** The process. */
  readonly source: { on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown };
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly force: (exitCode: number) => void;
}

/** Resolves at the first request to stop. A later one ends the process at once, for whoever does not want to wait. */
export function stopSignal({ source, now, force }: StopOptions): Promise<void> {
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
    for (const signal of SIGNALS) source.on(signal, onSignal);
  });
}
