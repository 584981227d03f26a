import type { ForecastCraftDependencies } from '../../../../forecasts/crafting/forecast-dependencies.ts';
import type { CraftedForecastOrder } from '../../../../forecasts/crafting/forecast-order.ts';
import {
  craftForecastPurchase,
  DEFAULT_FORECAST_SLIPPAGE,
} from '../../../../forecasts/crafting/craft-forecast-purchase.ts';
import { craftForecastSale } from '../../../../forecasts/crafting/craft-forecast-sale.ts';
import { deriveOutcomeAccount } from '../../../../forecasts/crafting/forecast-swap.ts';
import { requireTradableMarket } from '../../../../forecasts/crafting/tradable-market.ts';
import { toForecastMarketId } from '../../../../forecasts/events/forecast-ids.ts';
import { type ForecastMarket, isForecastMarket } from '../../../../forecasts/forecast-market.ts';
import { MICRO_PER_CONTRACT } from '../../../../exchange/exchange.ts';
import { refuseOrder } from '../../../../predictions/prediction-refused.ts';
import type { Address } from '../../../../solana/address.ts';
import { minimum } from '../../../../solana/units.ts';
import { EXAMPLE_MINTS } from '../../../example-values.ts';
import { readAddress } from '../../../parameters/kinds.ts';
import { refuseParameter } from '../event-parameters.ts';
import { type OrderBody, readSoldContracts, readWhole } from './order-body.ts';

/** Whether an order is on a forecast: a purchase by its market, a sale by its position or its market. */
export function isForecastOrder(
  { events, holdings }: Pick<ForecastCraftDependencies, 'events' | 'holdings'>,
  { isBuy, marketId, positionPubkey }: OrderBody,
): boolean {
  if (!isBuy && positionPubkey !== undefined) return holdings.find(readPosition(positionPubkey)) !== null;
  return findForecast({ events }, marketId) !== null;
}

/**
 * Makes the transaction of an order on a forecast.
 * @throws PredictionRefused when the round takes no such order
 * @throws ChainUnavailable when the network does not answer
 */
export function craftForecastOrder(
  dependencies: ForecastCraftDependencies,
  owner: Address,
  body: OrderBody,
): Promise<CraftedForecastOrder> {
  if (body.maxBuyPriceUsd !== undefined || body.minSellPriceUsd !== undefined) {
    const field = body.maxBuyPriceUsd === undefined ? 'minSellPriceUsd' : 'maxBuyPriceUsd';
    return refuseOrder('create_order_failed', 'Forecast orders cannot wait for a price', field);
  }
  return body.isBuy ? buyTokens(dependencies, owner, body) : sellTokens(dependencies, owner, body);
}

function buyTokens(
  dependencies: ForecastCraftDependencies,
  owner: Address,
  { marketId, depositAmount, depositMint = EXAMPLE_MINTS.usdc }: OrderBody,
): Promise<CraftedForecastOrder> {
  if (marketId === undefined) return refuseParameter('marketId is missing');
  if (depositAmount === undefined) return refuseParameter('depositAmount is missing');
  return craftForecastPurchase(dependencies, {
    owner,
    marketId,
    depositAmount: readWhole(depositAmount, 'depositAmount'),
    depositMint: readAddress(depositMint, 'depositMint', refuseParameter),
  });
}

function sellTokens(
  dependencies: ForecastCraftDependencies,
  owner: Address,
  body: OrderBody,
): Promise<CraftedForecastOrder> {
  const position = findPosition(dependencies, owner, body);
  const sold = readSoldContracts(body);
  const contracts = sold.contracts ?? computeTokensWorth(dependencies, position, sold.worth);
  const slippageBps = DEFAULT_FORECAST_SLIPPAGE;
  return craftForecastSale(dependencies, { owner, position, contracts, slippageBps });
}

function findPosition(
  dependencies: ForecastCraftDependencies,
  owner: Address,
  { positionPubkey, marketId }: OrderBody,
): Address {
  if (positionPubkey !== undefined) return readPosition(positionPubkey);
  const market = findForecast(dependencies, marketId);
  if (market === null) return refuseParameter('positionPubkey is missing');
  return deriveOutcomeAccount(owner, market.forecast.outcomeMint);
}

function readPosition(given: string): Address {
  return readAddress(given, 'positionPubkey', refuseParameter);
}

function findForecast(
  { events }: Pick<ForecastCraftDependencies, 'events'>,
  marketId: string | undefined,
): ForecastMarket | null {
  const market = marketId === undefined ? null : events.findMarket(marketId);
  return market !== null && isForecastMarket(market) ? market : null;
}

/** Computes how many millionths of a token bring an amount at the price of the first of them, and at the most all. */
function computeTokensWorth(
  dependencies: ForecastCraftDependencies,
  position: Address,
  amount: bigint,
): bigint {
  const holding = dependencies.holdings.find(position);
  const found = holding === null ? null : dependencies.rounds.findByMint(holding.mint);
  // Without a position the sale is refused for that.
  if (holding === null || found === null) return 0n;
  const { forecast } = requireTradableMarket(
    dependencies,
    toForecastMarketId(found.round.address, found.side),
  );
  const bid = dependencies.quotes.getPrices(forecast)?.sell ?? null;
  if (bid === null) return refuseOrder('no_route', 'No route found: the round buys no tokens now');
  return minimum((amount * MICRO_PER_CONTRACT) / bid, holding.contracts);
}
