import { craftPurchase } from '../../../../predictions/crafting/craft-purchase.ts';
import { craftSale, DEFAULT_SALE_SLIPPAGE_BPS } from '../../../../predictions/crafting/craft-sale.ts';
import { findOwnPosition } from '../../../../predictions/crafting/owned-position.ts';
import { refuseOrder } from '../../../../predictions/prediction-refused.ts';
import { MICRO_PER_CONTRACT } from '../../../../exchange/exchange.ts';
import { derivePredictionPosition } from '../../../../protocols/jupiter-prediction/prediction-program.ts';
import type { Address } from '../../../../solana/address.ts';
import { EXAMPLE_MINTS, EXAMPLE_WALLET } from '../../../example-values.ts';
import { readAddress } from '../../../parameters/kinds.ts';
import { PredictionOrderBuildJson, toOrderBuildJson } from '../json/build-json.ts';
import { toForecastBuildJson } from '../json/forecast-build-json.ts';
import type { PredictionDesk } from '../prediction-services.ts';
import { MARKET_EXAMPLE, requireMarket } from '../events/event-markets.ts';
import { refuseParameter } from '../event-parameters.ts';
import { readOwnerField } from '../owner-parameters.ts';
import { definePredictionEndpoint } from '../prediction-endpoint.ts';
import { craftForecastOrder, isForecastOrder } from './forecast-builds.ts';
import { OrderBody, readSoldContracts, readWhole } from './order-body.ts';

/** `POST /orders`: the transaction of an order. */
export const buildOrder = definePredictionEndpoint({
  method: 'POST',
  path: '/prediction/v1/orders',
  aliases: ['/prediction/v1/order'],
  operationId: 'BuildPredictionOrder',
  summary: 'Buy or sell contracts',
  description:
    'Makes the transaction of a purchase or a sale. The owner adds its signature to it as it is, and lands it with `execute` or over any RPC. Then the order is filled as far as its price allows, and what is not spent comes back. A forecast is bought and sold in the transaction itself, for all of its amount.',
  example: {
    body: {
      ownerPubkey: EXAMPLE_WALLET,
      marketId: MARKET_EXAMPLE.params.marketId,
      isYes: true,
      isBuy: true,
      depositAmount: '5000000',
      depositMint: EXAMPLE_MINTS.usdc,
    },
  },
  body: OrderBody,
  answer: PredictionOrderBuildJson,
  handle: async ({ crafting, forecastCrafting }, { body }) => {
    const owner = readOwnerField(body);
    if (forecastCrafting !== null && isForecastOrder(forecastCrafting, body)) {
      return toForecastBuildJson(await craftForecastOrder(forecastCrafting, owner, body));
    }
    return toOrderBuildJson(
      body.isBuy ? await buyContracts(crafting, owner, body) : await sellContracts(crafting, owner, body),
    );
  },
});

function buyContracts(crafting: PredictionDesk['crafting'], owner: Address, body: OrderBody) {
  const { marketId, isYes, depositAmount, depositMint = EXAMPLE_MINTS.usdc, maxBuyPriceUsd } = body;
  if (marketId === undefined) return refuseParameter('marketId is missing');
  if (isYes === undefined) return refuseParameter('isYes is missing');
  if (depositAmount === undefined) return refuseParameter('depositAmount is missing');
  if (body.minSellPriceUsd !== undefined) {
    return refuseParameter('minSellPriceUsd limits a sale; a purchase has maxBuyPriceUsd');
  }
  return craftPurchase(crafting, {
    owner,
    marketId,
    isYes,
    depositAmount: readWhole(depositAmount, 'depositAmount'),
    depositMint: readAddress(depositMint, 'depositMint', refuseParameter),
    maxPrice: maxBuyPriceUsd === undefined ? null : readWhole(maxBuyPriceUsd, 'maxBuyPriceUsd'),
  });
}

function sellContracts(crafting: PredictionDesk['crafting'], owner: Address, body: OrderBody) {
  const { minSellPriceUsd, maxBuyPriceUsd } = body;
  if (maxBuyPriceUsd !== undefined) {
    return refuseParameter('maxBuyPriceUsd limits a purchase; a sale has minSellPriceUsd');
  }
  const position = readPosition(crafting, owner, body);
  return craftSale(crafting, {
    owner,
    position,
    contracts: readContracts(crafting, { owner, position }, body),
    minPrice: minSellPriceUsd === undefined ? null : readWhole(minSellPriceUsd, 'minSellPriceUsd'),
    slippageBps: DEFAULT_SALE_SLIPPAGE_BPS,
  });
}

function readPosition(
  { events, accounts }: PredictionDesk['crafting'],
  owner: Address,
  { positionPubkey, marketId, isYes }: OrderBody,
): Address {
  if (positionPubkey === undefined) {
    if (marketId === undefined || isYes === undefined) return refuseParameter('positionPubkey is missing');
    const { marketIdHash } = requireMarket({ events }, marketId);
    return derivePredictionPosition(marketIdHash, owner, isYes).address;
  }
  const position = readAddress(positionPubkey, 'positionPubkey', refuseParameter);
  const found = accounts.findPosition(position);
  if (found !== null && isYes !== undefined && found.isYes !== isYes) {
    return refuseOrder('create_order_failed', 'isYes is not the side of the position', 'isYes');
  }
  return position;
}

/** Reads how much is sold: one of the three forms of contracts, or what is worth a deposit at its cost. */
function readContracts(
  crafting: PredictionDesk['crafting'],
  owned: { readonly owner: Address; readonly position: Address },
  body: OrderBody,
): bigint {
  const sold = readSoldContracts(body);
  return sold.contracts ?? computeContractsWorth(crafting, owned, sold.worth);
}

/** Computes how many contracts of a position bring an amount at the bid, down to a hundredth of a contract. */
function computeContractsWorth(
  crafting: PredictionDesk['crafting'],
  owned: { readonly owner: Address; readonly position: Address },
  amount: bigint,
): bigint {
  const { position, market } = findOwnPosition(crafting, owned);
  const prices = crafting.exchange.getPrices(market.marketId);
  const bid = (position.isYes ? prices?.sellYes : prices?.sellNo) ?? null;
  if (bid === null)
    return refuseOrder('no_shares_available', 'No shares available at this price', 'marketId');
  const worth = (amount * MICRO_PER_CONTRACT) / bid;
  const wanted = worth - (worth % SALE_STEP);
  return wanted > position.contracts ? position.contracts : wanted;
}

const SALE_STEP = 10_000n;
