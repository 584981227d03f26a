const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** npm forwards a Ctrl-C that the terminal has sent already, so signals within this time count as one. */
const ECHO_MS = 500;

export interface StopOptions {
  /** Emits the signals, as `process` does. */
  readonly source: { on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown };
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /**
   * Whether SIGHUP also stops, because it means that the terminal was closed. Without a terminal, it is sent by a supervisor
   * or a script to have files read again, which Sluice does by itself.
   */
  readonly stopsAtHangup: boolean;
  /** Called at a SIGHUP that does not stop. */
  readonly onHangup: () => void;
  /** Ends the process immediately. */
  readonly force: (exitCode: number) => void;
}

/** Returns a promise that resolves at the first signal to stop. A later signal calls `force`. */
export function awaitStopSignal({ source, now, stopsAtHangup, onHangup, force }: StopOptions): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = (signal: NodeJS.Signals) => {
      if (first === undefined) {
        first = now();
        resolve();
      } else if (now() - first > ECHO_MS) {
        force(signal === 'SIGINT' ? 130 : 143);
      }
    };
    for (const signal of SIGNALS) source.on(signal, onSignal);
    source.on('SIGHUP', stopsAtHangup ? onSignal : onHangup);
  });
}
