/** Which amount of a swap is fixed. */
export const SWAP_MODES = ['ExactIn', 'ExactOut'] as const;
export type FixedAmountMode = (typeof SWAP_MODES)[number];
