import { type Timers, wait } from '../../common/ports/timers.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { createTamperingEvidence, type MakerRuntimeState } from './maker-runtime-state.ts';
import type { MakerScoring } from './maker-scoring.ts';
import type { MakerOwners } from './maker-owners.ts';
import type { MakerReport } from './maker-report.ts';
import type { MakerOwnership } from './maker-ownership.ts';
import type { TradeReport } from './maker-trades.ts';
import type { MakerWriter } from './maker-writer.ts';
import { OrderCounts } from './order-counts.ts';

export interface MakerReportsOptions {
  readonly ownership: Pick<MakerOwnership, 'claim' | 'release'>;
  readonly owners: Pick<MakerOwners, 'findOwner' | 'sendReport'>;
  readonly writer: Pick<MakerWriter, 'written' | 'touch'>;
  readonly find: (makerId: string) => MakerRuntimeState | undefined;
  /** Applies a report of a maker that this process owns. */
  readonly apply: (makerId: string, held: MakerRuntimeState, report: MakerReport) => void;
  readonly timers: Timers;
  readonly onDefect: (error: unknown) => void;
}

/** A report that did not reach the owner is sent again, until the owner answers or has lost its lease. */
const RETRY_MS = 1_000;
const MAX_ATTEMPTS = 8;

/**
 * Sends reports about makers to the process that owns each. If no process owns the maker, as when a swap ends after its
 * maker has left, this process becomes the owner while it writes the report.
 */
export class MakerReports implements MakerScoring {
  readonly #options: MakerReportsOptions;
  readonly #orders: OrderCounts;
  #isClosing = false;

  constructor(options: MakerReportsOptions) {
    this.#options = options;
    this.#orders = new OrderCounts(options.timers, (makerId, count) =>
      this.#report(makerId, { kind: 'ordered', ...count }),
    );
  }

  filled(makerId: string, swapUuid: string): Promise<void> {
    return this.#report(makerId, { kind: 'filled', swapUuid });
  }

  missed(makerId: string, swapUuid: string): Promise<void> {
    return this.#report(makerId, { kind: 'missed', swapUuid });
  }

  tampered(makerId: string, swapUuid: string, sent: Uint8Array, returned: Uint8Array): Promise<void> {
    const evidence = createTamperingEvidence(swapUuid, sent, returned);
    return this.#report(makerId, { kind: 'tampered', swapUuid, evidence });
  }

  /** Counts for the statistics, which are written within some seconds. */
  count(makerId: string, report: TradeReport): void {
    const { find, apply, writer } = this.#options;
    const held = find(makerId);
    if (held?.isOwned === true) {
      apply(makerId, held, report);
      writer.touch(makerId);
    } else if (report.kind === 'ordered') this.#orders.add(makerId, report);
    else void this.#report(makerId, report);
  }

  /**
   * Sends one report. Resolves once the owner has written it.
   * @throws Unavailable if another process owns the maker and does not answer
   */
  async send(makerId: string, report: MakerReport): Promise<void> {
    const { find, apply, ownership, owners, writer } = this.#options;
    const held = find(makerId);
    if (held === undefined) {
      // The owner may already know a maker that was added just now.
      const other = await owners.findOwner(makerId);
      return other === null ? undefined : owners.sendReport(other, makerId, report);
    }
    const wasOwned = held.isOwned;
    // Another caller that waited for the same promise may have released the maker again.
    while (!held.isOwned) {
      // The maker was removed meanwhile.
      if (find(makerId) !== held) return;
      const other = await ownership.claim(makerId, held);
      if (other !== null) return owners.sendReport(other, makerId, report);
    }
    apply(makerId, held, report);
    const written = writer.written(makerId);
    if (!wasOwned) ownership.release(makerId, held);
    await written.catch((error: unknown) => {
      // Of a maker that was removed meanwhile, nothing is to be written.
      if (find(makerId) === held) throw error;
    });
  }

  /**
   * Handles a report that another process sent.
   * @throws Error if this process does not own the maker
   */
  async handleReport(makerId: string, report: MakerReport): Promise<void> {
    const { find, apply, writer } = this.#options;
    const held = find(makerId);
    if (held?.isOwned !== true) throw new Error(`the maker ${makerId} is not here`);
    apply(makerId, held, report);
    if (report.kind === 'ordered' || report.kind === 'traded') writer.touch(makerId);
    else await writer.written(makerId);
  }

  /** Makes one attempt to send what is left. */
  close(): Promise<void> {
    this.#isClosing = true;
    return this.#orders.close();
  }

  /** Resolves once the report is written, or the failure to write it has been reported. */
  async #report(makerId: string, report: MakerReport): Promise<void> {
    const { timers, onDefect } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.send(makerId, report);
      } catch (error) {
        const isLast = this.#isClosing || attempt === MAX_ATTEMPTS;
        if (isLast || !(error instanceof Unavailable)) return onDefect(error);
        await wait(RETRY_MS, timers);
      }
    }
  }
}
