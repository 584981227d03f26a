import type { CraftedForecastOrder } from '../../../../forecasts/crafting/forecast-order.ts';
import { toDecimalContracts, toTextOrNullAmount, toWholeContracts } from './amount-forms.ts';
import { type PredictionOrderBuildForm, toTransactionForms } from './build-json.ts';

/** Writes an order on a forecast that was made. */
export function toForecastBuildJson(crafted: CraftedForecastOrder): PredictionOrderBuildForm {
  const { transaction, sponsor, owner, market, position, requestId, contracts, after } = crafted;
  const { marketId, marketIdHash, forecast } = market;
  const { outcomeMint } = forecast;
  const context = { type: 'bisonfi_swap', requestId, marketId, outcomeMint, positionPubkey: position };
  return {
    ...toTransactionForms(transaction, sponsor === null ? [owner] : [sponsor, owner], context),
    externalOrderId: null,
    executionModel: 'atomic_swap',
    settlement: 'auto',
    jupiterSwapRequestId: requestId,
    order: {
      orderPubkey: null,
      orderAtaPubkey: null,
      userPubkey: owner,
      marketId,
      marketIdHash,
      positionPubkey: position,
      isBuy: crafted.isBuy,
      isYes: true,
      contracts: toWholeContracts(contracts),
      contractsMicro: String(contracts),
      contractsDecimal: toDecimalContracts(contracts),
      newContracts: toWholeContracts(after.contracts),
      newContractsMicro: String(after.contracts),
      newContractsDecimal: toDecimalContracts(after.contracts),
      maxBuyPriceUsd: toTextOrNullAmount(crafted.maxBuyPrice),
      minSellPriceUsd: toTextOrNullAmount(crafted.minSellPrice),
      externalOrderId: null,
      orderCostUsd: String(crafted.cost),
      newAvgPriceUsd: String(after.averagePrice),
      newSizeUsd: String(after.cost),
      newPayoutUsd: String(after.contracts),
      payoutUsd: String(contracts),
      estimatedProtocolFeeUsd: '0',
      estimatedVenueFeeUsd: '0',
      estimatedIntegratorFeeUsd: '0',
      estimatedTotalFeeUsd: '0',
      slippageBps: crafted.slippageBps,
      maxSlippageBps: crafted.slippageBps,
    },
  };
}
