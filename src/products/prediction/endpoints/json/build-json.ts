import { type Static, Type } from 'typebox';
import type { CraftedPayoutClaim } from '../../../../predictions/crafting/craft-claim.ts';
import type { CraftedOrder } from '../../../../predictions/crafting/order-figures.ts';
import type { HalfSignedTransaction } from '../../../../predictions/crafting/paying/order-transaction.ts';
import { named } from '../../../named-schema.ts';
import {
  CONTRACT_FORMS,
  toDecimalContracts,
  toTextOrNullAmount,
  toWholeContracts,
  createUsdField,
  createUsdOrNullField,
} from './amount-forms.ts';

/** The path at which clients execute what was made; they resolve it to that of the product. */
const EXECUTE_PATH = '/api/v1/execute';

/** A text that forecasts have null for. */
const createForecastNull = (what: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `${what}; null for a forecast.` });

/** What every transaction comes with. */
const TRANSACTION_FIELDS = {
  transaction: Type.String({
    description:
      'Base64. It lacks the signature of the owner alone, who signs it as it is: a change of any byte makes the other signatures invalid.',
  }),
  txMeta: Type.Object({ blockhash: Type.String(), lastValidBlockHeight: Type.Integer() }),
  blockhash: Type.String({ description: 'As in `txMeta`.' }),
  lastValidBlockHeight: Type.Integer({ description: 'As in `txMeta`.' }),
  requiredSigners: Type.Array(Type.String(), {
    description:
      'The owner alone. For a forecast that a sponsor pays for: the sponsor, which has signed already, and the owner.',
  }),
  isGasless: Type.Boolean({ description: 'Whether the sponsor pays all fees and rent.' }),
  execution: Type.Object({
    endpoint: Type.String({
      description: 'Where the signed transaction is sent. It may also be landed by any RPC.',
    }),
    context: Type.Record(Type.String(), Type.Unknown(), { description: 'To be sent along, unchanged.' }),
  }),
} as const;

/** A transaction that makes an order. */
export const PredictionOrderBuildJson = named(
  'PredictionOrderBuild',
  Type.Object({
    ...TRANSACTION_FIELDS,
    externalOrderId: createForecastNull('The id of the order'),
    executionModel: Type.Enum(['keeper', 'atomic_swap'], {
      description:
        '`keeper`: it is filled after it has landed. `atomic_swap`: a forecast, whose position is there when it has landed.',
    }),
    settlement: Type.Enum(['claim', 'auto'], {
      description:
        '`claim`: what is won is claimed, or paid out a day after the result. `auto`: a forecast, which pays out by itself.',
    }),
    jupiterSwapRequestId: Type.Union([Type.String(), Type.Null()], {
      description: 'The id of the swap of a forecast; otherwise null.',
    }),
    order: Type.Object({
      orderPubkey: createForecastNull('The account of the order'),
      orderAtaPubkey: createForecastNull('Its token account'),
      userPubkey: Type.String(),
      marketId: Type.String(),
      marketIdHash: Type.String(),
      positionPubkey: Type.String({ description: 'Of a forecast: the token account of the owner.' }),
      isBuy: Type.Boolean(),
      isYes: Type.Boolean({ description: 'True for a forecast.' }),
      ...CONTRACT_FORMS,
      newContracts: Type.String({ description: 'Of the position after a complete fill.' }),
      newContractsMicro: Type.String(),
      newContractsDecimal: Type.String(),
      maxBuyPriceUsd: createUsdOrNullField('The highest price of a purchase.'),
      minSellPriceUsd: createUsdOrNullField('The lowest price of a sale.'),
      externalOrderId: createForecastNull('The id of the order'),
      orderCostUsd: createUsdField('What the order takes from the owner; what is not spent comes back.'),
      newAvgPriceUsd: createUsdField('Of the position after a complete fill.'),
      newSizeUsd: createUsdField('The cost of the position after a complete fill.'),
      newPayoutUsd: createUsdField('What the position pays after a complete fill, if its side wins.'),
      payoutUsd: createUsdField('What the contracts of the order pay if their side wins.'),
      estimatedProtocolFeeUsd: createUsdField('Always 0.'),
      estimatedVenueFeeUsd: createUsdField('An estimate, up to a cent.'),
      estimatedIntegratorFeeUsd: createUsdField('Always 0.'),
      estimatedTotalFeeUsd: createUsdField('An estimate, up to a cent.'),
      slippageBps: Type.Integer({
        description:
          'How far the average price of a sale is below the bid. Of a forecast: how much less the swap may pay.',
      }),
      maxSlippageBps: Type.Union([Type.Integer(), Type.Null()], {
        description:
          'How far the lowest price of a sale is below the bid, or how much less the swap of a forecast may pay; null for other orders.',
      }),
    }),
  }),
);

/** A transaction that claims a payout. */
export const PredictionClaimBuildJson = named(
  'PredictionClaimBuild',
  Type.Object({
    ...TRANSACTION_FIELDS,
    position: Type.Object({
      pubkey: Type.String(),
      positionPubkey: Type.String({ description: 'The same as `pubkey`.' }),
      marketPubkey: Type.String(),
      userPubkey: Type.String(),
      ownerPubkey: Type.String(),
      isYes: Type.Boolean(),
      ...CONTRACT_FORMS,
      payoutAmountUsd: createUsdField('What is paid.'),
    }),
  }),
);

/** A transaction that makes an order, as it is written. */
export type PredictionOrderBuildForm = Static<typeof PredictionOrderBuildJson>;
/** A transaction that claims a payout, as it is written. */
export type PredictionClaimBuildForm = Static<typeof PredictionClaimBuildJson>;

/** Writes what every transaction comes with. */
export function toTransactionForms(
  { wire, blockhash, lastValidBlockHeight, isGasless }: HalfSignedTransaction,
  signers: readonly string[],
  context: Readonly<Record<string, unknown>>,
) {
  const height = Number(lastValidBlockHeight);
  return {
    transaction: Buffer.from(wire).toString('base64'),
    txMeta: { blockhash, lastValidBlockHeight: height },
    blockhash,
    lastValidBlockHeight: height,
    requiredSigners: [...signers],
    isGasless,
    execution: { endpoint: EXECUTE_PATH, context: { ...context } },
  };
}

/** Writes an order that was made. */
export function toOrderBuildJson(crafted: CraftedOrder): PredictionOrderBuildForm {
  const { transaction, owner, market, contracts, after, externalOrderId, order, position } = crafted;
  const { marketId, marketIdHash } = market;
  const context = {
    type: 'create_order',
    marketId,
    orderPubkey: order,
    positionPubkey: position,
    externalOrderId,
  };
  return {
    ...toTransactionForms(transaction, [owner], context),
    externalOrderId,
    executionModel: 'keeper',
    settlement: 'claim',
    jupiterSwapRequestId: null,
    order: {
      orderPubkey: order,
      orderAtaPubkey: crafted.orderTokenAccount,
      userPubkey: owner,
      marketId,
      marketIdHash,
      positionPubkey: position,
      isBuy: crafted.isBuy,
      isYes: crafted.isYes,
      contracts: toWholeContracts(contracts),
      contractsMicro: String(contracts),
      contractsDecimal: toDecimalContracts(contracts),
      newContracts: toWholeContracts(after.contracts),
      newContractsMicro: String(after.contracts),
      newContractsDecimal: toDecimalContracts(after.contracts),
      maxBuyPriceUsd: toTextOrNullAmount(crafted.maxBuyPrice),
      minSellPriceUsd: toTextOrNullAmount(crafted.minSellPrice),
      externalOrderId,
      orderCostUsd: String(crafted.cost),
      newAvgPriceUsd: String(after.averagePrice),
      newSizeUsd: String(after.cost),
      newPayoutUsd: String(after.contracts),
      payoutUsd: String(contracts),
      estimatedProtocolFeeUsd: '0',
      estimatedVenueFeeUsd: String(crafted.venueFee),
      estimatedIntegratorFeeUsd: '0',
      estimatedTotalFeeUsd: String(crafted.venueFee),
      slippageBps: Number(crafted.slippageBps),
      maxSlippageBps: crafted.maxSlippageBps === null ? null : Number(crafted.maxSlippageBps),
    },
  };
}

/** Writes a claim that was made. */
export function toClaimBuildJson(crafted: CraftedPayoutClaim): PredictionClaimBuildForm {
  const { transaction, position, market, marketAddress, payout } = crafted;
  const { address, owner, contracts } = position;
  const context = { type: 'claim_payout', marketId: market.marketId, positionPubkey: address };
  return {
    ...toTransactionForms(transaction, [owner], context),
    position: {
      pubkey: address,
      positionPubkey: address,
      marketPubkey: marketAddress,
      userPubkey: owner,
      ownerPubkey: owner,
      isYes: position.isYes,
      contracts: toWholeContracts(contracts),
      contractsMicro: String(contracts),
      contractsDecimal: toDecimalContracts(contracts),
      payoutAmountUsd: String(payout),
    },
  };
}
