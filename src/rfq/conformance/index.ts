import { LAST_LOOK_MS } from '../fills/fill-results.ts';
import { runCheck } from './check.ts';
import type { CheckParts } from './parts.ts';
import { stoppable } from './waits.ts';
import { type Finding, type Report, SITUATIONS } from './report.ts';

export type { Landed, SignedSwap } from './parts.ts';
export type { Report } from './report.ts';
export { SITUATIONS } from './report.ts';
export { Trials } from './trials.ts';

/** Seconds that a maker has to sign what it must not sign: as long as for an order, unless less is asked for. */
export const MAX_WAIT_SECONDS = LAST_LOOK_MS / 1_000;

interface Run {
  readonly findings: Finding[];
  running: boolean;
}

/** Checks of makers: at most one at a time, and the last report of each maker. */
export class MakerChecks {
  readonly #parts: CheckParts;
  readonly #onDefect: (error: unknown) => void;
  readonly #runs = new Map<string, Run>();
  readonly #stop: () => void;
  #serial = 0;

  /** @param onDefect told when a check could not be carried through */
  constructor(parts: CheckParts, onDefect: (error: unknown) => void) {
    const { timers, stop } = stoppable(parts.timers);
    this.#parts = { ...parts, timers };
    this.#stop = stop;
    this.#onDefect = onDefect;
  }

  /** Begins a check of a maker that there is; null when one is under way, of whichever maker. */
  begin(makerId: string, waitSeconds: number): Report | null {
    if ([...this.#runs.values()].some(({ running }) => running)) return null;
    const run: Run = { findings: [], running: true };
    this.#runs.set(makerId, run);
    const subject = {
      makerId,
      taker: this.#parts.newKeypair(),
      lastLookMs: waitSeconds * 1_000,
      nextSerial: () => this.#serial++ % SERIALS,
    };
    runCheck(this.#parts, subject, (finding) => run.findings.push(finding))
      .catch(this.#onDefect)
      .finally(() => {
        this.#parts.trials.endAll();
        run.running = false;
      });
    return reportOf(makerId, run);
  }

  /** A check that is under way goes no further. */
  close(): void {
    this.#stop();
  }

  /** Of the maker's last check; null when this process has made none. */
  report(makerId: string): Report | null {
    const run = this.#runs.get(makerId);
    return run === undefined ? null : reportOf(makerId, run);
  }
}

/** Checks as whoever asks for them sees them. */
export type CheckRuns = Pick<MakerChecks, 'begin' | 'report'>;

/** Far more than one blockhash lasts. */
const SERIALS = 100_000;

function reportOf(makerId: string, { findings, running }: Run): Report {
  // One that could not be carried through lacks findings, and has not passed.
  const isWhole = !running && findings.length === SITUATIONS.length;
  return {
    makerId,
    running,
    findings: [...findings],
    passed: isWhole && findings.every(({ outcome }) => outcome === 'passed'),
  };
}
