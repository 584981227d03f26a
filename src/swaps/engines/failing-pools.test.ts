import { describe, expect, it } from 'vitest';
import type { Route } from '../../market/router/index.ts';
import type { Address } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { createNamedAddress } from '../../testing/protocols/raydium-pool.ts';
import { findFailingPools } from './failing-pools.ts';

const ONE = createNamedAddress('venue one');
const OTHER = createNamedAddress('venue other');
const AGGREGATOR = createNamedAddress('aggregator');
const LABELS = { [ONE]: 'One', [OTHER]: 'Other' };
const [first, second, third] = ['a', 'b', 'c'].map((name) => createNamedAddress(name)) as [
  Address,
  Address,
  Address,
];

describe('findFailingPools', () => {
  it('blames the pools of the venue that refused', () => {
    expect(blame(OTHER, [AGGREGATOR])).toEqual([second]);
    expect(blame(ONE, [AGGREGATOR])).toEqual([first, third]);
  });

  it('blames those of the venue that called the token program that refused', () => {
    expect(blame(TOKEN_PROGRAM, [OTHER, AGGREGATOR])).toEqual([second]);
  });

  it('blames the whole route where no venue failed', () => {
    expect(blame(null, [])).toEqual([first, second, third]);
    expect(blame(TOKEN_PROGRAM, [AGGREGATOR])).toEqual([first, second, third]);
  });
});

function blame(program: Address | null, callers: readonly Address[]): readonly Address[] {
  return findFailingPools(LABELS, ROUTE, { program, callers });
}

const ROUTE = {
  legs: [
    { handle: { venue: { label: 'One' }, pool: { address: first } } },
    { handle: { venue: { label: 'Other' }, pool: { address: second } } },
    { handle: { venue: { label: 'One' }, pool: { address: third } } },
  ],
} as unknown as Pick<Route, 'legs'>;
