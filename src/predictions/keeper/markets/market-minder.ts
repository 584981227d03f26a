import type { Chain } from '../../../chain/chain.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import type { ExchangeBooks } from '../../../exchange/running/exchange-books.ts';
import type { ExchangeCommand, ExchangeOutcome } from '../../../exchange/exchange-order.ts';
import {
  derivePredictionResult,
  PREDICTION_PROGRAM,
} from '../../../protocols/jupiter-prediction/prediction-program.ts';
import {
  type PredictionOutcome,
  PREDICTION_RESULT_SIZE,
} from '../../../protocols/jupiter-prediction/prediction-accounts.ts';
import { createPostPredictionResult } from '../../../protocols/jupiter-prediction/instructions/prediction-vault-instructions.ts';
import type { Address } from '../../../solana/address.ts';
import { computeRentExemptMinimum } from '../../../solana/rent.ts';
import type { PredictionAccounts, PredictionEvents, PredictionMarket } from '../../prediction.ts';
import type { KeeperChores } from '../chores/keeper-chores.ts';
import { createPositionEnding, findPositionEnding } from '../chores/position-endings.ts';
import { computeRequired, findCancelOutcome, type ReadVault } from './vault-cover.ts';

const RESULT_RENT = computeRentExemptMinimum(PREDICTION_RESULT_SIZE);

/** How long the chain and the exchange have to differ before the exchange goes by the chain. */
const DOUBT_MS = 2_000;

export interface MarketMinderOptions {
  readonly chain: Pick<Chain, 'clock' | 'getAccounts'>;
  readonly books: ExchangeBooks;
  readonly accounts: PredictionAccounts;
  readonly events: PredictionEvents;
  readonly chores: Pick<KeeperChores, 'add'>;
  readonly timers: Pick<Timers, 'now'>;
  readonly keeper: Address;
  readonly onOutcome: (outcome: ExchangeOutcome) => void;
  /** Called with what the vault has beyond what has to be covered, in micro USD. */
  readonly onCover: (surplus: bigint) => void;
  /** Called with a market that is not opened, because the vault does not cover what the house may lose on it. */
  readonly onUncovered: (marketId: string) => void;
}

/**
 * Opens markets for trading, halts them when they close, posts their results once nothing of them is in flight, and ends their
 * positions. All is decided by the events, the exchange and the chain as they are, so that what a keeper leaves undone another
 * one does.
 */
export class MarketMinder {
  readonly #options: MarketMinderOptions;
  /** What the chain last said of how far the house is short, for markets where the exchange believes something else. */
  readonly #doubted = new Map<string, { readonly netYes: bigint; readonly since: number }>();

  constructor(options: MarketMinderOptions) {
    this.#options = options;
  }

  /**
   * Looks at all markets.
   *
   * @throws Error when the exchange, the store or the chain does not answer
   */
  async mindAll(vault: ReadVault): Promise<void> {
    const { accounts, books, events } = this.#options;
    const markets = events.listEvents().flatMap((event) => event.markets);
    const isTraded = ({ marketId }: PredictionMarket) =>
      this.#isTraded(marketId) || (books.findMarket(marketId)?.tradesInFlight ?? 0) > 0;
    let required = computeRequired(accounts, markets, isTraded);
    this.#options.onCover(vault.tokens - required);
    const told: Promise<void>[] = [];
    for (const market of markets) {
      if (this.#isOver(market)) told.push(this.#mindOver(market, vault));
      else if (this.#isUnopened(market)) {
        const risk =
          computeRequired(accounts, [market], () => true) - computeRequired(accounts, [market], () => false);
        if (required + risk > vault.tokens) this.#options.onUncovered(market.marketId);
        else {
          required += risk;
          told.push(this.#open(market));
        }
      } else if (this.#isHaltedInVain(market))
        told.push(this.#tell({ kind: 'close', marketId: market.marketId }));
      else told.push(this.#checkHouse(market));
    }
    await Promise.all(told);
  }

  async #mindOver(market: PredictionMarket, vault: ReadVault): Promise<void> {
    const { accounts, books } = this.#options;
    const { marketId, marketIdHash } = market;
    if (this.#isTraded(marketId)) await this.#tell({ kind: 'halt', marketId });
    this.#end(market, vault);
    const halted = books.findMarket(marketId);
    if (halted?.tradesInFlight !== 0 || accounts.findResult(marketIdHash) === null) return;
    await this.#tell({ kind: 'close', marketId });
  }

  #isOver({ status, closeAt }: PredictionMarket): boolean {
    return status !== 'open' || this.#now() >= BigInt(closeAt);
  }

  #isTraded(marketId: string): boolean {
    return this.#options.books.findMarket(marketId)?.isHalted === false;
  }

  #isUnopened({ marketId, openAt }: PredictionMarket): boolean {
    return this.#options.books.findMarket(marketId) === null && this.#now() >= BigInt(openAt);
  }

  /** Whether a market was halted that is not over: the clock of a test network can go back. It is forgotten, and opened again. */
  #isHaltedInVain({ marketId }: PredictionMarket): boolean {
    const traded = this.#options.books.findMarket(marketId);
    return traded?.isHalted === true && traded.tradesInFlight === 0;
  }

  async #open(market: PredictionMarket): Promise<void> {
    const { marketId, feeBps, house } = market;
    await this.#tell({ kind: 'open', terms: { marketId, feeBps, house, netYes: this.#readNet(market) } });
  }

  /**
   * Compares how far the house is short by the exchange and by the chain. They may differ for a moment after a trade; what
   * differs for longer, by the same amount, is corrected.
   */
  async #checkHouse(market: PredictionMarket): Promise<void> {
    const { marketId } = market;
    const traded = this.#options.books.findMarket(marketId);
    if (traded === null || traded.isHalted || traded.tradesInFlight > 0) return;
    const believed = traded.netYes;
    const netYes = this.#readNet(market);
    const doubted = this.#doubted.get(marketId);
    const now = this.#options.timers.now();
    if (netYes === believed) this.#doubted.delete(marketId);
    else if (netYes !== doubted?.netYes) this.#doubted.set(marketId, { netYes, since: now });
    else if (now >= doubted.since + DOUBT_MS) {
      this.#doubted.delete(marketId);
      await this.#tell({ kind: 'house', marketId, netYes });
    }
  }

  /** Posts the result of a market that has been decided, or ends its positions once that is posted. */
  #end(market: PredictionMarket, { settlementDelay }: ReadVault): void {
    const { accounts, chain, chores, keeper } = this.#options;
    const posted = accounts.findResult(market.marketIdHash);
    if (posted === null) {
      const isDecided = market.result !== null || market.status === 'cancelled';
      if (isDecided && this.#isDrained(market)) this.#postResult(market);
      return;
    }
    const findEnding = (position: Parameters<typeof findPositionEnding>[0]) =>
      findPositionEnding(position, posted, { now: this.#now(), settlementDelay });
    for (const position of accounts.positionsIn(market.marketIdHash)) {
      const kind = findEnding(position);
      if (kind !== null)
        chores.add(createPositionEnding({ chain, accounts, keeper }, position, kind, findEnding));
    }
  }

  #isDrained({ marketId }: PredictionMarket): boolean {
    const traded = this.#options.books.findMarket(marketId);
    return traded === null || (traded.isHalted && traded.tradesInFlight === 0);
  }

  #postResult(market: PredictionMarket): void {
    const { accounts, chores, keeper } = this.#options;
    const { marketIdHash } = market;
    chores.add({
      kind: 'result',
      account: derivePredictionResult(marketIdHash).address,
      wallet: PREDICTION_PROGRAM,
      compose: async () => {
        if (accounts.findResult(marketIdHash) !== null || !this.#isDrained(market)) return null;
        const terms = {
          marketIdHash,
          outcome: this.#findOutcome(market),
          settlementTime: this.#now(),
          claimsEnabled: true,
        };
        return {
          instructions: [createPostPredictionResult(keeper, terms)],
          wallet: PREDICTION_PROGRAM,
          rent: RESULT_RENT,
          isGift: false,
        };
      },
    });
  }

  #findOutcome(market: PredictionMarket): PredictionOutcome {
    if (market.status === 'cancelled') return findCancelOutcome(this.#options.accounts, market);
    return market.result === 'yes' ? 1 : 0;
  }

  #readNet({ marketIdHash }: PredictionMarket): bigint {
    const { yes, no } = this.#options.accounts.sumOf(marketIdHash);
    return yes - no;
  }

  async #tell(command: ExchangeCommand): Promise<void> {
    this.#options.onOutcome(await this.#options.books.send(command));
  }

  #now(): bigint {
    return this.#options.chain.clock().unixTimestamp;
  }
}
