import { runCheck } from './check.ts';
import type { CheckDependencies } from './trials/check-dependencies.ts';
import { createStoppableTimers } from './trials/waits.ts';
import { type CheckKind, type Finding, type Report, SITUATIONS_BY_KIND } from './trials/report.ts';
import { runWebhookCheck } from './webhook/webhook-check.ts';

export type { Landed, SignedSwap } from './trials/check-dependencies.ts';
export type { CheckKind, Report } from './trials/report.ts';
export { MAX_WAIT_SECONDS, SITUATIONS, toChecklist, WEBHOOK_SITUATIONS } from './trials/report.ts';
export { SITUATION_MEANINGS } from './trials/meanings.ts';
export { Trials } from './trials/trials.ts';

interface CheckRun {
  readonly kind: CheckKind;
  readonly findings: Finding[];
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** Null while it is running. */
  endedAt: number | null;
}

/**
 * Runs conformance checks, one at a time, and keeps the last report of each maker.
 *
 * @example
 * ```ts
 * import { type MakerChecks, type Report } from './index.ts';
 *
 * function check(checks: MakerChecks, makerId: string): Report | null {
 *   checks.begin(makerId, 1, checks.kindOf(makerId));
 *   return checks.report(makerId); // Running: more findings follow.
 * }
 * ```
 */
export class MakerChecks {
  readonly #dependencies: CheckDependencies;
  readonly #onDefect: (error: unknown) => void;
  readonly #runs = new Map<string, CheckRun>();
  readonly #stop: () => void;
  #serial = 0;

  /** @param onDefect - Called when a check could not be completed. */
  constructor(dependencies: CheckDependencies, onDefect: (error: unknown) => void) {
    const { timers, stop } = createStoppableTimers(dependencies.timers);
    this.#dependencies = { ...dependencies, timers };
    this.#stop = stop;
    this.#onDefect = onDefect;
  }

  /** Returns how a maker is checked by default: by its webhook if it has one and does not stream. */
  kindOf(makerId: string): CheckKind {
    const { webhooks, swapConnections } = this.#dependencies;
    return webhooks.find(makerId) !== null && !swapConnections.isLive(makerId) ? 'webhook' : 'streams';
  }

  /**
   * Starts a check of an existing maker.
   * @param kind - `webhook` only for a maker that has one.
   * @returns null if a check is running already, of any maker
   */
  begin(makerId: string, waitSeconds: number, kind: CheckKind): Report | null {
    if (this.findRunning() !== null) return null;
    const { timers } = this.#dependencies;
    const run: CheckRun = { kind, findings: [], startedAt: timers.now(), endedAt: null };
    this.#runs.delete(makerId);
    this.#runs.set(makerId, run);
    const subject = {
      makerId,
      taker: this.#dependencies.newKeypair(),
      lastLookMs: waitSeconds * 1_000,
      nextSerial: () => this.#serial++,
    };
    const check = kind === 'webhook' ? runWebhookCheck : runCheck;
    check(this.#dependencies, subject, (finding) => run.findings.push(finding))
      .catch(this.#onDefect)
      .finally(() => {
        this.#dependencies.trials.endAll();
        run.endedAt = timers.now();
      });
    return toCheckReport(makerId, run);
  }

  /** Returns the maker whose check is running; null if none is. */
  findRunning(): string | null {
    for (const [makerId, { endedAt }] of this.#runs) if (endedAt === null) return makerId;
    return null;
  }

  /** Returns the makers of which there is a report, those whose checks began last first. */
  listChecked(): readonly string[] {
    return [...this.#runs.keys()].reverse();
  }

  /** Stops the running check. */
  close(): void {
    this.#stop();
  }

  /** Returns the report of the maker's last check; null if this process has made none. */
  report(makerId: string): Report | null {
    const run = this.#runs.get(makerId);
    return run === undefined ? null : toCheckReport(makerId, run);
  }
}

/** A check, as a client sees it. */
export type CheckRuns = Pick<MakerChecks, 'begin' | 'report' | 'kindOf' | 'findRunning' | 'listChecked'>;

function toCheckReport(makerId: string, { kind, findings, startedAt, endedAt }: CheckRun): Report {
  const running = endedAt === null;
  // A check that could not be completed lacks findings, and has not passed.
  const isWhole = !running && findings.length === SITUATIONS_BY_KIND[kind].length;
  return {
    makerId,
    kind,
    startedAt,
    endedAt,
    running,
    findings: [...findings],
    passed: isWhole && findings.every(({ outcome }) => outcome === 'passed'),
  };
}
