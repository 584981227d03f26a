/** The states of fills, as the filter of the ledger names them, and what they mean. */
export const FILL_STATES: readonly (readonly [state: string, label: string])[] = [
  ['offered', 'offered: the maker has it'],
  ['confirmed', 'confirmed: swapped'],
  ['failed', 'failed on the chain'],
  ['expired', 'expired: never landed'],
  ['rejected', 'rejected'],
];

/** The looks of each state. */
export const FILL_TONES: Readonly<Record<string, 'good' | 'warning' | 'danger' | 'accent'>> = {
  confirmed: 'good',
  offered: 'accent',
  expired: 'warning',
  failed: 'danger',
  rejected: 'danger',
};
