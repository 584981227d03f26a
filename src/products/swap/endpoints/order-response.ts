import type { Pools } from '../../../market/pools/pools.ts';
import { SETTLING_SECONDS } from '../../../rfq/index.ts';
import { encodeTransaction } from '../../../solana/messages/transaction.ts';
import type { BuiltOrder, Costs, Unbuildable } from '../engines/engine.ts';
import type { OrderRequest } from '../engines/order-request.ts';
import { signerCount } from '../engines/order-transaction.ts';
import type { SwapOrder } from '../order/order.ts';
import { orderRoutePlanJson } from '../route-plan-json.ts';
import type { OrderResponse } from './order-schema.ts';

/** An order as `GET /swap/v2/order` writes it. */
export function toOrderResponse(pools: Pools, order: SwapOrder): OrderResponse {
  return {
    ...quoteFields(pools, order),
    ...costFields(order.request, order.built?.costs ?? null),
    ...transactionFields(order.built),
    requestId: order.requestId,
    totalTime: order.totalMs,
  };
}

function quoteFields(pools: Pools, { request: order, engine, quote, dollars }: SwapOrder) {
  const { mint, platformBps, platformAmount, gasBps } = quote.fees;
  // A loss is negative here, other than in the answers of `/build`.
  const impact = quote.priceImpact === '0' ? '0' : `-${quote.priceImpact}`;
  return {
    mode: order.mode,
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    inAmount: order.amount.toString(),
    outAmount: quote.outAmount.toString(),
    ...(dollars.in === null ? {} : { inUsdValue: dollars.in, swapUsdValue: dollars.in }),
    ...(dollars.out === null ? {} : { outUsdValue: dollars.out }),
    priceImpact: Number(impact) * 100,
    priceImpactPct: impact,
    otherAmountThreshold: quote.threshold.toString(),
    swapMode: 'ExactIn',
    slippageBps: quote.slippageBps,
    routePlan: orderRoutePlanJson(pools, quote.route),
    ...(order.referral === null ? {} : { referralAccount: order.referral.account }),
    feeMint: mint,
    feeBps: platformBps + gasBps,
    platformFee: { amount: platformAmount.toString(), feeBps: platformBps, feeMint: mint },
    swapType: engine.swapType,
    router: engine.router,
    taker: order.taker,
  };
}

/** Without a taker there is no transaction, and nobody pays for it. */
function costFields({ taker }: OrderRequest, costs: Costs | null) {
  const payer = costs?.payer ?? null;
  return {
    signatureFeeLamports: Number(costs?.signatureFee ?? 0n),
    signatureFeePayer: payer,
    prioritizationFeeLamports: Number(costs?.prioritizationFee ?? 0n),
    prioritizationFeePayer: payer,
    rentFeeLamports: Number(costs?.rentFee ?? 0n),
    rentFeePayer: payer,
    gasless: payer !== taker,
  };
}

function transactionFields(built: BuiltOrder | Unbuildable | null) {
  if (built === null) return { transaction: null };
  if (built.unbuildable !== undefined) {
    const { code, message } = built.unbuildable;
    return { transaction: '', errorCode: code, errorMessage: message, error: message };
  }
  const { messageBytes, lastValidBlockHeight, coSigner } = built;
  const unsigned: null[] = new Array(signerCount(messageBytes)).fill(null);
  return {
    transaction: Buffer.from(encodeTransaction(unsigned, messageBytes)).toString('base64'),
    lastValidBlockHeight: lastValidBlockHeight.toString(),
    ...(coSigner === null
      ? {}
      : { maker: coSigner.maker, expireAt: (coSigner.expireAt - SETTLING_SECONDS).toString() }),
  };
}
