import { expect } from 'vitest';
import { ExchangeState } from '../../../src/exchange/books/exchange-state.ts';
import type {
  ExchangeOutcome,
  ExchangeTrade,
  ExchangeTradeSide,
} from '../../../src/exchange/exchange-order.ts';
import type { HouseTerms } from '../../../src/exchange/exchange.ts';
import { computeHouseWorstLoss } from '../../../src/exchange/house.ts';
import type {
  PredictionOutcome,
  PredictionPositionAccount,
} from '../../../src/protocols/jupiter-prediction/prediction-accounts.ts';
import {
  createClaimPredictionPayout,
  createClaimPredictionPayoutAsKeeper,
  createClaimPredictionRefund,
  createCloseLostPredictionPosition,
} from '../../../src/protocols/jupiter-prediction/instructions/prediction-payout-instructions.ts';
import { PREDICTION_VAULT } from '../../../src/protocols/jupiter-prediction/prediction-program.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { maximum, sumAmounts } from '../../../src/solana/units.ts';
import { DELAY, nameMarket, ONE, PredictionWorld, type WorldOrder } from './world.ts';

const FEE_BPS = 700;
const LOT = ONE / 100n;

/** A market of a venue, and what it owes once it has a result. */
interface VenueMarket {
  readonly marketIdHash: string;
  readonly house: HouseTerms;
  outcome: PredictionOutcome | null;
}

/** An order that a trader of a venue places. */
export interface VenueOrder {
  readonly trader: number;
  readonly market: number;
  readonly isYes: boolean;
  readonly isBuy: boolean;
  readonly isLimit: boolean;
  /** Hundredths of a contract. */
  readonly lots: number;
  readonly cents: number;
}

/**
 * The exchange over the program as its keeper uses it: what is matched is filled, what ends is closed, and the vault begins with
 * exactly what the house can lose.
 */
export class VenueModel {
  readonly world = new PredictionWorld({ positionMaxOrders: 1_000 });
  readonly markets: readonly VenueMarket[];
  /** The kinds of trades and endings that happened. */
  readonly seen = new Set<string>();
  readonly #traders: readonly Address[];
  readonly #state = new ExchangeState();
  readonly #orders = new Map<Address, WorldOrder>();

  constructor(houses: readonly HouseTerms[]) {
    this.markets = houses.map((house, at) => ({ marketIdHash: nameMarket(at), house, outcome: null }));
    this.#traders = [this.world.alice, this.world.bob, this.world.stranger, this.world.network.newWallet()];
    for (const trader of this.#traders) this.world.give(trader, 100_000n * ONE);
    this.world.give(
      PREDICTION_VAULT.address,
      sumAmounts(houses.map((house) => computeHouseWorstLoss(house, 0n))),
    );
    for (const { marketIdHash, house } of this.markets) {
      const terms = { marketId: marketIdHash, feeBps: FEE_BPS, house, netYes: 0n };
      this.#apply({ kind: 'open', terms });
    }
  }

  /** Creates an order on the chain, and lets the exchange match it. A sale is of what the trader holds at most. */
  place(placed: VenueOrder): void {
    const { market, isYes, isBuy } = placed;
    const owner = this.#traders[placed.trader] ?? this.world.alice;
    const { marketIdHash, outcome } = this.#market(market);
    const held = this.world.readPosition({ owner, marketIdHash, isYes })?.contracts ?? 0n;
    const asked = BigInt(placed.lots) * LOT;
    const contracts = isBuy || asked < held ? asked : held;
    if (outcome !== null || contracts === 0n) return;
    const limitPrice = BigInt(placed.cents) * 10_000n;
    const depositAmount = isBuy ? ONE + (contracts * limitPrice) / ONE : 0n;
    const terms = {
      marketIdHash,
      isYes,
      isBuy,
      isLimit: placed.isLimit,
      contracts,
      limitPrice,
      depositAmount,
    };
    const order = this.world.order(owner, terms);
    this.#orders.set(order.address, order);
    const { address } = order;
    const accepted = {
      address,
      owner,
      marketId: marketIdHash,
      isYes,
      isBuy,
      isLimit: placed.isLimit,
      limitPrice,
    };
    this.#apply({
      kind: 'accept',
      order: { ...accepted, contracts, budget: depositAmount, heldContracts: held },
    });
  }

  /** Ends one of the orders that rest. */
  withdraw(index: number): void {
    const resting = [...this.#orders.keys()];
    const order = resting[index % Math.max(1, resting.length)];
    if (order !== undefined) this.#apply({ kind: 'end', order, reason: 'expired' });
  }

  /** Ends a market with a result, or with refunds as far as the market covers them. */
  resolve(index: number, decided: 0 | 1 | 'cancelled'): void {
    const market = this.#market(index);
    if (market.outcome !== null) return;
    this.#apply({ kind: 'halt', marketId: market.marketIdHash });
    const { yes, no, cost } = this.sum(market);
    const covered = maximum(yes, no) + computeHouseWorstLoss(market.house, yes - no);
    const outcome = decided === 'cancelled' ? (cost <= covered ? 3 : 2) : decided;
    this.world.must(this.world.post(outcome, market));
    market.outcome = outcome;
    this.seen.add(`outcome ${outcome}`);
  }

  /** Ends a position of a market with a result: by its owner, or by the keeper. */
  end(trader: number, index: number, isYes: boolean, isByOwner: boolean): void {
    const owner = this.#traders[trader] ?? this.world.alice;
    const { marketIdHash, outcome } = this.#market(index);
    const named = { owner, marketIdHash, isYes };
    if (outcome === null || (this.world.readPosition(named)?.contracts ?? 0n) === 0n) return;
    const { keeper } = this.world;
    this.seen.add(isByOwner ? 'end by the owner' : 'end by the keeper');
    if (outcome < 2 && isYes !== (outcome === 1))
      this.world.must(createCloseLostPredictionPosition(named, keeper));
    else if (isByOwner) this.world.must(createClaimPredictionPayout(named));
    else if (outcome >= 2) this.world.must(createClaimPredictionRefund(named, keeper));
    else {
      const { unixTimestamp } = this.world.network.svm.getClock();
      this.world.network.setUnixTime(unixTimestamp + DELAY);
      this.world.must(createClaimPredictionPayoutAsKeeper(named, keeper));
    }
  }

  /** Ends every market and every position, which the vault has to pay. */
  endAll(): void {
    for (const at of this.markets.keys()) {
      this.resolve(at, 1);
      for (const trader of this.#traders.keys()) {
        this.end(trader, at, true, true);
        this.end(trader, at, false, false);
      }
    }
  }

  /** Checks that the vault covers what it owes in every outcome of every market, and what the house can still lose. */
  check(): void {
    const required = sumAmounts(this.markets.map((market) => this.#require(market)));
    expect(this.world.vaultBalance).toBeGreaterThanOrEqual(required);
    const held = this.markets.flatMap((market) => this.#positions(market)).map(({ contracts }) => contracts);
    expect(this.world.readVault().currentContracts).toBe(sumAmounts(held));
  }

  /** Returns the contracts of a market on each side, and what they have cost. */
  sum(market: VenueMarket): { readonly yes: bigint; readonly no: bigint; readonly cost: bigint } {
    const positions = this.#positions(market);
    const contractsOf = (side: boolean) =>
      sumAmounts(positions.filter(({ isYes }) => isYes === side).map(({ contracts }) => contracts));
    return {
      yes: contractsOf(true),
      no: contractsOf(false),
      cost: sumAmounts(positions.map(({ totalCost }) => totalCost)),
    };
  }

  #require(market: VenueMarket): bigint {
    const { yes, no, cost } = this.sum(market);
    if (market.outcome === null) return maximum(yes, no) + computeHouseWorstLoss(market.house, yes - no);
    return [no, yes, (yes + no) / 2n, cost][market.outcome] ?? 0n;
  }

  #positions({ marketIdHash }: VenueMarket): readonly PredictionPositionAccount[] {
    return this.#traders
      .flatMap((owner) =>
        [true, false].map((isYes) => this.world.readPosition({ owner, marketIdHash, isYes })),
      )
      .filter((position) => position !== null);
  }

  #market(index: number): VenueMarket {
    const market = this.markets[index];
    if (market === undefined) throw new Error(`no market ${index}`);
    return market;
  }

  #apply(command: Parameters<ExchangeState['apply']>[0]): void {
    this.#carryOut(this.#state.apply(command));
  }

  #carryOut({ trades, ended }: ExchangeOutcome): void {
    for (const trade of trades) {
      this.world.must(...this.#fills(trade));
      this.seen.add(nameTrade(trade));
      this.#apply({ kind: 'confirm', trade: trade.number });
    }
    for (const { address } of ended) {
      const order = this.#orders.get(address);
      if (order === undefined) continue;
      this.#orders.delete(address);
      // Owners cancel what is not filled as well as the keeper closes it.
      const isOpen = this.world.readOrder(order)?.status !== 'filled';
      this.world.must(isOpen && order.isYes ? this.world.cancel(order) : this.world.close(order));
    }
  }

  /** Both fills of a trade are in one transaction, and purchases come first. */
  #fills({ contracts, taker, maker }: ExchangeTrade): readonly Instruction[] {
    const sides: readonly ExchangeTradeSide[] = maker === null ? [taker] : [taker, maker];
    return [...sides]
      .sort((one, other) => Number(other.isBuy) - Number(one.isBuy))
      .map(({ order, amount, fee }) => {
        const found = this.#orders.get(order);
        if (found === undefined) throw new Error('a trade of an order that is closed');
        return this.world.fill(found, contracts, amount, fee);
      });
  }
}

function nameTrade({ taker, maker }: ExchangeTrade): string {
  if (maker === null) return 'trade with the house';
  if (taker.isBuy !== maker.isBuy) return 'contracts change hands';
  return taker.isBuy ? 'two buyers make a pair' : 'two sellers end a pair';
}
