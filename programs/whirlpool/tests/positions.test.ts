import * as orca from '@orca-so/whirlpools-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { deriveTickArrayAddress } from '../../../src/protocols/whirlpool/program/addresses.ts';
import { decodePosition } from '../../../src/protocols/whirlpool/program/layout.ts';
import { decodeTickArray } from '../../../src/protocols/whirlpool/program/tick-array.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { decodeTokenAccount } from '../../../src/solana/programs/token/account.ts';
import { decodeMint } from '../../../src/solana/programs/token/mint.ts';
import { closeAndReadRemains } from '../../../src/testing/svm/closed-accounts.ts';
import { namedAddress } from '../../raydium-cpmm/tests/fixture.ts';
import { USER } from './fixture.ts';
import { changeLiquidity, closePosition, collectFees, openPosition, positionOf } from './instructions.ts';
import {
  ADMIN,
  balances,
  createPool,
  data,
  LIQUIDITY,
  network,
  NO_LIMITS,
  open,
  openWith,
  pool,
  positionOfAccounts,
  refuse,
  SPACING,
  SPAN,
  startOver,
  state,
  succeed,
} from './liquidity-world.ts';

beforeEach(() => startOver());

describe('positions', () => {
  beforeEach(() => createPool());

  it('belong to the holder of their only token', () => {
    const { position } = open(-128, 128);
    expect(decodeMint(data(position.mint))).toMatchObject({ supply: 1n, decimals: 0, mintAuthority: null });
    expect(decodeTokenAccount(data(position.token))).toMatchObject({ owner: USER, amount: 1n });
    expect(decodePosition(data(position.position))).toMatchObject({
      whirlpool: pool.address,
      mint: position.mint,
      lowerTick: -128,
      upperTick: 128,
      liquidity: 0n,
    });
  });

  it('start next to the price if one end is left open', () => {
    expect(positionOfAccounts(open(-2_147_483_648, 256)).lowerTick).toBe(0);
    expect(positionOfAccounts(open(-256, 2_147_483_647)).upperTick).toBe(0);
  });

  it('have two ends on the spacing, in order', () => {
    const position = positionOf(namedAddress('bad'), USER);
    const ranges = [
      [-128, 100],
      [128, 128],
      [128, -128],
      [-443_648, 0],
      [-2_147_483_648, 2_147_483_647],
    ] as const;
    for (const [lower, upper] of ranges) {
      refuse(6010, openPosition(pool.address, USER, position, lower, upper));
    }
  });

  it.each([
    ['around the price', -640, 640],
    ['below it', -1280, -640],
    ['above it', 640, 1280],
    ['across arrays', -SPAN, SPAN],
  ])('take the tokens that Orca’s own library says, and give them back: %s', (_, lower, upper) => {
    const before = balances();
    const accounts = openWith(lower, upper);
    const quote = orca.increaseLiquidityQuote(LIQUIDITY, 0, 1n << 64n, lower, upper);
    const taken = balances().map((balance, side) => (before[side] ?? 0n) - balance);
    expect(taken).toEqual([quote.tokenEstA, quote.tokenEstB]);
    expect(state().liquidity).toBe(lower <= 0 && upper > 0 ? LIQUIDITY : 0n);

    const back = orca.decreaseLiquidityQuote(LIQUIDITY, 0, 1n << 64n, lower, upper);
    const held = balances();
    succeed(changeLiquidity('decrease', accounts, LIQUIDITY, [back.tokenEstA, back.tokenEstB]));
    const given = balances().map((balance, side) => balance - (held[side] ?? 0n));
    expect(given).toEqual([back.tokenEstA, back.tokenEstB]);
    expect(state().liquidity).toBe(0n);
    for (const start of accounts.arrays) {
      expect(decodeTickArray(data(deriveTickArrayAddress(pool.address, start)), SPACING).ticks).toEqual([]);
    }
  });

  it('set and clear the net and gross liquidity of their ticks', () => {
    openWith(-640, 640, 5n);
    const second = openWith(640, 1280, 7n);
    const ticks = () => decodeTickArray(data(deriveTickArrayAddress(pool.address, 0)), SPACING).ticks;
    expect(
      ticks().map(({ index, liquidityNet, liquidityGross }) => [index, liquidityNet, liquidityGross]),
    ).toEqual([
      [640, 2n, 12n],
      [1280, -7n, 7n],
    ]);
    succeed(changeLiquidity('decrease', second, 7n, [0n, 0n]));
    expect(ticks().map(({ index }) => index)).toEqual([640]);
  });

  it('keep to the limits of their owner and refuse missing accounts', () => {
    const accounts = openWith(-640, 640);
    const { tokenEstA, tokenEstB } = orca.increaseLiquidityQuote(LIQUIDITY, 0, 1n << 64n, -640, 640);
    refuse(6017, changeLiquidity('increase', accounts, LIQUIDITY, [tokenEstA - 1n, tokenEstB]));
    refuse(6018, changeLiquidity('decrease', accounts, LIQUIDITY, [0n, tokenEstB]));
    refuse(6012, changeLiquidity('increase', accounts, 0n, NO_LIMITS));
    refuse(6013, changeLiquidity('increase', accounts, 1n << 127n, NO_LIMITS));
    refuse(6015, changeLiquidity('decrease', accounts, LIQUIDITY + 1n, [0n, 0n]));
    refuse(6009, changeLiquidity('increase', { ...accounts, arrays: [SPAN, SPAN] }, 1n, NO_LIMITS));
    refuse(3007, changeLiquidity('increase', { ...accounts, arrays: [SPAN * 2, 0] }, 1n, NO_LIMITS));
  });

  it('are changed only by their owner', () => {
    const accounts = openWith(-640, 640);
    const thief = { ...accounts, position: { ...accounts.position, owner: ADMIN } };
    refuse(6019, changeLiquidity('decrease', thief, 1n, [0n, 0n]));
    refuse(6019, collectFees(thief));
    refuse(6019, closePosition(thief.position, ADMIN));
  });

  it('are closed only when empty, and all their accounts with them', () => {
    const accounts = openWith(-640, 640);
    refuse(6005, closePosition(accounts.position, USER));
    succeed(changeLiquidity('decrease', accounts, LIQUIDITY, [0n, 0n]));
    succeed(closePosition(accounts.position, USER));
    expect(network.account(accounts.position.position)).toBeNull();
    expect(network.account(accounts.position.token)).toBeNull();
    expect(decodeMint(data(accounts.position.mint)).supply).toBe(0n);
  });

  it('leave nothing of theirs at their address, even if lamports arrive in the same transaction', () => {
    const { position } = open(-640, 640);
    const remains = closeAndReadRemains(network, closePosition(position, USER), position.position);
    expect(remains).toEqual({ owner: SYSTEM_PROGRAM, bytes: 0 });
  });
});
