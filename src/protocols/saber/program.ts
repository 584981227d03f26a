import type { Address } from '../../solana/address.ts';

/** Saber's stable swap. Its public source is `saber-hq/stable-swap`. */
export const SABER_PROGRAM = 'SSwpkEEcbUqx4vtoEByFjSkhKdCT862DNVb52nZg1UZ' as Address;
