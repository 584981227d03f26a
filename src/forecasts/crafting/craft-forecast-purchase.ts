import type { Account } from '../../chain/accounts.ts';
import { computeAveragePrice } from '../../predictions/crafting/order-size.ts';
import { refuseOrder } from '../../predictions/prediction-refused.ts';
import type { Address } from '../../solana/address.ts';
import { readTokenAccountAmount } from '../../solana/programs/token/account.ts';
import { type Bps, bps, divideUp } from '../../solana/units.ts';
import type { ForecastCraftDependencies } from './forecast-dependencies.ts';
import type { CraftedForecastOrder } from './forecast-order.ts';
import { FORECAST_USDC } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import { craftForecastSwap, readForecastWallet } from './forecast-swap.ts';
import { requireTradableMarket } from './tradable-market.ts';

/** How much less than quoted a swap may pay if its request does not say. */
export const DEFAULT_FORECAST_SLIPPAGE: Bps = bps(200);

/** What an order may take, in micro USD. */
const [MIN_DEPOSIT, MAX_DEPOSIT] = [5_000_000n, 250_000_000n];
const MICRO_PER_TOKEN = 1_000_000n;

/** A purchase as a request asks for it. */
export interface ForecastPurchaseRequest {
  readonly owner: Address;
  readonly marketId: string;
  /** Base units of `depositMint`. */
  readonly depositAmount: bigint;
  readonly depositMint: Address;
}

/**
 * Makes the transaction that buys outcome tokens. The whole deposit is spent.
 * @throws PredictionRefused when the round trades nothing, the amount is out of bounds, or the wallet has too little
 * @throws ChainUnavailable when the network does not answer
 */
export async function craftForecastPurchase(
  dependencies: ForecastCraftDependencies,
  request: ForecastPurchaseRequest,
): Promise<CraftedForecastOrder> {
  const { owner, depositAmount } = request;
  checkDeposit(request);
  const market = requireTradableMarket(dependencies, request.marketId);
  const wallet = await readForecastWallet(dependencies, owner, market.forecast.outcomeMint);
  const dollars = readBalance(wallet.dollars.account);
  if (dollars < depositAmount) {
    const message = `Insufficient funds: the order takes ${depositAmount} base units of ${FORECAST_USDC}, and ${owner} has ${dollars}`;
    return refuseOrder('INSUFFICIENT_FUNDS', message, 'depositAmount');
  }
  const slippageBps = DEFAULT_FORECAST_SLIPPAGE;
  const swap = await craftForecastSwap(
    dependencies,
    { owner, market, isBuy: true, amount: depositAmount, slippageBps },
    wallet,
    () => depositAmount,
  );
  const position = wallet.outcomeTokens.address;
  // What was recorded of the cost may be behind the chain by a moment.
  const contracts = readBalance(wallet.outcomeTokens.account) + swap.outAmount;
  const cost = (dependencies.holdings.find(position)?.totalCost ?? 0n) + depositAmount;
  return {
    kind: 'forecast',
    transaction: swap.transaction,
    sponsor: swap.sponsor,
    owner,
    market,
    position,
    requestId: dependencies.newRequestId(),
    isBuy: true,
    contracts: swap.outAmount,
    cost: depositAmount,
    maxBuyPrice: divideUp(depositAmount * MICRO_PER_TOKEN, swap.threshold),
    minSellPrice: null,
    after: { contracts, cost, averagePrice: computeAveragePrice(cost, contracts) },
    slippageBps,
  };
}

function readBalance(account: Account | null): bigint {
  return account === null ? 0n : readTokenAccountAmount(account.data);
}

function checkDeposit({ depositMint, depositAmount }: ForecastPurchaseRequest): void {
  if (depositMint !== FORECAST_USDC) {
    refuseOrder('bisonfi_usdc_only', 'Forecast orders can only use USDC', 'depositMint');
  }
  if (depositAmount < MIN_DEPOSIT) refuseOrder('create_order_failed', 'Minimum order is $5', 'depositAmount');
  if (depositAmount > MAX_DEPOSIT)
    refuseOrder('create_order_failed', 'Maximum order is $250', 'depositAmount');
}
