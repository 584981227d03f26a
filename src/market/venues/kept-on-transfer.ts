import type { TransferFeeConfig } from '../../solana/programs/token/transfer-fee.ts';

/**
 * The share that a mint's transfer fee leaves, for estimates. By the newer of the two schedules: the older one runs
 * out within an epoch or two.
 */
export function keptOnTransfer(config: TransferFeeConfig | null): number {
  return config === null ? 1 : 1 - config.newer.basisPoints / 10_000;
}
