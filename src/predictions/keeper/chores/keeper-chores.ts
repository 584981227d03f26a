import type { Timers } from '../../../common/ports/timers.ts';
import type { Address } from '../../../solana/address.ts';
import { WalletPlaces } from '../../../waiting-orders/keeper/wallet-places.ts';
import { computeRetryDelay } from '../sending/keeper-delays.ts';
import type { KeeperSender, KeeperWork, WorkOutcome } from '../sending/keeper-sender.ts';

/** Transactions of chores that are on their way at a time. */
const MAX_IN_FLIGHT = 32;
/**
 * Chores of wallets that are remembered. Further ones are found again by the next look at the accounts. Results are always taken,
 * because wallets can make chores that do not succeed, by closing what they are paid into.
 */
export const MAX_CHORES = 10_000;

/** What a chore does, as metrics name it. */
export type ChoreKind = 'close-order' | 'result' | 'claim' | 'refund' | 'close-lost' | 'close-position';

/** Something that the keeper has to do about one account, as often as it takes. */
export interface Chore {
  readonly kind: ChoreKind;
  /** The account. There is one chore about an account at a time. */
  readonly account: Address;
  /** The wallet among which the places are shared. */
  readonly wallet: Address;
  /** Composes the work by the accounts as they are now. Null: nothing is left to be done. */
  readonly compose: () => Promise<KeeperWork | null>;
}

export interface KeeperChoresOptions {
  readonly sender: Pick<KeeperSender, 'run'>;
  readonly timers: Timers;
  readonly mayGoOn: () => boolean;
  /** Called with how a transaction of a chore ended. */
  readonly onOutcome: (kind: ChoreKind, outcome: WorkOutcome) => void;
  readonly onError: (error: unknown) => void;
}

interface WaitingChore {
  readonly chore: Chore;
  attempts: number;
  notBefore: number;
  isRunning: boolean;
}

/**
 * Does what does not depend on what else is done: a chore that was done twice is refused by its program the second time. What
 * does not succeed is tried again after longer and longer times.
 */
export class KeeperChores {
  readonly #options: KeeperChoresOptions;
  readonly #chores = new Map<Address, WaitingChore>();
  readonly #flights = new Set<Promise<void>>();
  readonly #places = new WalletPlaces(MAX_IN_FLIGHT);

  constructor(options: KeeperChoresOptions) {
    this.#options = options;
  }

  /** How many chores are not done. */
  get size(): number {
    return this.#chores.size;
  }

  has(account: Address): boolean {
    return this.#chores.has(account);
  }

  /** Adds a chore, unless there is one about the same account. */
  add(chore: Chore): void {
    if (this.#chores.has(chore.account)) return;
    if (this.#chores.size >= MAX_CHORES && chore.kind !== 'result') return;
    this.#chores.set(chore.account, { chore, attempts: 0, notBefore: 0, isRunning: false });
    this.pump();
  }

  /** Begins what can be begun. Call it also when time has passed. */
  pump(): void {
    if (!this.#options.mayGoOn()) return;
    const now = this.#options.timers.now();
    for (const waiting of this.#chores.values()) {
      if (this.#flights.size >= MAX_IN_FLIGHT) return;
      const { chore, isRunning, notBefore } = waiting;
      if (isRunning || notBefore > now || !this.#places.mayTake(chore.wallet)) continue;
      this.#begin(waiting);
    }
  }

  /** Resolves when no transaction is on its way. */
  async drain(): Promise<void> {
    while (this.#flights.size > 0) await Promise.all(this.#flights);
  }

  #begin(waiting: WaitingChore): void {
    const { chore } = waiting;
    waiting.isRunning = true;
    this.#places.take(chore.wallet);
    const flight = this.#run(waiting)
      .catch((error: unknown) => {
        this.#options.onError(error);
        return false;
      })
      .then((isDone) => {
        if (isDone) this.#chores.delete(chore.account);
        else waiting.notBefore = this.#options.timers.now() + computeRetryDelay(waiting.attempts++);
        waiting.isRunning = false;
        this.#flights.delete(flight);
        this.#places.giveBack(chore.wallet);
        this.pump();
      });
    this.#flights.add(flight);
  }

  /** Returns whether nothing is left to be done. */
  async #run({ chore }: WaitingChore): Promise<boolean> {
    const work = await chore.compose();
    if (work === null) return true;
    const outcome = await this.#options.sender.run(work, this.#options.mayGoOn);
    this.#options.onOutcome(chore.kind, outcome);
    return outcome.kind === 'done';
  }
}
