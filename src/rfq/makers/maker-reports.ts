import type { Timers } from '../../common/ports/timers.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { evidenceOf, type MakerRuntimeState } from './maker-runtime-state.ts';
import type { MakerScoring } from './maker-scoring.ts';
import type { MakerOwners } from './maker-owners.ts';
import type { MakerNews } from './maker-news.ts';
import type { MakerOwnership } from './maker-ownership.ts';
import type { TradeNews } from './maker-trades.ts';
import type { MakerWriter } from './maker-writer.ts';
import { OrderCounts } from './order-counts.ts';

export interface MakerReportsOptions {
  readonly ownership: Pick<MakerOwnership, 'claim' | 'disown'>;
  readonly homes: Pick<MakerOwners, 'find' | 'tell'>;
  readonly writer: Pick<MakerWriter, 'written' | 'touch'>;
  readonly find: (makerId: string) => MakerRuntimeState | undefined;
  /** Takes it in, of a maker that this process owns. */
  readonly apply: (makerId: string, held: MakerRuntimeState, news: MakerNews) => void;
  readonly timers: Timers;
  readonly onDefect: (error: unknown) => void;
}

/** What did not reach the instance that has the maker is told again, until that is back or has lost its lease. */
const AGAIN_MS = 1_000;
const ATTEMPTS = 8;

/**
 * What happens to makers, told to the process that owns each: this one, another one, or this one for a moment when none
 * does, as when a swap ends after its maker has left.
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
    const evidence = evidenceOf(swapUuid, sent, returned);
    return this.#report(makerId, { kind: 'tampered', swapUuid, evidence });
  }

  /** Counts for the statistics, which are written within some seconds. */
  count(makerId: string, news: TradeNews): void {
    const { find, apply, writer } = this.#options;
    const held = find(makerId);
    if (held?.isOwned === true) {
      apply(makerId, held, news);
      writer.touch(makerId);
    } else if (news.kind === 'ordered') this.#orders.add(makerId, news);
    else void this.#report(makerId, news);
  }

  /**
   * Resolves when the process that owns the maker has written it down.
   * @throws Unavailable when another process owns it and cannot be reached
   */
  async tell(makerId: string, news: MakerNews): Promise<void> {
    const { find, apply, ownership, homes, writer } = this.#options;
    const held = find(makerId);
    if (held === undefined) {
      // One that was issued just now may be known to the instance that has it, and not here yet.
      const other = await homes.find(makerId);
      return other === null ? undefined : homes.tell(other, makerId, news);
    }
    const wasOwned = held.isOwned;
    // Whoever else waited for it may have left it to other processes again.
    while (!held.isOwned) {
      const other = await ownership.claim(makerId, held);
      if (other !== null) return homes.tell(other, makerId, news);
    }
    apply(makerId, held, news);
    const written = writer.written(makerId);
    if (!wasOwned) ownership.disown(makerId);
    await written;
  }

  /** What another process tells of a maker that it takes to be here. @throws Error when it is not */
  async told(makerId: string, news: MakerNews): Promise<void> {
    const { find, apply, writer } = this.#options;
    const held = find(makerId);
    if (held?.isOwned !== true) throw new Error(`the maker ${makerId} is not here`);
    apply(makerId, held, news);
    if (news.kind === 'ordered' || news.kind === 'traded') writer.touch(makerId);
    else await writer.written(makerId);
  }

  /** Tells what is left, once. */
  close(): Promise<void> {
    this.#isClosing = true;
    return this.#orders.close();
  }

  /** Resolves when it is written down, or when it was reported that it cannot be. */
  async #report(makerId: string, news: MakerNews): Promise<void> {
    const { timers, onDefect } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.tell(makerId, news);
      } catch (error) {
        const isLast = this.#isClosing || attempt === ATTEMPTS;
        if (isLast || !(error instanceof Unavailable)) return onDefect(error);
        await new Promise<void>((resolve) => timers.after(AGAIN_MS, resolve));
      }
    }
  }
}
