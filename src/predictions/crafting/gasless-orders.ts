import type { Chain } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { isKnown } from '../../transactions/submit/transaction-lookup.ts';
import type { Sponsor } from '../../transactions/sponsor/sponsor.ts';

/** A wallet with this many lamports pays for its own orders, as for its own swaps. */
const ENOUGH_LAMPORTS = 10_000_000n;
/** Transactions that are remembered until they expire. What more cost stays counted for the hour. */
const MAX_REMEMBERED = 10_000;

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
  #isSweeping = false;

  constructor(options: GaslessOrdersOptions) {
    this.#options = options;
  }

  /**
   * Counts the cost of a transaction, unless the wallet has enough SOL itself, the order is too small or the budget is used up.
   * Returns the sponsor's keypair, to sign with; null if the sponsor does not pay.
   */
  async reserve({ owner, walletLamports, lamports, worth }: GaslessRequest): Promise<Keypair | null> {
    this.#sweep().catch(this.#options.onDefect);
    const { keypair, budget, leastDollars } = this.#options.sponsor;
    if (walletLamports >= ENOUGH_LAMPORTS || owner === keypair.address) return null;
    if (Number(worth) < leastDollars * 1_000_000) return null;
    return (await budget.spend(owner, lamports)) === null ? keypair : null;
  }

  /** Remembers a transaction whose cost was counted. */
  noteHandedOut(transaction: HandedOut): void {
    if (this.#handedOut.length < MAX_REMEMBERED) this.#handedOut.push(transaction);
  }

  /** Subtracts what was counted for a transaction that is not handed out. */
  giveUp(owner: Address, lamports: bigint): void {
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
