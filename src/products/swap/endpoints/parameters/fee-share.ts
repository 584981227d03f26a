import { type InstructionVersion, MAX_FEE_BPS } from '../../../../market/aggregator/route-plan.ts';
import type { Bps } from '../../../../solana/units.ts';
import { SwapRefused } from '../../../../swaps/refusals.ts';

/** @throws SwapRefused when the rate `platformFeeBps` does not fit the instruction's field */
export function checkFeeShare(share: Bps, version: InstructionVersion): Bps {
  if (share > MAX_FEE_BPS[version]) {
    throw new SwapRefused(
      `platformFeeBps must be at most ${MAX_FEE_BPS[version]} with instructionVersion ${version}, got ${share}`,
    );
  }
  return share;
}
