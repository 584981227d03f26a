import type { Chain } from '../../chain/chain.ts';
import type { Counter } from '../../common/ports/metrics.ts';
import type { Timers } from '../../common/ports/timers.ts';
import type { KeeperSender, WorkOutcome } from '../../predictions/keeper/sending/keeper-sender.ts';
import { createForecastPayout } from '../../protocols/bisonfi-forecast/instructions/forecast-token-instructions.ts';
import type { Address } from '../../solana/address.ts';
import { decodeMint } from '../../solana/programs/token/mint.ts';
import type { ForecastOutcome, ForecastRound } from '../forecast.ts';
import type { TaskOutcome } from './keeper-tasks.ts';
import {
  findHolderSteps,
  listOutcomeHolders,
  type OutcomeHolder,
  REDEEMABLE_SECONDS,
} from './outcome-holders.ts';

/** A round with its result. */
export type EndedRound = ForecastRound & { readonly outcome: ForecastOutcome };

/** Token accounts that one transaction pays out. More do not fit into one. */
const HOLDERS_TOGETHER = 5;
/** Transactions of one turn of a round. */
const TRANSACTIONS_AT_ONCE = 4;
/** Token accounts of a round that are remembered as the next ones. Further ones are found again. */
const MAX_LISTED = 1_000;
/** After so long, the keeper looks again at a token account that it could not pay, and the longest time that it takes. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [30_000, 3_600_000];

export interface RoundPayoutsOptions {
  readonly chain: Pick<Chain, 'clock' | 'getAccounts' | 'getProgramAccounts'>;
  readonly sender: Pick<KeeperSender, 'run'>;
  readonly operator: Address;
  readonly timers: Pick<Timers, 'now'>;
  readonly mayGoOn: () => boolean;
  /** Called with how each transaction ended. */
  readonly onOutcome: (outcome: WorkOutcome) => void;
  readonly paid: Counter;
}

interface WaitingHolder {
  failures: number;
  notBefore: number;
}

interface RoundState {
  next: OutcomeHolder[];
  readonly waiting: Map<Address, WaitingHolder>;
  /** What the round said of its tokens when none were left; null before. */
  emptyAt: bigint | null;
}

/**
 * Pays the holders of rounds with a result, those that get most first. A holder that cannot be paid is tried again after longer and
 * longer times, and holds up no other one.
 */
export class RoundPayouts {
  readonly #options: RoundPayoutsOptions;
  readonly #rounds = new Map<Address, RoundState>();

  constructor(options: RoundPayoutsOptions) {
    this.#options = options;
  }

  /** How many token accounts are not paid now, because their owners have to act. */
  get waiting(): number {
    let sum = 0;
    for (const { waiting } of this.#rounds.values()) sum += waiting.size;
    return sum;
  }

  /** Whether no tokens of a round are left. It is looked at again when its account changes, as by a snapshot that is restored. */
  isEmpty(round: Pick<ForecastRound, 'address' | 'up' | 'down'>): boolean {
    return this.#rounds.get(round.address)?.emptyAt === sumOutstanding(round);
  }

  /** Forgets rounds that are gone. */
  keepOnly(isKnown: (round: Address) => boolean): void {
    for (const round of this.#rounds.keys()) if (!isKnown(round)) this.#rounds.delete(round);
  }

  /**
   * Pays some holders of a round.
   *
   * Returns `again` while there may be more to pay, and `failed` if nobody can be paid now.
   * @throws Unavailable when the network or the store does not answer
   */
  async pay(round: EndedRound): Promise<TaskOutcome> {
    const state = this.#rounds.get(round.address) ?? { next: [], waiting: new Map(), emptyAt: null };
    this.#rounds.set(round.address, state);
    if (state.next.length === 0) await this.#look(round, state);
    if (this.isEmpty(round)) return 'done';
    const taken = state.next.splice(0, HOLDERS_TOGETHER * TRANSACTIONS_AT_ONCE);
    if (taken.length === 0) return 'failed';
    const { chain } = this.#options;
    const isOverdue = chain.clock().unixTimestamp >= BigInt(round.settledAt + REDEEMABLE_SECONDS);
    const steps = await findHolderSteps(chain, taken, isOverdue);
    const payable = taken.filter((holder, index) => {
      if (steps[index] !== 'waits') return true;
      this.#noteFailure(state, holder);
      return false;
    });
    const batches = Array.from({ length: Math.ceil(payable.length / HOLDERS_TOGETHER) }, (_, index) =>
      payable.slice(index * HOLDERS_TOGETHER, (index + 1) * HOLDERS_TOGETHER),
    );
    const ends = await Promise.all(batches.map((batch) => this.#payTogether(round, state, batch)));
    return ends.every((isSent) => isSent) ? 'again' : 'failed';
  }

  async #look(round: EndedRound, state: RoundState): Promise<void> {
    const { chain, timers } = this.#options;
    const mints = await chain.getAccounts([round.up.mint, round.down.mint]);
    if (mints.every(({ account }) => account === null || decodeMint(account.data).supply === 0n)) {
      state.emptyAt = sumOutstanding(round);
      state.waiting.clear();
      return;
    }
    const now = timers.now();
    const found = new Set<Address>();
    const isLeft = (account: Address) => {
      found.add(account);
      return (state.waiting.get(account)?.notBefore ?? 0) > now;
    };
    state.next = [...(await listOutcomeHolders(chain, round, isLeft, MAX_LISTED))];
    for (const account of state.waiting.keys()) if (!found.has(account)) state.waiting.delete(account);
  }

  /** Returns whether it could be sent. What is refused because of one holder is sent again without that one. */
  async #payTogether(
    round: EndedRound,
    state: RoundState,
    batch: readonly OutcomeHolder[],
  ): Promise<boolean> {
    const { sender, operator, mayGoOn, onOutcome, paid } = this.#options;
    let left = batch;
    while (left.length > 0 && mayGoOn()) {
      const instructions = left.map(({ account, owner, side }) =>
        createForecastPayout(operator, { round: round.address, side, owner, tokens: account }),
      );
      // The rents of accounts of USDC are not counted: the house keeps more for each.
      const work = { instructions, wallet: round.address, rent: 0n, isGift: false };
      const outcome = await sender.run(work, mayGoOn);
      onOutcome(outcome);
      if (outcome.kind === 'done') {
        paid.add({}, left.length);
        for (const { account } of left) state.waiting.delete(account);
        return true;
      }
      if (outcome.kind !== 'refused') {
        state.next.unshift(...left);
        return false;
      }
      const faulty = this.#findFaulty(left, outcome.at);
      for (const holder of faulty) this.#noteFailure(state, holder);
      left = left.filter((holder) => !faulty.includes(holder));
    }
    return true;
  }

  /** Where the runtime refused the transaction as a whole, the last half is left for later, so that one that fits remains. */
  #findFaulty(batch: readonly OutcomeHolder[], at: number | null): readonly OutcomeHolder[] {
    const one = at === null ? undefined : batch[at];
    return one === undefined ? batch.slice(Math.floor(batch.length / 2)) : [one];
  }

  #noteFailure({ waiting }: RoundState, { account }: OutcomeHolder): void {
    const failures = (waiting.get(account)?.failures ?? 0) + 1;
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10));
    waiting.set(account, { failures, notBefore: this.#options.timers.now() + pause });
  }
}

function sumOutstanding({ up, down }: Pick<ForecastRound, 'up' | 'down'>): bigint {
  return up.outstanding + down.outstanding;
}
