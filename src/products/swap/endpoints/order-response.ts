import type { Prices } from '../../../market/prices/prices.ts';
import { encodeUnsigned } from '../../../solana/messages/transaction.ts';
import type { EngineQuote } from '../../../swaps/engines/engine.ts';
import type { SwapOrder } from '../order/order.ts';
import { toMakerStepJson, toOrderRoutePlanJson } from './json/route-plan-json.ts';
import type { OrderResponse } from './order-schema.ts';

/** Maps an order to the body of `GET /swap/v2/order`. */
export function toOrderResponse(prices: Prices, order: SwapOrder): OrderResponse {
  return {
    ...quoteFields(prices, order),
    ...toCostFields(order),
    ...toTransactionFields(order),
    requestId: order.requestId,
    totalTime: order.totalMs,
  };
}

function quoteFields(prices: Prices, { request: order, engine, quote }: SwapOrder) {
  const { mint, platformBps, platformAmount, gasBps } = quote.fees;
  const { paid, received } = quote.dollars;
  const impact = formatImpact(quote);
  return {
    mode: order.mode,
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    inAmount: (quote.inAmount ?? order.amount).toString(),
    outAmount: quote.outAmount.toString(),
    ...(paid === null ? {} : { inUsdValue: paid, swapUsdValue: paid }),
    ...(received === null ? {} : { outUsdValue: received }),
    priceImpact: Number(impact) * 100,
    priceImpactPct: impact,
    otherAmountThreshold: quote.threshold.toString(),
    swapMode: order.swapMode,
    slippageBps: quote.slippageBps,
    routePlan:
      quote.settlement.kind === 'maker'
        ? [toMakerStepJson(quote.settlement.fill)]
        : toOrderRoutePlanJson(prices, quote.settlement.route),
    ...(order.referral === null ? {} : { referralAccount: order.referral.account }),
    feeMint: mint,
    feeBps: platformBps + gasBps,
    platformFee: { amount: platformAmount.toString(), feeBps: platformBps, feeMint: mint },
    swapType: engine.swapType,
    router: engine.router,
    taker: order.taker,
  };
}

/**
 * The gain of the swap in dollars relative to its input: a loss is negative, unlike in the answers of `/build`. If no
 * pool prices the tokens, it is the price impact.
 */
function formatImpact({ priceImpact, dollars: { paid, received } }: EngineQuote): string {
  if (paid === null || received === null || !(paid > 0)) return priceImpact === '0' ? '0' : `-${priceImpact}`;
  const ratio = received / paid - 1;
  // JavaScript writes small numbers with an exponent, which decimal types of other languages may not parse.
  const text = Math.abs(ratio) < 1e-6 ? ratio.toFixed(18).replace(/\.?0+$/, '') : `${ratio}`;
  return text === '-0' ? '0' : text;
}

/**
 * Without a taker there is no transaction and no payer. A maker that lands the swap itself pays for the signatures, which cost
 * the side of the taker nothing.
 */
function toCostFields({ request: { taker }, built, quote: { settlement } }: SwapOrder) {
  const costs = built?.costs ?? null;
  const payer = costs?.payer ?? null;
  return {
    signatureFeeLamports: settlement.kind === 'maker' ? 0 : Number(costs?.signatureFee ?? 0n),
    signatureFeePayer: payer,
    prioritizationFeeLamports: Number(costs?.statedPrioritizationFee ?? 0n),
    prioritizationFeePayer: payer,
    rentFeeLamports: Number(costs?.rentFee ?? 0n),
    rentFeePayer: costs?.rentPayer ?? payer,
    gasless: payer !== taker,
  };
}

function toTransactionFields({ built, quote, requestId }: SwapOrder) {
  const maker = makerFields(quote);
  if (built === null) return { transaction: null, ...maker };
  if (built.unbuildable !== undefined) {
    const { code, message, details } = built.unbuildable;
    return { transaction: '', ...maker, errorCode: code, errorMessage: message, error: message, details };
  }
  const { messageBytes, lastValidBlockHeight, coSigner } = built;
  return {
    transaction: Buffer.from(encodeUnsigned(messageBytes)).toString('base64'),
    lastValidBlockHeight: lastValidBlockHeight.toString(),
    ...(coSigner === null
      ? maker
      : {
          quoteId: requestId,
          maker: coSigner.maker,
          expireAt: coSigner.expireAt.toString(),
        }),
  };
}

/** A maker's quote names the maker even without a taker. */
function makerFields({ settlement }: EngineQuote) {
  if (settlement.kind !== 'maker') return {};
  const { quoteId, terms } = settlement.fill;
  return { quoteId, maker: terms.maker, expireAt: terms.expireAt.toString() };
}
