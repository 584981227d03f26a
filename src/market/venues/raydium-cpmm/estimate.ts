import type { Address } from '../../../solana/address.ts';
import type { TransferFeeConfig } from '../../../solana/token/transfer-fee.ts';
import type { SwapRates } from './curve.ts';
import type { Sides } from './layout.ts';
import type { RaydiumCpmmPool } from './pool.ts';

/** The curve in floating point, fees folded into factors: worked out once per state, used for every estimate. */
export interface EstimatedCurve {
  readonly reserveIn: number;
  readonly reserveOut: number;
  /** What is left of the input, and of the output, when every fee is taken. */
  readonly keptIn: number;
  readonly keptOut: number;
}

export function estimatedCurves(
  reserves: Sides<bigint>,
  rates: Sides<SwapRates>,
  transferFees: Sides<TransferFeeConfig | null>,
): Sides<EstimatedCurve> {
  const curve = (input: 0 | 1, output: 0 | 1): EstimatedCurve => {
    const { trade, creator, creatorOnInput } = rates[input];
    const keptByCreator = 1 - Number(creator) / 1e6;
    const keptByPool = 1 - Number(creatorOnInput ? trade + creator : trade) / 1e6;
    return {
      reserveIn: Number(reserves[input]),
      reserveOut: Number(reserves[output]),
      keptIn: keptByPool * keptOnTransfer(transferFees[input]),
      keptOut: (creatorOnInput ? 1 : keptByCreator) * keptOnTransfer(transferFees[output]),
    };
  };
  return [curve(0, 1), curve(1, 0)];
}

/** The newer of the two schedules: the older one runs out within an epoch or two. */
function keptOnTransfer(config: TransferFeeConfig | null): number {
  return config === null ? 1 : 1 - config.newer.basisPoints / 10_000;
}

export function estimate(pool: RaydiumCpmmPool, inputMint: Address, amount: number): number {
  const { reserveIn, reserveOut, keptIn, keptOut } = pool.estimates[inputMint === pool.mints[0] ? 0 : 1];
  const traded = amount * keptIn;
  return (reserveOut * traded * keptOut) / (reserveIn + traded);
}
