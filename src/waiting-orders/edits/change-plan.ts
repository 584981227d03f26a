import type { RequestedPrices } from '../deposits/order-request.ts';
import {
  checkPrice,
  checkSlippage,
  checkTrailingBps,
  type PriceKnowledge,
  refuseForeignFields,
  requireMarketPrice,
  requireProfitAboveLoss,
} from '../deposits/price-checks.ts';
import { createTrailingPlan } from '../legs.ts';
import {
  type ExitPair,
  isRecurring,
  type OtocoPlan,
  type PricedLeg,
  type PricePlan,
  type SinglePlan,
  type Trailing,
} from '../order-plan.ts';
import { OrderRefused } from '../order-refused.ts';
import type { WaitingOrder } from '../waiting-order.ts';

/**
 * Returns the plan of an order with what is given changed.
 *
 * @throws OrderRefused with a sentence for the client
 */
export function changePlan(
  order: WaitingOrder,
  given: RequestedPrices,
  knowledge: PriceKnowledge,
): PricePlan {
  const { plan } = order;
  if (isRecurring(plan)) throw new OrderRefused('not found', 'Order not found');
  refuseForeignFields(plan.kind, given);
  switch (plan.kind) {
    case 'single':
      return plan.trailing === null
        ? editSingle(plan, given)
        : editTrailing(plan, plan.trailing, given, knowledge);
    case 'oco':
      return { ...plan, ...editPair(plan, given) };
    case 'otoco':
      if (order.remaining === 0n) refuseEntry(given);
      return { ...plan, ...editEntry(plan, given), ...editPair(plan, given) };
  }
}

function editSingle(plan: SinglePlan, given: RequestedPrices): SinglePlan {
  if (given.trailingBps !== null) {
    throw new OrderRefused('invalid', 'Cannot convert to trailing stop loss order');
  }
  return { ...plan, ...editEntry(plan, given) };
}

function editTrailing(
  plan: SinglePlan,
  trailing: Trailing,
  given: RequestedPrices,
  knowledge: PriceKnowledge,
): SinglePlan {
  if (given.triggerPriceUsd !== null) {
    throw new OrderRefused('invalid', 'Cannot set trigger price on trailing stop loss order');
  }
  const slippageBps = checkSlippage('slippageBps', given.slippageBps) ?? plan.slippageBps;
  if (given.trailingBps === null) return { ...plan, slippageBps };
  const bps = checkTrailingBps(given.trailingBps);
  const edited = createTrailingPlan({ ...plan, slippageBps }, { ...trailing, bps });
  const price = requireMarketPrice(knowledge, plan.triggerMint);
  const { condition, triggerPrice } = edited;
  if (condition === 'below' ? price <= triggerPrice : price >= triggerPrice) {
    throw new OrderRefused('invalid', 'Trailing order would immediately trigger');
  }
  return edited;
}

function editEntry(
  plan: Pick<OtocoPlan, keyof PricedLeg>,
  { triggerPriceUsd, slippageBps }: RequestedPrices,
): PricedLeg {
  return editLeg(plan, ['triggerPriceUsd', triggerPriceUsd], ['slippageBps', slippageBps]);
}

function editPair(pair: ExitPair, given: RequestedPrices): ExitPair {
  const { tpPriceUsd, tpSlippageBps, slPriceUsd, slSlippageBps } = given;
  const edited = {
    takeProfit: editLeg(pair.takeProfit, ['tpPriceUsd', tpPriceUsd], ['tpSlippageBps', tpSlippageBps]),
    stopLoss: editLeg(pair.stopLoss, ['slPriceUsd', slPriceUsd], ['slSlippageBps', slSlippageBps]),
  };
  requireProfitAboveLoss(edited);
  return edited;
}

type GivenField = readonly [field: string, value: number | null];

function editLeg(
  { triggerPrice, slippageBps }: PricedLeg,
  [priceField, price]: GivenField,
  [slippageField, slippage]: GivenField,
): PricedLeg {
  return {
    triggerPrice: price === null ? triggerPrice : checkPrice(priceField, price),
    slippageBps: checkSlippage(slippageField, slippage) ?? slippageBps,
  };
}

/** @throws OrderRefused when something of an entry is to be changed that is filled */
function refuseEntry({ triggerPriceUsd, slippageBps }: RequestedPrices): void {
  if (triggerPriceUsd === null && slippageBps === null) return;
  const field = triggerPriceUsd === null ? 'slippageBps' : 'triggerPriceUsd';
  throw new OrderRefused(
    'invalid',
    `${field} cannot be changed: the first part of the order is filled`,
    field,
  );
}
