import type { Chain } from '../../../chain/chain.ts';
import type { Address } from '../../../solana/address.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import { describeBudgetRefusal } from '../../../transactions/sponsor/budget.ts';
import { isKnown } from '../../../transactions/submit/transaction-lookup.ts';
import type { Sponsor } from '../../../transactions/sponsor/sponsor.ts';
import type { PredictionAccounts } from '../../prediction.ts';

/** A wallet with this many lamports pays for its own orders, as for its own swaps. */
const ENOUGH_LAMPORTS = 10_000_000n;
/**
 * Transactions that may be handed out before the first of them expires or is over. Whoever asks need not be the owner, and swaps
 * have the same budget: with the usual limits, all that never land hold a quarter of it.
 */
export const MAX_HANDED_OUT = 32;
/** Open orders that are remembered until they are closed. The rent of more stays counted for the hour. */
const MAX_REMEMBERED = 10_000;
const MICRO_PER_DOLLAR = 1_000_000;

export interface GaslessOrdersOptions {
  readonly sponsor: Sponsor;
  readonly chain: Chain;
  readonly accounts: Pick<PredictionAccounts, 'findOrder' | 'onChange'>;
  /** Called when it could not be found out whether a transaction has landed; it is tried again. */
  readonly onDefect: (error: unknown) => void;
}

/** The rent that comes back to whoever paid it when an order is closed. */
export interface ReturnedRent {
  /** Null for a transaction that makes no order. */
  readonly order: Address | null;
  readonly returned: bigint;
}

/** Whether the sponsor pays. A reason is a part of a sentence; null: it is not asked to. */
export type SponsorDecision =
  | { readonly kind: 'pays'; readonly keypair: Keypair }
  | { readonly kind: 'declines'; readonly reason: string | null };

/** A transaction that the sponsor has signed and whose cost is counted. */
interface HandedOut extends ReturnedRent {
  readonly owner: Address;
  readonly lamports: bigint;
  readonly signature: string;
  readonly lastValidBlockHeight: bigint;
}

/** The wallet and its order, for the decision whether the sponsor pays. */
export interface GaslessRequest {
  readonly owner: Address;
  /** What the wallet has. */
  readonly walletLamports: bigint;
  /** The most that the transaction can cost. */
  readonly lamports: bigint;
  /** What the order is worth in micro USD; null where it may be worth anything. */
  readonly worth: bigint | null;
}

const NOT_ASKED: SponsorDecision = { kind: 'declines', reason: null };

/**
 * Orders that the sponsor pays for. Unlike the transaction of a swap, one is handed out with the sponsor's signature, because
 * clients may land it over any RPC. So its whole cost is counted before it is handed out, and subtracted again if it
 * expires without landing. The rent of an order's accounts is subtracted when the order is closed, which pays it back.
 */
export class GaslessOrders {
  readonly #options: GaslessOrdersOptions;
  /** In the order in which they were handed out. */
  #handedOut: HandedOut[] = [];
  /** Transactions that are counted and being made. */
  #reserved = 0;
  /** What expired transactions opened, by the account of the order. */
  readonly #open = new Map<Address, HandedOut>();
  #isSweeping = false;

  readonly #stop: () => void;

  constructor(options: GaslessOrdersOptions) {
    this.#options = options;
    options.sponsor.held?.include(() => this.heldLamports);
    this.#stop = options.accounts.onChange(({ orders }) => this.#noteChanged(orders));
  }

  close(): void {
    this.#stop();
  }

  /** What the budget counts for transactions that are handed out and have neither landed nor expired. */
  get heldLamports(): bigint {
    return this.#handedOut.reduce((sum, { lamports }) => sum + lamports, 0n);
  }

  /**
   * Counts the cost of a transaction, unless the wallet has enough SOL itself, the order is too small, the budget is used up or too
   * many transactions are handed out.
   */
  async reserve({ owner, walletLamports, lamports, worth }: GaslessRequest): Promise<SponsorDecision> {
    await this.#sweep().catch(this.#options.onDefect);
    const { keypair, budget, leastDollars } = this.#options.sponsor;
    if (walletLamports >= ENOUGH_LAMPORTS || owner === keypair.address) return NOT_ASKED;
    if (worth !== null && Number(worth) < leastDollars * MICRO_PER_DOLLAR) {
      return { kind: 'declines', reason: `it pays from ${leastDollars} dollars on` };
    }
    if (this.#handedOut.length + this.#reserved >= MAX_HANDED_OUT) {
      return {
        kind: 'declines',
        reason: 'too many of its orders have not landed yet; try again in a minute',
      };
    }
    this.#reserved++;
    let isCounted = false;
    try {
      const refusal = await budget.spend(owner, lamports);
      isCounted = refusal === null;
      if (refusal === null) return { kind: 'pays', keypair };
      return { kind: 'declines', reason: describeBudgetRefusal(refusal, 'orders') };
    } finally {
      if (!isCounted) this.#reserved--;
    }
  }

  /** Whether the sponsor has paid for an account. */
  hasPaidFor({ payer }: { readonly payer: Address }): boolean {
    return payer === this.#options.sponsor.keypair.address;
  }

  /** Remembers a transaction whose cost was counted. */
  noteHandedOut(transaction: HandedOut): void {
    this.#reserved--;
    this.#handedOut.push(transaction);
  }

  /** Subtracts what was counted for a transaction that is not handed out. */
  giveUp(owner: Address, lamports: bigint): void {
    this.#reserved--;
    this.#options.sponsor.budget.giveBack(owner, lamports);
  }

  /** An order that was changed and is no longer there has been closed, which pays its rent back. */
  #noteChanged(orders: readonly Address[]): void {
    const { accounts, sponsor } = this.#options;
    for (const order of orders) {
      if (accounts.findOrder(order) !== null) continue;
      const closed = this.#open.get(order) ?? this.#handedOut.find((each) => each.order === order);
      if (closed === undefined) continue;
      this.#open.delete(order);
      this.#handedOut = this.#handedOut.filter((each) => each !== closed);
      sponsor.budget.giveBack(closed.owner, closed.returned);
    }
  }

  #remember(order: Address, transaction: HandedOut): void {
    if (this.#open.size < MAX_REMEMBERED) this.#open.set(order, transaction);
  }

  /** Subtracts what was counted for transactions that have expired without landing. */
  async #sweep(): Promise<void> {
    if (this.#isSweeping) return;
    const { accounts, chain, sponsor } = this.#options;
    const height = chain.blockHeight('finalized');
    const expired = this.#handedOut.filter(({ lastValidBlockHeight }) => lastValidBlockHeight < height);
    if (expired.length === 0) return;
    this.#isSweeping = true;
    try {
      for (const each of expired) {
        const isLanded = await isKnown(chain, each.signature);
        // Its order may have been closed meanwhile.
        if (!this.#handedOut.includes(each)) continue;
        this.#handedOut = this.#handedOut.filter((other) => other !== each);
        if (!isLanded) sponsor.budget.giveBack(each.owner, each.lamports);
        else if (each.order !== null && accounts.findOrder(each.order) !== null)
          this.#remember(each.order, each);
      }
    } finally {
      this.#isSweeping = false;
    }
  }
}
