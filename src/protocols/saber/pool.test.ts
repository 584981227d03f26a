import { describe, expect, it } from 'vitest';
import { sampleCases } from '../../testing/random.ts';
import {
  ADMIN,
  PLAIN_POOL,
  POOL,
  poolSpec,
  type SaberSpec,
  writeSaber,
  writeTokens,
} from '../../../programs/saber/tests/fixture.ts';
import { TestNetwork } from '../../testing/svm/network.ts';
import { saber } from './venue.ts';
import { decodeSaber, encodeSaber, SABER_POOL_SIZE } from './layout.ts';
import { openForEach } from '../../testing/opened.ts';

const network = openForEach(() => new TestNetwork());

describe('Saber’s layout', () => {
  it('reads back what it wrote, in as many bytes as an account has', () => {
    for (const { pool } of sampleCases(poolSpec, { cases: 500, seed: 20_261_121 })) {
      const account = { ...PLAIN_POOL, ...pool };
      const data = encodeSaber(account);
      expect(data).toHaveLength(SABER_POOL_SIZE);
      expect(decodeSaber(data)).toEqual(account);
    }
  });
});

describe('a Saber pool', () => {
  it('can be used with its reserves, and names what it depends on', () => {
    expect(decode({ balances: [5n, 7n] })).toMatchObject({ balances: [5n, 7n], adminReceives: [true, true] });
    const account = network.account(POOL.address);
    if (account === null) throw new Error('no pool');
    expect(saber.isPool(account)).toBe(true);
    expect(saber.dependencies(POOL.address, account)).toEqual([...POOL.reserves, ...POOL.adminFees]);
  });

  it('is unusable with a reason while nothing can be swapped', () => {
    expect(decode({ pool: { paused: true } })).toEqual({ unusable: 'the pool is paused' });
    expect(decode({ balances: [0n, 1n] })).toEqual({ unusable: 'a reserve is empty' });
    writeSaber(network);
    writeTokens(network, POOL.reserves[1], { mint: POOL.mints[1], owner: ADMIN, amount: 1n });
    expect(read()).toMatchObject({ unusable: expect.stringContaining('is no account of the pool') });
    writeTokens(network, POOL.reserves[1], { mint: POOL.mints[0], owner: POOL.authority, amount: 1n });
    expect(read()).toMatchObject({ unusable: expect.stringContaining(POOL.mints[1]) });
  });

  it('does not sell a token whose fees the admin cannot take', () => {
    writeSaber(network);
    writeTokens(network, POOL.adminFees[1], { mint: POOL.mints[0], owner: ADMIN, amount: 0n });
    const state = read();
    if ('unusable' in state) throw new Error(state.unusable);
    const clock = { slot: 0n, epoch: 0n, unixTimestamp: 0n };
    expect(saber.quoteExactIn(state, POOL.mints[0], 1_000_000n, clock)).toBeNull();
    expect(saber.estimate(state, POOL.mints[0], 1_000_000, clock)).toBe(0);
    expect(saber.quoteExactIn(state, POOL.mints[1], 1_000_000n, clock)?.outAmount).toBeGreaterThan(999_000n);
  });

  it('quotes nothing for a mint that is not its own', () => {
    const state = decode();
    if ('unusable' in state) throw new Error(state.unusable);
    const clock = { slot: 0n, epoch: 0n, unixTimestamp: 0n };
    expect(saber.quoteExactIn(state, POOL.lpMint, 1_000_000n, clock)).toBeNull();
    expect(saber.quoteExactOut(state, POOL.lpMint, 1_000_000n, clock)).toBeNull();
  });
});

const read = () => saber.decode(POOL.address, (address) => network.account(address));

function decode(spec: SaberSpec = {}) {
  writeSaber(network, spec);
  return read();
}
