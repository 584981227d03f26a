import { type InstructionVersion, MAX_FEE_BPS } from '../../../../market/aggregator/instruction-version.ts';
import { type Bps, bps } from '../../../../solana/units.ts';
import { SwapRefused } from '../../../../swaps/refusals.ts';
import { parseOptionalBps, type Query } from './query.ts';

/**
 * Reads `platformFeeBps`, 0 when absent.
 * @throws SwapRefused when the rate does not fit the instruction's field
 */
export function parseFeeShare(query: Query, version: InstructionVersion): Bps {
  const share = parseOptionalBps(query, 'platformFeeBps') ?? bps(0);
  if (share > MAX_FEE_BPS[version]) {
    throw new SwapRefused(
      `platformFeeBps must be at most ${MAX_FEE_BPS[version]} with instructionVersion ${version}, got ${share}`,
    );
  }
  return share;
}
