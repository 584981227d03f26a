import { keptOnTransfer } from '../kept-on-transfer.ts';
import type { Address } from '../../../solana/address.ts';
import type { TransferFeeConfig } from '../../../solana/token/transfer-fee.ts';
import type { SwapRates } from './curve.ts';
import type { Sides } from './layout.ts';
import type { RaydiumCpmmPool } from './pool.ts';

/** What is left of the input, and of the output, when every fee is taken. Worked out once, used for every estimate. */
export interface Kept {
  readonly input: number;
  readonly output: number;
}

/** By the side of the input. */
export function keptShares(
  rates: Sides<SwapRates>,
  transferFees: Sides<TransferFeeConfig | null>,
): Sides<Kept> {
  return [
    keptShare(rates[0], transferFees[0], transferFees[1]),
    keptShare(rates[1], transferFees[1], transferFees[0]),
  ];
}

function keptShare(
  { trade, creator, creatorOnInput }: SwapRates,
  inputFee: TransferFeeConfig | null,
  outputFee: TransferFeeConfig | null,
): Kept {
  const keptByCreator = 1 - Number(creator) / 1e6;
  const keptByPool = 1 - Number(creatorOnInput ? trade + creator : trade) / 1e6;
  return {
    input: keptByPool * keptOnTransfer(inputFee),
    output: (creatorOnInput ? 1 : keptByCreator) * keptOnTransfer(outputFee),
  };
}

export function estimate(
  { mints, depth, kept }: RaydiumCpmmPool,
  inputMint: Address,
  amount: number,
): number {
  const fromFirst = inputMint === mints[0];
  const { input, output } = fromFirst ? kept[0] : kept[1];
  const traded = amount * input;
  const reserveIn = fromFirst ? depth[0] : depth[1];
  const reserveOut = fromFirst ? depth[1] : depth[0];
  return (reserveOut * traded * output) / (reserveIn + traded);
}
