import { CONTRACT_STEP } from '../../exchange/exchange.ts';
import { estimateVenueFee } from '../../exchange/venue-fee.ts';
import type { Address } from '../../solana/address.ts';
import type { OpenPredictionPosition, PredictionMarket } from '../prediction.ts';
import type { PredictionCraftDependencies } from './craft-dependencies.ts';
import { requirePrice } from './craft-purchase.ts';
import { requireOpenMarket } from './open-market.ts';
import { type CraftedOrder, subtractSale } from './order-figures.ts';
import {
  computeOrderRent,
  createOrderInstruction,
  deriveNewOrder,
  listTokenCreations,
  readOrderWallet,
} from './order-instruction.ts';
import { computeAveragePrice, computeCost, computeLowestPrice, computeSlippage } from './order-size.ts';
import { makePaidOrder, PLAIN_UNITS, signOrderTransaction } from './paying/order-transaction.ts';
import { findOwnPosition, type OwnedPosition } from './owned-position.ts';
import { refuseOrder } from '../prediction-refused.ts';

/** How far a sale may fall below the bid if its request does not say. */
export const DEFAULT_SALE_SLIPPAGE_BPS = 2_500n;

/** A sale as a request asks for it. */
export interface SaleRequest extends OwnedPosition {
  /** Micro-contracts; null for everything that no other order sells already. */
  readonly contracts: bigint | null;
  /** The lowest price of an order that waits for it, in micro USD; null for one that takes what is bid now. */
  readonly minPrice: bigint | null;
  readonly slippageBps: bigint;
}

/**
 * Makes the transaction of a sale.
 * @throws PredictionRefused when the position has no such contracts, the market takes no orders, or nobody bids
 * @throws ChainUnavailable when the network does not answer
 */
export async function craftSale(
  dependencies: PredictionCraftDependencies,
  request: SaleRequest,
): Promise<CraftedOrder> {
  const { position, market: known } = findOwnPosition(dependencies, request);
  const market = requireOpenMarket(dependencies, known.marketId);
  const { owner } = request;
  const contracts = requireContracts(dependencies, request, position);
  const price = findSalePrice(dependencies, request, { market, position, contracts });
  const wallet = await readOrderWallet(dependencies, owner);
  const { isYes } = position;
  const { marketIdHash } = market;
  const accounts = deriveNewOrder(dependencies.newOrderId(), owner, { marketIdHash, isYes });
  const cost = { signatures: 2, units: PLAIN_UNITS, ...computeOrderRent(wallet, true) };
  const payable = {
    owner,
    walletLamports: wallet.lamports,
    cost,
    // What the sponsor has paid for can be left, however little it is worth.
    worth:
      dependencies.gasless?.hasPaidFor(position) === true
        ? null
        : computeCost(contracts, price.expectedPrice),
    order: accounts.order,
  };
  return makePaidOrder(dependencies, payable, async (payer) => {
    const { externalOrderId } = accounts;
    const parties = { owner, payer: payer.address, externalOrderId };
    const order = createOrderInstruction(dependencies, parties, {
      marketIdHash,
      isYes,
      isBuy: false,
      contracts,
      limitPrice: price.limitPrice,
      deposit: 0n,
      isLimit: request.minPrice !== null,
    });
    return {
      kind: 'order',
      ...accounts,
      transaction: signOrderTransaction(dependencies, {
        owner,
        payer,
        authority: dependencies.authority,
        instructions: [...listTokenCreations(wallet, payer.address), order],
        lookupTables: null,
        units: PLAIN_UNITS,
      }),
      owner,
      market,
      isYes,
      isBuy: false,
      contracts,
      maxBuyPrice: null,
      minSellPrice: price.limitPrice,
      cost: 0n,
      after: subtractSale(position, contracts),
      venueFee: estimateVenueFee(market.feeBps, contracts, price.expectedPrice),
      slippageBps: price.slippageBps,
      maxSlippageBps: request.minPrice === null ? request.slippageBps : null,
    };
  });
}

/** Returns the contracts of a sale: those that are asked for, as far as no open order of the wallet sells them. */
function requireContracts(
  { accounts }: PredictionCraftDependencies,
  { owner, contracts }: SaleRequest,
  position: OpenPredictionPosition,
): bigint {
  const free = position.contracts - sumOpenSales(accounts, owner, position.address);
  const sold = contracts ?? free;
  if (contracts !== null && contracts <= 0n) {
    return refuseOrder('create_order_failed', 'a sale must have more than 0 contracts', 'contracts');
  }
  if (sold <= 0n || sold > free) {
    const message = `the position has ${free > 0n ? free : 0n} micro-contracts that no open order sells, and the order sells ${sold}`;
    return refuseOrder('INSUFFICIENT_FUNDS', message, 'contracts');
  }
  if (sold % CONTRACT_STEP !== 0n) {
    const message = `contracts are sold in steps of 0.01, which are ${CONTRACT_STEP} micro-contracts, got ${sold}`;
    return refuseOrder('create_order_failed', message, 'contracts');
  }
  return sold;
}

/** Sums the micro-contracts of a position that open orders sell. */
export function sumOpenSales(
  accounts: Pick<PredictionCraftDependencies['accounts'], 'ordersOf'>,
  owner: Address,
  position: Address,
): bigint {
  let sum = 0n;
  for (const order of accounts.ordersOf(owner)) {
    const isOpen = order.status === 'pending' || order.status === 'partially-filled';
    if (isOpen && !order.isBuy && order.position === position) sum += order.contracts - order.filledContracts;
  }
  return sum;
}

interface SalePrice {
  readonly limitPrice: bigint;
  /** What contracts would be sold for now, on average; the limit if nobody bids that much. */
  readonly expectedPrice: bigint;
  readonly slippageBps: bigint;
}

function findSalePrice(
  { exchange }: PredictionCraftDependencies,
  { minPrice, slippageBps }: SaleRequest,
  {
    market: { marketId },
    position: { isYes },
    contracts,
  }: {
    readonly market: PredictionMarket;
    readonly position: OpenPredictionPosition;
    readonly contracts: bigint;
  },
): SalePrice {
  if (minPrice !== null) requirePrice(minPrice, 'minSellPriceUsd');
  const prices = exchange.getPrices(marketId);
  const bid = (isYes ? prices?.sellYes : prices?.sellNo) ?? null;
  if (bid === null && minPrice === null) {
    return refuseOrder('no_shares_available', 'No shares available at this price', 'marketId');
  }
  const limitPrice = minPrice ?? computeLowestPrice(bid ?? 0n, slippageBps);
  const sold = exchange.estimateSell(marketId, isYes, { contracts, minPrice: limitPrice });
  const expectedPrice = sold.contracts === 0n ? limitPrice : computeAveragePrice(sold.amount, sold.contracts);
  return { limitPrice, expectedPrice, slippageBps: bid === null ? 0n : computeSlippage(bid, expectedPrice) };
}
