import type { Chain } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { isKnown } from '../../transactions/submit/transaction-lookup.ts';
import type { Sponsor } from '../../transactions/sponsor/sponsor.ts';

/** A wallet with this many lamports pays for its own orders, as for its own swaps. */
const ENOUGH_LAMPORTS = 10_000_000n;
/**
 * Transactions that may be handed out before the first of them expires. Whoever asks need not be the owner, and swaps have the
 * same budget: with the usual limits, all that never land hold a quarter of it.
 */
export const MAX_HANDED_OUT = 32;

export interface GaslessOrdersOptions {
  readonly sponsor: Sponsor;
  readonly chain: Chain;
  /** Called when it could not be found out whether a transaction has landed; it is tried again. */
  readonly onDefect: (error: unknown) => void;
}

/** A transaction that the sponsor has signed and whose cost is counted. */
interface HandedOut {
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
  /** What the order is worth in micro USD. */
  readonly worth: bigint;
}

/**
 * Orders that the sponsor pays for. Unlike the transaction of a swap, one is handed out with the sponsor's signature, because
 * clients may land it over any RPC. So its whole cost is counted before it is handed out, and subtracted again if it
 * expires without landing.
 */
export class GaslessOrders {
  readonly #options: GaslessOrdersOptions;
  /** In the order in which they were handed out. */
  #handedOut: HandedOut[] = [];
  /** Transactions that are counted and being made. */
  #reserved = 0;
  #isSweeping = false;

  constructor(options: GaslessOrdersOptions) {
    this.#options = options;
  }

  /**
   * Counts the cost of a transaction, unless the wallet has enough SOL itself, the order is too small, the budget is used up or too
   * many transactions are handed out.
   * Returns the sponsor's keypair, to sign with; null if the sponsor does not pay.
   */
  async reserve({ owner, walletLamports, lamports, worth }: GaslessRequest): Promise<Keypair | null> {
    await this.#sweep().catch(this.#options.onDefect);
    const { keypair, budget, leastDollars } = this.#options.sponsor;
    if (walletLamports >= ENOUGH_LAMPORTS || owner === keypair.address) return null;
    if (Number(worth) < leastDollars * 1_000_000) return null;
    if (this.#handedOut.length + this.#reserved >= MAX_HANDED_OUT) return null;
    this.#reserved++;
    let isCounted = false;
    try {
      isCounted = (await budget.spend(owner, lamports)) === null;
    } finally {
      if (!isCounted) this.#reserved--;
    }
    return isCounted ? keypair : null;
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

  /** Subtracts what was counted for transactions that have expired without landing. */
  async #sweep(): Promise<void> {
    if (this.#isSweeping) return;
    const { chain, sponsor } = this.#options;
    const height = chain.blockHeight('finalized');
    const expired = this.#handedOut.filter(({ lastValidBlockHeight }) => lastValidBlockHeight < height);
    if (expired.length === 0) return;
    this.#isSweeping = true;
    try {
      for (const each of expired) {
        if (!(await isKnown(chain, each.signature))) sponsor.budget.giveBack(each.owner, each.lamports);
        this.#handedOut = this.#handedOut.filter((other) => other !== each);
      }
    } finally {
      this.#isSweeping = false;
    }
  }
}
