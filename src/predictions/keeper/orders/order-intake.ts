import type { Chain } from '../../../chain/chain.ts';
import type { ExchangeBooks } from '../../../exchange/running/exchange-books.ts';
import type { ExchangeOrder, ExchangeOutcome } from '../../../exchange/exchange-order.ts';
import { derivePredictionOrderAta } from '../../../protocols/jupiter-prediction/prediction-program.ts';
import type { Address } from '../../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { readTokenAccountAmount } from '../../../solana/programs/token/account.ts';
import { WalletTurns } from '../../../waiting-orders/keeper/wallet-turns.ts';
import type { OpenPredictionOrder, PredictionAccounts, PredictionMarket } from '../../prediction.ts';

/** Orders whose deposits are read in one call. */
const MAX_TOGETHER = 64;
/** While so many trades wait for the chain, no further order is matched. */
const MAX_BACKLOG = 512;
const BPS = 10_000n;

export interface OrderIntakeOptions {
  readonly chain: Pick<Chain, 'getAccounts'>;
  readonly books: ExchangeBooks;
  readonly accounts: Pick<PredictionAccounts, 'findOrder' | 'findPosition'>;
  /** Returns the market of an order that may be matched now; null for one that may not. */
  readonly findMarket: (order: OpenPredictionOrder) => PredictionMarket | null;
  /** Returns how many trades wait for the chain. */
  readonly backlog: () => number;
  readonly mayGoOn: () => boolean;
  readonly onMatched: (outcome: ExchangeOutcome) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Takes orders that have landed to the exchange, as they come. Wallets take turns, so that one with thousands of orders does
 * not keep another waiting.
 */
export class OrderIntake {
  readonly #options: OrderIntakeOptions;
  readonly #turns = new WalletTurns<Address>();
  /** Orders that wait for their turn, or are being matched. */
  readonly #known = new Set<Address>();
  #running: Promise<void> | null = null;

  constructor(options: OrderIntakeOptions) {
    this.#options = options;
  }

  /** How many orders wait to be matched. */
  get size(): number {
    return this.#known.size;
  }

  /** Takes an order in, unless it waits already. */
  add({ address, owner }: OpenPredictionOrder): void {
    if (this.#known.has(address)) return;
    this.#known.add(address);
    this.#turns.add(owner, address);
    this.pump();
  }

  /** Goes on with orders that wait. Call it also when trades have been settled. */
  pump(): void {
    if (this.#running !== null || this.#turns.size === 0 || !this.#mayMatch()) return;
    this.#running = this.#match()
      .catch((error: unknown) => this.#options.onError(error))
      .finally(() => {
        this.#running = null;
      });
  }

  /** Resolves when nothing is being matched. */
  async drain(): Promise<void> {
    await this.#running;
  }

  #mayMatch(): boolean {
    return this.#options.mayGoOn() && this.#options.backlog() < MAX_BACKLOG;
  }

  async #match(): Promise<void> {
    while (this.#turns.size > 0 && this.#mayMatch()) {
      const taken = this.#take();
      try {
        await this.#matchTogether(taken);
      } finally {
        // What was not matched is seen again by the next look at all orders.
        for (const address of taken) this.#known.delete(address);
      }
    }
  }

  #take(): readonly Address[] {
    const taken: Address[] = [];
    while (taken.length < MAX_TOGETHER) {
      const address = this.#turns.next();
      if (address === undefined) break;
      taken.push(address);
    }
    return taken;
  }

  async #matchTogether(taken: readonly Address[]): Promise<void> {
    const { chain, books, accounts, findMarket, onMatched } = this.#options;
    const deposits = await chain.getAccounts(taken.map((address) => derivePredictionOrderAta(address)));
    const matched = taken.map(async (address, index) => {
      const order = accounts.findOrder(address);
      const market = order === null ? null : findMarket(order);
      if (order === null || market === null) return;
      const account = deposits[index]?.account ?? null;
      const deposit = account?.owner === TOKEN_PROGRAM ? readTokenAccountAmount(account.data) : 0n;
      const position = accounts.findPosition(order.position);
      const accepted = toExchangeOrder(order, market, { deposit, held: position?.contracts ?? 0n });
      onMatched(await books.send({ kind: 'accept', order: accepted }));
    });
    await Promise.all(matched);
  }
}

/**
 * Returns an order of the chain as the exchange takes it.
 *
 * @param holdings - The tokens that are left of a purchase's deposit, and the contracts that its position has.
 */
export function toExchangeOrder(
  order: OpenPredictionOrder,
  { marketId }: Pick<PredictionMarket, 'marketId'>,
  { deposit, held }: { readonly deposit: bigint; readonly held: bigint },
): ExchangeOrder {
  const { address, owner, isYes, isBuy, isLimit, limitPrice, contracts, filledContracts } = order;
  return {
    address,
    owner,
    marketId,
    isYes,
    isBuy,
    isLimit,
    limitPrice,
    contracts: contracts - filledContracts,
    // The integrator's fee comes on top of cost and fee.
    budget: isBuy ? (deposit * BPS) / (BPS + BigInt(order.integratorFeeBps)) : 0n,
    heldContracts: isBuy ? 0n : held,
  };
}
