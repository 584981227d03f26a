import type { Timers } from '../../common/ports/timers.ts';
import type { StoredMaker } from './maker.ts';
import type { MakerReport } from './maker-report.ts';
import { type MakerRuntimeState, takeOver, createUnchangedTransition } from './maker-runtime-state.ts';
import {
  advanceMaker,
  type BreakerPolicy,
  type MakerEvent,
  type MakerStatus,
  MAX_OUTCOMES,
  toMakerStatus,
} from './maker-state.ts';
import { countTrade } from './maker-trades.ts';
import type { MakerWriter } from './maker-writer.ts';

export interface MakerStatusesOptions {
  readonly writer: Pick<MakerWriter, 'write'>;
  readonly timers: Timers;
  readonly breaker: BreakerPolicy;
  readonly find: (makerId: string) => MakerRuntimeState | undefined;
}

/** Applies what happens to makers to their states, and records and announces each change of a status. */
export class MakerStatuses {
  readonly #options: MakerStatusesOptions;
  readonly #listeners = new Set<(makerId: string, status: MakerStatus) => void>();

  constructor(options: MakerStatusesOptions) {
    this.#options = options;
  }

  /**
   * Calls `listener` after each change of a maker's status.
   * Returns a function that stops it.
   */
  onStatus(listener: (makerId: string, status: MakerStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Continues from the stored state of a maker that this process now owns; null if nothing is stored. */
  takeOver(makerId: string, held: MakerRuntimeState, stored: StoredMaker | null): void {
    const before = toMakerStatus(held.state);
    if (stored !== null) takeOver(held, stored);
    const to = toMakerStatus(held.state);
    if (stored?.status === 'prod') {
      const cause = 'the instance that had the swap stream ended';
      const at = this.#options.timers.now();
      this.#options.writer.write(makerId, [{ makerId, from: 'prod', to, at, cause, evidence: null }]);
    }
    if (before !== to) this.#notify(makerId, to);
    this.applyEvent(makerId, { kind: 'time' });
  }

  /** Applies a report of a maker that this process owns. */
  applyReport(makerId: string, held: MakerRuntimeState, report: MakerReport): void {
    switch (report.kind) {
      case 'filled':
      case 'missed':
        this.#outcome(makerId, held, report);
        break;
      case 'tampered':
        held.statistics.tampered++;
        this.applyEvent(makerId, { kind: 'tampered', swapUuid: report.swapUuid }, report.evidence);
        break;
      case 'reinstated':
        this.applyEvent(makerId, { kind: 'reinstated' });
        break;
      default:
        countTrade(held.statistics, report);
    }
  }

  /**
   * Applies an event to a maker's state. The owner records what it changes, and all processes announce it to their listeners.
   * @param evidence - Recorded with the change, or by itself if the status stays.
   */
  applyEvent(
    makerId: string,
    event: MakerEvent,
    evidence: Readonly<Record<string, string>> | null = null,
  ): void {
    const { find, timers, breaker } = this.#options;
    const held = find(makerId);
    if (held === undefined) return;
    const { state, transitions } = advanceMaker(held.state, event, timers.now(), breaker);
    const { suspendedUntil } = held.state;
    held.state = state;
    if (state.suspendedUntil !== suspendedUntil || event.kind === 'time') this.#awaitEnd(makerId, held);
    if (!held.isOwned && transitions.length > 0) this.#notify(makerId, toMakerStatus(state));
    // Only the owner writes transitions.
    if (!held.isOwned || (transitions.length === 0 && evidence === null)) return;
    // An event that did not change the status is recorded too if it has evidence.
    const status = toMakerStatus(state);
    const kept =
      transitions.length > 0 ? transitions : [createUnchangedTransition(status, timers.now(), event)];
    this.#options.writer.write(
      makerId,
      kept.map((transition) => ({ ...transition, makerId, evidence })),
    );
    if (transitions.length > 0) this.#notify(makerId, status);
  }

  #outcome(
    makerId: string,
    held: MakerRuntimeState,
    { kind, swapUuid }: Extract<MakerReport, { kind: 'filled' | 'missed' }>,
  ): void {
    if (held.countedSwaps.has(swapUuid)) return;
    held.countedSwaps.add(swapUuid);
    const [oldest] = held.countedSwaps;
    if (held.countedSwaps.size > MAX_OUTCOMES && oldest !== undefined) held.countedSwaps.delete(oldest);
    held.statistics[kind]++;
    this.applyEvent(makerId, { kind, swapUuid });
  }

  #notify(makerId: string, status: MakerStatus): void {
    for (const listener of this.#listeners) listener(makerId, status);
  }

  #awaitEnd(makerId: string, held: MakerRuntimeState): void {
    held.cancelSuspensionTimer();
    const { suspendedUntil } = held.state;
    if (suspendedUntil === null) return;
    const { timers } = this.#options;
    const delay = Math.min(Math.max(suspendedUntil - timers.now(), 0), MAX_TIMER_MS);
    held.cancelSuspensionTimer = timers.after(delay, () => this.applyEvent(makerId, { kind: 'time' }));
  }
}

/** The maximum delay of a Node.js timer. */
const MAX_TIMER_MS = 2_147_483_647;
