import type { Address } from '@solana/kit';

export type { Address } from '@solana/kit';
