import type { PredictionBid, PredictionBook, PredictionFillEstimate } from '../exchange.ts';
import {
  computeFeeFactor,
  computeLimitSteps,
  computeLotsFee,
  countAffordableLots,
  countLots,
  FULL_PRICE,
  MICRO_PER_LOT_STEP,
  toContracts,
  toMicroPrice,
  toSafeAmount,
} from './lots.ts';
import { computeHouseNet, findBestOffer, findHouseOffer, isWithin, type MarketBook } from './market-book.ts';

/** What all orders and the house offer at one price of yes. */
interface OfferRow {
  readonly price: number;
  readonly lots: number;
}

/** The prices at which a market order would begin to be filled. */
export interface BestPrices {
  readonly buyYes: bigint | null;
  readonly buyNo: bigint | null;
  readonly sellYes: bigint | null;
  readonly sellNo: bigint | null;
}

const NO_FILL: PredictionFillEstimate = { contracts: 0n, amount: 0n, fee: 0n, worstPrice: null };

/** Returns the order book of a market, with what the house offers. */
export function describeBook(book: MarketBook): PredictionBook {
  return {
    yes: [...walkOffers(book, false)].reverse().map((row) => toBid(row, row.price)),
    no: [...walkOffers(book, true)].reverse().map((row) => toBid(row, FULL_PRICE - row.price)),
  };
}

/** Returns the best prices of a market in micro USD, for a contract of each side; null where nothing is offered. */
export function describePrices(book: MarketBook): BestPrices {
  const ask = book.isHalted ? null : findBestOffer(book, true);
  const bid = book.isHalted ? null : findBestOffer(book, false);
  return {
    buyYes: ask === null ? null : toMicroPrice(ask.price),
    sellYes: bid === null ? null : toMicroPrice(bid.price),
    buyNo: bid === null ? null : toMicroPrice(FULL_PRICE - bid.price),
    sellNo: ask === null ? null : toMicroPrice(FULL_PRICE - ask.price),
  };
}

/** Estimates a purchase for up to `amount` micro USD, fees included, at up to `maxPrice`. */
export function estimatePurchase(
  book: MarketBook,
  isYes: boolean,
  { amount, maxPrice }: { readonly amount: bigint; readonly maxPrice: bigint },
): PredictionFillEstimate {
  const limit = computeLimitSteps(maxPrice, true);
  let left = toSafeAmount(amount);
  return estimateFills(book, { isYes, isBuy: true, limit }, ({ lots }, price, factor) => {
    const taken = Math.min(lots, countAffordableLots(left, price, factor));
    left -= MICRO_PER_LOT_STEP * taken * price + computeLotsFee(taken, factor);
    return taken;
  });
}

/** Estimates a sale of up to `contracts` at no less than `minPrice`. */
export function estimateSale(
  book: MarketBook,
  isYes: boolean,
  { contracts, minPrice }: { readonly contracts: bigint; readonly minPrice: bigint },
): PredictionFillEstimate {
  const limit = computeLimitSteps(minPrice, false);
  let left = countLots(contracts);
  return estimateFills(book, { isYes, isBuy: false, limit }, ({ lots }) => {
    const taken = Math.min(lots, left);
    left -= taken;
    return taken;
  });
}

/** Adds up the rows of which `take` takes lots, until it takes less than a whole row. */
function estimateFills(
  book: MarketBook,
  {
    isYes,
    isBuy,
    limit,
  }: { readonly isYes: boolean; readonly isBuy: boolean; readonly limit: number | null },
  take: (row: OfferRow, ownPrice: number, feeFactor: number) => number,
): PredictionFillEstimate {
  if (limit === null || book.isHalted) return NO_FILL;
  let lots = 0;
  let amount = 0;
  let fee = 0;
  let worst: number | null = null;
  for (const row of walkOffers(book, isYes === isBuy)) {
    const price = isYes ? row.price : FULL_PRICE - row.price;
    if (!isWithin(isBuy, price, limit)) break;
    const factor = computeFeeFactor(book.terms.feeBps, price);
    const taken = take(row, price, factor);
    if (taken === 0) break;
    lots += taken;
    amount += MICRO_PER_LOT_STEP * taken * price;
    fee += computeLotsFee(taken, factor);
    worst = price;
    if (taken < row.lots) break;
  }
  if (worst === null) return NO_FILL;
  return {
    contracts: toContracts(lots),
    amount: BigInt(amount),
    fee: BigInt(fee),
    worstPrice: toMicroPrice(worst),
  };
}

/** Goes over what is offered to one that bids, or that asks, from the best price to the worst. */
function* walkOffers(book: MarketBook, isBid: boolean): Iterable<OfferRow> {
  let net = computeHouseNet(book, isBid);
  for (const row of (isBid ? book.asks : book.bids).rows()) {
    let lots = row.lots;
    for (;;) {
      const house = findHouseOffer(book.ladder, net, isBid);
      if (house === null || !isWithin(isBid, house.price, row.price)) break;
      net += isBid ? house.lots : -house.lots;
      if (house.price === row.price) lots += house.lots;
      else yield house;
    }
    yield { price: row.price, lots };
  }
  for (;;) {
    const house = findHouseOffer(book.ladder, net, isBid);
    if (house === null) return;
    net += isBid ? house.lots : -house.lots;
    yield house;
  }
}

function toBid({ lots }: OfferRow, price: number): PredictionBid {
  return { price: toMicroPrice(price), contracts: toContracts(lots) };
}
