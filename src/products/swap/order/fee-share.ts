import { type Bps, bps } from '../../../solana/units.ts';
import { SwapRefused } from '../errors.ts';
import { optionalBps, type Query } from '../query.ts';
import { type InstructionVersion, MAX_FEE_BPS } from '../build/forms.ts';

/** `platformFeeBps`, 0 when absent. @throws SwapRefused when the instruction has no room for it */
export function feeShare(query: Query, version: InstructionVersion): Bps {
  const share = optionalBps(query, 'platformFeeBps') ?? bps(0);
  if (share > MAX_FEE_BPS[version]) {
    throw new SwapRefused(
      `platformFeeBps must be at most ${MAX_FEE_BPS[version]} with instructionVersion ${version}, got ${share}`,
    );
  }
  return share;
}
