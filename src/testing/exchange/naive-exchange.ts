import type {
  EndReason,
  ExchangeCommand,
  ExchangeOrder,
  ExchangeOutcome,
  ExchangeTrade,
  ExchangeTradeSide,
  MarketTerms,
} from '../../exchange/exchange-order.ts';
import { computeVenueFee } from '../../exchange/venue-fee.ts';

const LOT = 10_000n;
const FULL = 1_000_000n;

interface NaiveOrder {
  readonly order: ExchangeOrder;
  readonly rank: number;
  isResting: boolean;
  isStopped: boolean;
  hasGivenUp: boolean;
  left: bigint;
  budget: bigint;
  trades: number;
  inFlight: bigint;
  reason: EndReason | null;
  hasEnded: boolean;
}

interface NaiveTrade {
  readonly taker: NaiveOrder;
  readonly maker: NaiveOrder | null;
  readonly contracts: bigint;
  readonly price: bigint;
}

/**
 * An exchange with one market in the simplest form: a list of orders that is searched for each trade, one lot at a time for the
 * house, and exact amounts. Limits of what rests are not in it, so that tests must stay below them.
 */
export class NaiveExchange {
  readonly #terms: MarketTerms;
  readonly #orders: NaiveOrder[] = [];
  readonly #trades = new Map<number, NaiveTrade>();
  #net: bigint;
  #isHalted = false;
  #rank = 0;
  #lastTrade = 0;
  #made: ExchangeTrade[] = [];
  #ended: { address: string; reason: EndReason }[] = [];

  constructor(terms: MarketTerms) {
    this.#terms = terms;
    this.#net = terms.netYes;
  }

  apply(command: ExchangeCommand): {
    trades: ExchangeOutcome['trades'];
    ended: { address: string; reason: EndReason }[];
  } {
    this.#made = [];
    this.#ended = [];
    this.#rank++;
    if (command.kind === 'accept') this.#accept(command.order);
    if (command.kind === 'halt') this.#halt();
    if (command.kind === 'end') {
      const order = this.#find(command.order);
      if (order !== undefined) this.#stop(order, command.reason);
    }
    if (command.kind === 'confirm') this.#confirm(command.trade);
    if (command.kind === 'revert') this.#revert(command.trade, command.faulty);
    return { trades: this.#made, ended: this.#ended };
  }

  #find(address: string): NaiveOrder | undefined {
    return this.#orders.find(({ order }) => order.address === address);
  }

  #accept(order: ExchangeOrder): void {
    if (this.#find(order.address) !== undefined) return;
    let left = (order.contracts / LOT) * LOT;
    let refusal: EndReason | null = this.#isHalted ? 'not-traded' : left === 0n ? 'too-small' : null;
    if (refusal === null && !order.isBuy) {
      let held = (order.heldContracts / LOT) * LOT;
      for (const other of this.#orders) {
        const isSame = other.order.owner === order.owner && other.order.isYes === order.isYes;
        if (isSame && !other.order.isBuy && !other.hasEnded) held -= other.left + other.inFlight;
      }
      if (held < left) left = held;
      if (left <= 0n) refusal = 'nothing-to-sell';
    }
    const limit = toSteppedLimit(order);
    if (refusal === null && (limit <= 0n || limit >= FULL)) refusal = 'unfilled';
    const added: NaiveOrder = {
      order,
      rank: this.#rank,
      isResting: false,
      isStopped: false,
      hasGivenUp: false,
      left,
      budget: order.budget,
      trades: 0,
      inFlight: 0n,
      reason: null,
      hasEnded: false,
    };
    this.#orders.push(added);
    if (refusal === null && this.#countAffordable(added, limit) < LOT) refusal = 'too-small';
    if (refusal !== null) this.#stop(added, refusal);
    else this.#match(added);
  }

  #match(taker: NaiveOrder): void {
    const isBid = isBidder(taker.order);
    while (taker.left > 0n) {
      const house = this.#findHousePrice(isBid, 0n);
      const [maker] = this.#orders
        .filter((other) => other.isResting && isBidder(other.order) !== isBid)
        .sort((one, other) => {
          const difference = getYesLimit(one.order) - getYesLimit(other.order);
          if (difference === 0n) return one.rank - other.rank;
          return (isBid ? difference : -difference) > 0n ? 1 : -1;
        });
      const userPrice = maker === undefined ? null : getYesLimit(maker.order);
      const isHouse =
        house !== null && (userPrice === null || (isBid ? house < userPrice : house > userPrice));
      const price = isHouse ? house : userPrice;
      if (price === null) break;
      const limit = getYesLimit(taker.order);
      if (isBid ? price > limit : price < limit) break;
      if (!isHouse && maker !== undefined && maker.order.owner === taker.order.owner) {
        this.#stop(maker, 'self-trade');
        continue;
      }
      let contracts = this.#countAffordable(taker, taker.order.isYes ? price : FULL - price);
      if (isHouse) {
        let lots = 0n;
        while (lots < contracts && this.#findHousePrice(isBid, lots) === price) lots += LOT;
        contracts = lots;
      } else if (maker !== undefined) {
        const offered = this.#countAffordable(maker, toSteppedLimit(maker.order));
        if (offered < contracts) contracts = offered;
      }
      if (contracts === 0n) break;
      this.#trade({ taker, maker: isHouse ? null : (maker ?? null), contracts, price });
    }
    const canRest = this.#countAffordable(taker, toSteppedLimit(taker.order)) > 0n;
    if (taker.order.isLimit) taker.isResting = canRest;
    else {
      if (canRest) taker.hasGivenUp = true;
      taker.left = 0n;
    }
    this.#settle(taker);
  }

  #trade(found: NaiveTrade): void {
    const { taker, maker, contracts, price } = found;
    const number = ++this.#lastTrade;
    this.#trades.set(number, found);
    const sides = [taker, maker].map((order) => {
      if (order === null) return null;
      const side = this.#describe(order, contracts, price);
      order.left -= contracts;
      order.inFlight += contracts;
      order.trades++;
      if (order.order.isBuy) order.budget -= side.amount + side.fee;
      return side;
    });
    if (maker !== null) maker.isResting = this.#countAffordable(maker, toSteppedLimit(maker.order)) > 0n;
    const [takerSide, makerSide] = sides;
    if (takerSide === null || takerSide === undefined) throw new Error('a trade has a taker');
    this.#made.push({
      number,
      marketId: this.#terms.marketId,
      contracts,
      taker: takerSide,
      maker: makerSide ?? null,
    });
  }

  #describe({ order }: NaiveOrder, contracts: bigint, yesPrice: bigint): ExchangeTradeSide {
    const { address, owner, isYes, isBuy } = order;
    const price = isYes ? yesPrice : FULL - yesPrice;
    const fee = computeVenueFee(this.#terms.feeBps, contracts, price);
    return { order: address, owner, isYes, isBuy, price, amount: (contracts * price) / FULL, fee };
  }

  #confirm(number: number): void {
    const trade = this.#trades.get(number);
    if (trade === undefined) return;
    this.#take(number, trade);
    if (trade.maker !== null) this.#settle(trade.maker);
    this.#settle(trade.taker);
    if (trade.maker !== null) return;
    this.#net += isBidder(trade.taker.order) ? trade.contracts : -trade.contracts;
    this.#matchCrossed();
  }

  #revert(number: number, faulty: string | null): void {
    const trade = this.#trades.get(number);
    if (trade === undefined) return;
    this.#take(number, trade);
    const orders = trade.maker === null ? [trade.taker] : [trade.maker, trade.taker];
    for (const each of orders) {
      if (each.order.address === faulty) this.#stop(each, 'faulty');
      else if (this.#isHalted) this.#stop(each, 'not-traded');
      if (each.isStopped) continue;
      const { amount, fee } = this.#describe(each, trade.contracts, trade.price);
      each.left += trade.contracts;
      if (each.order.isBuy) each.budget += amount + fee;
    }
    for (const each of orders) {
      if (each.isStopped) this.#settle(each);
      else if (!each.isResting) this.#match(each);
    }
    this.#matchCrossed();
  }

  #take(number: number, { taker, maker, contracts }: NaiveTrade): void {
    this.#trades.delete(number);
    for (const order of [taker, maker]) {
      if (order === null) continue;
      order.inFlight -= contracts;
      order.trades--;
    }
  }

  #matchCrossed(): void {
    if (this.#isHalted) return;
    for (;;) {
      const crossed = [true, false].flatMap((isBid) => {
        const house = this.#findHousePrice(isBid, 0n);
        const [first] = this.#orders
          .filter((each) => each.isResting && isBidder(each.order) === isBid)
          .sort((one, other) => {
            const difference = getYesLimit(one.order) - getYesLimit(other.order);
            return difference === 0n
              ? one.rank - other.rank
              : (isBid ? -difference : difference) > 0n
                ? 1
                : -1;
          });
        if (house === null || first === undefined) return [];
        const limit = getYesLimit(first.order);
        return (isBid ? limit >= house : limit <= house) ? [first] : [];
      });
      const [order] = crossed;
      if (order === undefined) return;
      order.isResting = false;
      this.#match(order);
    }
  }

  #halt(): void {
    if (this.#isHalted) return;
    this.#isHalted = true;
    for (const order of this.#orders) if (order.isResting) this.#stop(order, 'not-traded');
  }

  #stop(order: NaiveOrder, reason: EndReason): void {
    if (order.hasEnded) return;
    order.isResting = false;
    order.isStopped = true;
    order.reason ??= reason;
    order.left = 0n;
    this.#settle(order);
  }

  #settle(order: NaiveOrder): void {
    if (order.isResting || order.trades > 0 || order.hasEnded) return;
    order.hasEnded = true;
    const reason = order.reason ?? (order.hasGivenUp ? 'unfilled' : 'filled');
    this.#ended.push({ address: order.order.address, reason });
  }

  /** Returns how many micro-contracts of what is left an order can pay for, in whole lots. */
  #countAffordable({ order, left, budget }: NaiveOrder, price: bigint): bigint {
    if (!order.isBuy) return left;
    let [low, high] = [0n, left / LOT];
    while (low < high) {
      const middle = (low + high + 1n) / 2n;
      const contracts = middle * LOT;
      const cost = (contracts * price) / FULL + computeVenueFee(this.#terms.feeBps, contracts, price);
      if (cost <= budget) low = middle;
      else high = middle - 1n;
    }
    return low * LOT;
  }

  /** Returns the price at which the house takes the lot that comes after `taken`; null if it takes no more. */
  #findHousePrice(isBid: boolean, taken: bigint): bigint | null {
    const { startCents, levelContracts: level } = this.#terms.house;
    if (level === 0n) return null;
    // Of what is in flight, only what makes the price worse for this side counts.
    let net = this.#net;
    for (const { taker, maker, contracts } of this.#trades.values()) {
      if (maker === null && isBidder(taker.order) === isBid) net += isBid ? contracts : -contracts;
    }
    const lot = isBid ? net + taken : net - taken - LOT;
    const cell = lot >= 0n ? lot / level : -((-lot + level - 1n) / level);
    const cents = BigInt(startCents) + cell + (isBid ? 1n : 0n);
    if (isBid ? cents < 2n || cents > 99n : cents < 1n || cents > 98n) return null;
    return cents * 10_000n;
  }
}

function isBidder({ isYes, isBuy }: ExchangeOrder): boolean {
  return isYes === isBuy;
}

/** Returns the limit in whole tenths of a cent, of the order's own side. */
function toSteppedLimit({ isBuy, limitPrice }: ExchangeOrder): bigint {
  const stepped = isBuy ? (limitPrice / 1_000n) * 1_000n : ((limitPrice + 999n) / 1_000n) * 1_000n;
  if (isBuy) return stepped > 999_000n ? 999_000n : stepped;
  return stepped < 1_000n ? 1_000n : stepped;
}

function getYesLimit(order: ExchangeOrder): bigint {
  const limit = toSteppedLimit(order);
  return order.isYes ? limit : FULL - limit;
}
