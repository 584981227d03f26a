import { expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import { refusalAfter } from './budget.ts';

const TAKER = 'taker' as unknown as Address;
const LIMITS = { perTaker: 60n, inAll: 100n };

it.each([
  [{ byTaker: 0n, inAll: 0n }, 60n, null],
  [{ byTaker: 59n, inAll: 99n }, 1n, null],
  [
    { byTaker: 60n, inAll: 60n },
    1n,
    'the swaps of taker would cost 61 lamports within an hour, at most 60 are sponsored',
  ],
  [{ byTaker: 0n, inAll: 60n }, 41n, 'what is sponsored within an hour is used up (60 of 100 lamports)'],
])('is within the limits, or says which it is beyond', (spent, lamports, said) => {
  expect(refusalAfter(spent, LIMITS, TAKER, lamports)).toBe(said);
});
