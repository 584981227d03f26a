import type { Address } from '../../../solana/address.ts';
import type { OrderRate, TradeElement } from '../../../protocol/positions/element.ts';
import { roundValue, sumOfKnown } from './money.ts';
import { netApyOf, ownYields } from './net-apy.ts';
import { type PricedMints, pricedMint, shownAmount, valueToken, worthOf } from './value-asset.ts';
import type { ValuedToken, ValuedTrade } from './valued.ts';

type Valued = Omit<ValuedTrade, 'fetcherId' | 'platformId' | 'label' | 'name' | 'tags'>;

/** @returns null for an order that is filled or cancelled and holds nothing */
export function valueTrade(element: TradeElement, mints: PricedMints): Valued | null {
  const { inputMint, outputMint, initialInput, remainingInput } = element;
  const input = holding(inputMint, remainingInput, mints);
  const output = holding(outputMint, element.heldOutput, mints);
  if (input === null && output === null) return null;
  const [inputToken, outputToken] = [pricedMint(mints, inputMint), pricedMint(mints, outputMint)];
  const held = [input, output].filter((asset) => asset !== null);
  const value = roundValue(sumOfKnown(held.map((asset) => asset.value)));
  return {
    type: 'trade',
    element,
    input,
    output,
    value,
    netApy: netApyOf(ownYields(held), value),
    initialInputAmount: shownAmount(initialInput, inputToken),
    withdrawnOutputAmount: shownAmount(element.withdrawnOutput, outputToken),
    expectedOutputAmount:
      element.expectedOutput === undefined ? null : shownAmount(element.expectedOutput, outputToken),
    inputPrice: inputToken.price,
    outputPrice: outputToken.price,
    filledPercentage: filledShare(initialInput, remainingInput),
    priceRange: priceRangeOf(element, mints),
  };
}

function holding(mint: Address, amount: bigint, mints: PricedMints): ValuedToken | null {
  return amount <= 0n ? null : valueToken({ type: 'token', mint, amount }, mints);
}

/** An order whose accounts say that more remains than there was is not filled at all. */
function filledShare(initial: bigint, remaining: bigint): number {
  if (initial <= 0n || remaining >= initial) return 0;
  return Number(initial - remaining) / Number(initial);
}

function priceRangeOf({ recurring, inputMint, outputMint }: TradeElement, mints: PricedMints) {
  const rates = recurring?.rates;
  const [input, output] = [pricedMint(mints, inputMint), pricedMint(mints, outputMint)];
  if (rates === undefined || input.price === null) return null;
  const dollars = (rate: OrderRate) =>
    (worthOf(rate.input, input) ?? 0) / (worthOf(rate.output, { ...output, price: 1 }) ?? 0);
  const { lowest, highest } = rates;
  const range = {
    ...(lowest === undefined || lowest.output === 0n ? {} : { min: dollars(lowest) }),
    ...(highest === undefined || highest.output === 0n ? {} : { max: dollars(highest) }),
  };
  return 'min' in range || 'max' in range ? range : null;
}
