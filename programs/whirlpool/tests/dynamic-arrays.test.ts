import { beforeEach, describe, expect, it } from 'vitest';
import { deriveTickArrayAddress } from '../../../src/protocols/whirlpool/program/addresses.ts';
import { decodeTickArray } from '../../../src/protocols/whirlpool/program/tick-array.ts';
import type { Address } from '../../../src/solana/address.ts';
import { writeWallet } from '../../raydium-cpmm/tests/fixture.ts';
import { CONFIG, USER } from './fixture.ts';
import { changeLiquidity, closePosition, initializePool, initializeTickArray } from './instructions.ts';
import { initializeDynamicTickArray } from './instructions-v2.ts';
import {
  ADMIN,
  data,
  LIQUIDITY,
  network,
  NO_LIMITS,
  open,
  openWith,
  pool,
  refuse,
  SPACING,
  SPAN,
  startOver,
  succeed,
} from './liquidity-world.ts';

beforeEach(setUp);

describe('arrays of the dynamic form', () => {
  it('start empty and rent-exempt, even if lamports were sent to their address before', () => {
    succeed(make(0));
    writeWallet(network, at(SPAN), 5n);
    succeed(make(SPAN));
    for (const start of [0, SPAN]) {
      expect(data(at(start)).length).toBe(EMPTY);
      expect(spare(at(start))).toBe(0n);
      expect(decodeTickArray(data(at(start)), SPACING)).toEqual({
        whirlpool: pool.address,
        start,
        ticks: [],
      });
    }
  });

  it('are created once, unless an existing one is accepted', () => {
    succeed(make(0));
    refuse(3000, make(0));
    succeed(make(0, true));
    succeed(initializeTickArray(pool.address, USER, SPAN));
    refuse(3000, make(SPAN));
    succeed(make(SPAN, true));
    expect(data(at(SPAN)).length).toBe(9988);
    refuse(0, initializeTickArray(pool.address, USER, 0));
  });

  it('start at multiples of their span, at their own address', () => {
    refuse(6001, make(SPACING));
    refuse(6001, make(SPAN * 100));
    const wrong = make(0);
    const accounts = wrong.accounts.map((each) =>
      each.address === at(0) ? { ...each, address: at(SPAN) } : each,
    );
    refuse(2006, { ...wrong, accounts });
    refuse(102, { ...wrong, data: wrong.data.subarray(0, 12) });
  });

  it('are as long as their initialized ticks need, and positions pay for the length', () => {
    for (const start of [-SPAN, 0]) succeed(make(start));
    const wide = open(-640, 640);
    expect(spare(wide.position.position)).toBe(2n * TICK_RENT);
    succeed(changeLiquidity('increase', wide, LIQUIDITY, NO_LIMITS));
    expect(spare(wide.position.position)).toBe(0n);
    for (const start of [-SPAN, 0]) {
      expect(data(at(start)).length).toBe(EMPTY + TICK);
      expect(spare(at(start))).toBe(0n);
    }
    // A second position with a common end also pays for it. The last position to close is paid its own rent.
    const narrow = openWith(64, 640);
    expect(data(at(0)).length).toBe(EMPTY + 2 * TICK);
    expect(spare(at(0))).toBe(TICK_RENT);
    succeed(changeLiquidity('increase', narrow, 1n, NO_LIMITS));
    succeed(changeLiquidity('decrease', wide, LIQUIDITY, [0n, 0n]));
    expect(data(at(0)).length).toBe(EMPTY + 2 * TICK);
    expect(data(at(-SPAN)).length).toBe(EMPTY);
    expect(spare(wide.position.position)).toBe(2n * TICK_RENT);
    succeed(changeLiquidity('decrease', narrow, LIQUIDITY + 1n, [0n, 0n]));
    expect(data(at(0)).length).toBe(EMPTY);
    expect(spare(at(0))).toBe(0n);
    for (const { position } of [wide, narrow]) {
      const before = lamports(ADMIN);
      const all = lamports(position.position) + lamports(position.token);
      succeed(closePosition(position, ADMIN));
      expect(lamports(ADMIN) - before).toBe(all);
    }
  });

  it('hold up to 88 ticks, in order, whatever the order in which they came', () => {
    succeed(make(0));
    const slots = Array.from({ length: 44 }, (_, i) => [i * 37, i * 37 + 44] as const);
    const positions = slots.map(([one, other]) => {
      const ends = [(one % 88) * SPACING, (other % 88) * SPACING] as const;
      return openWith(Math.min(...ends), Math.max(...ends), 1000n + BigInt(one));
    });
    const used = () => decodeTickArray(data(at(0)), SPACING).ticks.map(({ index }) => index / SPACING);
    expect(used()).toEqual(Array.from({ length: 88 }, (_, slot) => slot));
    expect(data(at(0)).length).toBe(EMPTY + 88 * TICK);
    for (const [i, each] of positions.entries()) {
      succeed(changeLiquidity('decrease', each, 1000n + BigInt(i * 37), [0n, 0n]));
    }
    expect(used()).toEqual([]);
    expect(data(at(0)).length).toBe(EMPTY);
    expect([...data(at(0)).subarray(44)].every((byte) => byte === 0)).toBe(true);
  });

  it('refuse the liquidity of a position that cannot pay for its ticks', () => {
    for (const start of [-SPAN, 0]) succeed(make(start));
    const { position, ...rest } = open(-640, 640);
    const account = network.account(position.position);
    if (account === null) throw new Error('no position');
    network.setAccount(position.position, { ...account, lamports: TICK_RENT - 1n });
    refuse(6065, changeLiquidity('increase', { position, ...rest }, 1n, NO_LIMITS));
  });
});

const EMPTY = 148;
const TICK = 112;
const TICK_RENT = 779_520n;

const at = (start: number): Address => deriveTickArrayAddress(pool.address, start);
const make = (start: number, idempotent = false) =>
  initializeDynamicTickArray(pool.address, USER, start, idempotent);
const lamports = (address: Address) => network.account(address)?.lamports ?? 0n;
const spare = (address: Address) =>
  lamports(address) - network.svm.minimumBalanceForRentExemption(BigInt(data(address).length));

function setUp(): void {
  startOver();
  succeed(initializePool(CONFIG, pool, USER, SPACING, 1n << 64n));
}
