import { BoundedCache } from '../../common/collections/bounded-cache.ts';
import { type Chain, ChainUnavailable } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { isTokenAccount, readTokenAccountAmount } from '../../solana/programs/token/account.ts';
import { maximum } from '../../solana/units.ts';
import type { OrderState, WaitingOrder } from '../waiting-order.ts';
import { getEarnMint } from './earn-mint.ts';
import { type EarnProgram, type OrderEarnMarket, toEarnedAtoms } from './earn-program.ts';

/** The states in which an order's account holds its shares. */
const HOLDING: readonly OrderState[] = ['open', 'executing', 'ready_to_cancel', 'withdrawing', 'expired'];
/** How long a balance is shown that was read of the chain. Each fill is read anew. */
const KEEP_MS = 15 * 60_000;
const REMEMBERED_ORDERS = 4_096;

/**
 * Computes what the shares of an order have earned so far: their worth above what is left of the deposit. Rounds sell the
 * deposit alone, so all of it is still in the order's account. Rounding can cost an atom, which is not shown as a loss.
 *
 * @param dollarsPerAtom - Of the input.
 * @returns US dollars
 */
export function computeYieldUsd(
  { remaining }: Pick<WaitingOrder, 'remaining'>,
  {
    shares,
    market,
    dollarsPerAtom,
  }: {
    readonly shares: bigint;
    readonly market: Pick<OrderEarnMarket, 'rate'>;
    readonly dollarsPerAtom: number;
  },
): number {
  return Number(maximum(toEarnedAtoms(shares, market) - remaining, 0n)) * dollarsPerAtom;
}

export interface EarnYieldDependencies {
  readonly chain: Pick<Chain, 'getAccounts'>;
  readonly earn: Pick<EarnProgram, 'find'>;
  readonly dollarsPerAtom: (mint: Address) => number | null;
  /** Returns Unix milliseconds. */
  readonly now: () => number;
}

/** What orders have earned so far, for those who look at them. */
export class EarnYields {
  readonly #dependencies: EarnYieldDependencies;
  /** The shares in the account of an order after one of its changes. */
  readonly #shares = new BoundedCache<string, { readonly shares: bigint; readonly readAt: number }>(
    REMEMBERED_ORDERS,
  );

  constructor(dependencies: EarnYieldDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns US dollars by the id of the order. Orders are left out that do not earn or have ended, whose input has no price, or whose
   * account the network does not show.
   */
  async of(orders: readonly WaitingOrder[]): Promise<ReadonlyMap<string, number>> {
    const { earn, dollarsPerAtom } = this.#dependencies;
    const yields = new Map<string, number>();
    const earning = orders.filter(({ plan, state }) => getEarnMint(plan) !== null && HOLDING.includes(state));
    if (earning.length === 0) return yields;
    await this.#read(earning);
    for (const order of earning) {
      const shares = this.#find(order);
      const market = earn.find(order.inputMint);
      const price = dollarsPerAtom(order.inputMint);
      if (shares === null || market === null || price === null) continue;
      yields.set(order.id, computeYieldUsd(order, { shares, market, dollarsPerAtom: price }));
    }
    return yields;
  }

  #find(order: WaitingOrder): bigint | null {
    const known = this.#shares.get(toKey(order));
    const age = known === undefined ? KEEP_MS : this.#dependencies.now() - known.readAt;
    return known !== undefined && age >= 0 && age < KEEP_MS ? known.shares : null;
  }

  /** Reads the accounts that are not known. If the network does not answer, what they have earned is not shown. */
  async #read(orders: readonly WaitingOrder[]): Promise<void> {
    const { chain, now } = this.#dependencies;
    const unknown = orders.filter((order) => this.#find(order) === null);
    if (unknown.length === 0) return;
    try {
      const read = await chain.getAccounts(unknown.map(({ account }) => account));
      const readAt = now();
      for (const [index, order] of unknown.entries()) {
        const data = read[index]?.account?.data;
        if (data === undefined || !isTokenAccount(data)) continue;
        this.#shares.set(toKey(order), { shares: readTokenAccountAmount(data), readAt });
      }
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
    }
  }
}

/** Whatever changes the balance also changes the order, but for tokens that strangers send. */
function toKey({ id, revision }: WaitingOrder): string {
  return `${id} ${revision}`;
}
