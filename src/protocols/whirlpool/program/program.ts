import type { Address } from '../../../solana/address.ts';

/** Orca's concentrated-liquidity program. Its public source is `orca-so/whirlpools`. */
export const WHIRLPOOL_PROGRAM = 'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc' as Address;

/** Seeds of the program's PDAs. */
export const WHIRLPOOL_SEEDS = {
  whirlpool: 'whirlpool',
  feeTier: 'fee_tier',
  tickArray: 'tick_array',
  oracle: 'oracle',
  position: 'position',
  positionBundle: 'position_bundle',
  bundledPosition: 'bundled_position',
  tokenBadge: 'token_badge',
} as const;

/** A fee rate is a number of millionths of the input. */
export const FEE_RATE_DENOMINATOR = 1_000_000n;
/** The protocol's share is a number of ten-thousandths of the fee. */
export const PROTOCOL_FEE_RATE_DENOMINATOR = 10_000n;

/** How many initializable ticks one tick array covers. */
export const TICK_ARRAY_SIZE = 88;
/** How many tick arrays one swap may walk through. */
export const SWAP_TICK_ARRAYS = 3;
