import type { PriorityFeeSample } from '../../chain/chain.ts';
import { type Bps, compareAmounts } from '../../solana/units.ts';

/**
 * @returns the micro-lamports per compute unit that `percentile` of the recent slots did not exceed (nearest rank); 0
 *   when no recent transaction wrote the accounts, because then nothing competes for them
 */
export function computeUnitPrice(samples: readonly PriorityFeeSample[], percentile: Bps): bigint {
  if (samples.length === 0) return 0n;
  const sorted = samples.map((sample) => sample.microLamports).sort(compareAmounts);
  const rank = Math.max(1, Math.ceil((sorted.length * percentile) / 10_000));
  return sorted[rank - 1] ?? 0n;
}
