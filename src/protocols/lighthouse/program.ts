import type { Address } from '../../solana/address.ts';

/** Wallets append its assertions, so that a transaction fails if it does anything other than what they showed. */
export const LIGHTHOUSE_PROGRAM = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95' as Address;

/**
 * The first bytes of the assertions that wallets append. Other instructions of the program are none of them: one creates
 * accounts at a signer's expense.
 */
export const APPENDED_ASSERTIONS: ReadonlySet<number | undefined> = new Set([5, 6, 9, 10]);
