import type { Address } from '../../../solana/address.ts';
import type { OrderRate, TradeElement } from '../../../protocol/positions/element.ts';
import { roundValue, sumKnown } from './money.ts';
import { computeNetApy, collectOwnYields } from './net-apy.ts';
import { type PricedMints, getPricedMint, toShownAmount, valueToken, computeDollars } from './value-asset.ts';
import type { ValuedToken, ValuedTrade } from './valued.ts';

type TradeValues = Omit<ValuedTrade, 'fetcherId' | 'platformId' | 'label' | 'name' | 'tags'>;

/** Returns null for an order that is filled or cancelled and holds nothing. */
export function valueTrade(element: TradeElement, mints: PricedMints): TradeValues | null {
  const { inputMint, outputMint, initialInput, remainingInput } = element;
  const input = valueHolding(inputMint, remainingInput, mints);
  const output = valueHolding(outputMint, element.heldOutput, mints);
  if (input === null && output === null) return null;
  const [inputToken, outputToken] = [getPricedMint(mints, inputMint), getPricedMint(mints, outputMint)];
  const held = [input, output].filter((asset) => asset !== null);
  const value = roundValue(sumKnown(held.map((asset) => asset.value)));
  return {
    type: 'trade',
    element,
    input,
    output,
    value,
    netApy: computeNetApy(collectOwnYields(held), value),
    initialInputAmount: toShownAmount(initialInput, inputToken),
    withdrawnOutputAmount: toShownAmount(element.withdrawnOutput, outputToken),
    expectedOutputAmount:
      element.expectedOutput === undefined ? null : toShownAmount(element.expectedOutput, outputToken),
    inputPrice: inputToken.price,
    outputPrice: outputToken.price,
    filledPercentage: computeFilledShare(initialInput, remainingInput),
    priceRange: computePriceRange(element, mints),
  };
}

function valueHolding(mint: Address, amount: bigint, mints: PricedMints): ValuedToken | null {
  return amount <= 0n ? null : valueToken({ type: 'token', mint, amount }, mints);
}

/** An order whose accounts say that more remains than there was is not filled at all. */
function computeFilledShare(initial: bigint, remaining: bigint): number {
  if (initial <= 0n || remaining >= initial) return 0;
  return Number(initial - remaining) / Number(initial);
}

function computePriceRange({ recurring, inputMint, outputMint }: TradeElement, mints: PricedMints) {
  const rates = recurring?.rates;
  const [input, output] = [getPricedMint(mints, inputMint), getPricedMint(mints, outputMint)];
  if (rates === undefined || input.price === null) return null;
  const dollars = (rate: OrderRate) =>
    (computeDollars(rate.input, input) ?? 0) / (computeDollars(rate.output, { ...output, price: 1 }) ?? 0);
  const { lowest, highest } = rates;
  const range = {
    ...(lowest === undefined || lowest.output === 0n ? {} : { min: dollars(lowest) }),
    ...(highest === undefined || highest.output === 0n ? {} : { max: dollars(highest) }),
  };
  return 'min' in range || 'max' in range ? range : null;
}
