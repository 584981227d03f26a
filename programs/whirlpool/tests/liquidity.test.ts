import * as orca from '@orca-so/whirlpools-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { tickArrayAddress } from '../../../src/market/venues/whirlpool/addresses.ts';
import { swap } from '../../../src/market/venues/whirlpool/instructions.ts';
import {
  decodePosition,
  decodeWhirlpool,
  encodeFeeTier,
  encodeWhirlpoolsConfig,
} from '../../../src/market/venues/whirlpool/layout.ts';
import { feeTierAddress } from '../../../src/market/venues/whirlpool/addresses.ts';
import { WHIRLPOOL_PROGRAM } from '../../../src/market/venues/whirlpool/program.ts';
import { decodeTickArray, tickArrayStart } from '../../../src/market/venues/whirlpool/tick-array.ts';
import { sqrtPriceAtTick } from '../../../src/market/venues/whirlpool/tick-math.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/instruction.ts';
import { decodeTokenAccount } from '../../../src/solana/token/account.ts';
import { decodeMint } from '../../../src/solana/token/mint.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { type Outcome, TestNetwork } from '../../../test/svm/network.ts';
import {
  namedAddress,
  token,
  withTransferFee,
  writeMint,
  writeTokenAccount,
  writeWallet,
} from '../../constant-product/tests/fixture.ts';
import { CONFIG, layOut, type Pool, spanOf, swapPool, USER, USER_TOKENS } from './fixture.ts';
import {
  changeLiquidity,
  closePosition,
  collectFees,
  initializeConfig,
  initializeFeeTier,
  initializePool,
  initializePoolV2,
  initializeTickArray,
  type LiquidityAccounts,
  openPosition,
  positionOf,
  tagOf,
  updateFees,
} from './instructions.ts';

const SPACING = 64;
const SPAN = spanOf(SPACING);
const ADMIN = 'GwH3Hiv5mACLX3ufTw1pFsrhSPon5tdw252DBs4Rx4PV' as Address;
const LIQUIDITY = 1_000_000_000_000n;
const PLENTY = 1n << 60n;
const NO_LIMITS = [U64_MAX, U64_MAX] as const;

let network: TestNetwork;
let pool: Pool;

beforeEach(() => {
  network = new TestNetwork(['whirlpool']);
  network.setUnixTime(1_700_000_000n);
  for (const wallet of [USER, ADMIN]) writeWallet(network, wallet);
  pool = layOut(SPACING);
  for (const each of pool.tokens) writeMint(network, each);
  for (const side of [0, 1] as const) {
    writeTokenAccount(network, USER_TOKENS[side], USER, pool.tokens[side], PLENTY);
  }
  const authorities = {
    feeAuthority: USER,
    collectProtocolFeesAuthority: USER,
    rewardEmissionsSuperAuthority: USER,
  };
  const config = encodeWhirlpoolsConfig({ ...authorities, defaultProtocolFeeRate: 1300, featureFlags: 0 });
  network.setData(CONFIG, WHIRLPOOL_PROGRAM, config);
  writeFeeTier(SPACING);
});

function writeFeeTier(tickSpacing: number): void {
  const tier = encodeFeeTier({ config: CONFIG, tickSpacing, defaultFeeRate: 3000 });
  network.setData(feeTierAddress(CONFIG, tickSpacing), WHIRLPOOL_PROGRAM, tier);
}

function send(...instructions: readonly Instruction[]): Outcome {
  return network.send(instructions);
}

function succeed(...instructions: readonly Instruction[]): Outcome {
  const outcome = send(...instructions);
  expect(outcome.error, outcome.logs.join('\n')).toBeNull();
  return outcome;
}

function refuse(code: number, ...instructions: readonly Instruction[]): void {
  const outcome = send(...instructions);
  expect(outcome.error?.custom, outcome.logs.join('\n')).toBe(code);
}

const data = (address: Address): Uint8Array => network.account(address)?.data ?? new Uint8Array(0);
const state = () => decodeWhirlpool(data(pool.address));
const balances = () => USER_TOKENS.map((address) => network.tokenBalance(address));

/** A pool at price 1, with the three arrays around it. */
function createPool(sqrtPrice = 1n << 64n): void {
  succeed(initializePool(CONFIG, pool, USER, SPACING, sqrtPrice));
  for (const start of [-SPAN, 0, SPAN]) succeed(initializeTickArray(pool.address, USER, start));
}

let opened = 0;

/** Opens a position; returns what its instructions take. */
function open(lower: number, upper: number): LiquidityAccounts {
  const position = positionOf(namedAddress(`position ${opened++}`), USER);
  succeed(openPosition(pool.address, USER, position, lower, upper));
  const arrays = [tickArrayStart(lower, SPACING), tickArrayStart(upper, SPACING)] as const;
  return { pool, position, user: USER_TOKENS, arrays };
}

function openWith(lower: number, upper: number, liquidity = LIQUIDITY): LiquidityAccounts {
  const accounts = open(lower, upper);
  succeed(changeLiquidity('increase', accounts, liquidity, NO_LIMITS));
  return accounts;
}

function swapIn(amount: bigint, aToB = true): void {
  const { tick, tickSpacing } = state();
  const at = { tick, tickSpacing, feeRate: 0, protocolFeeRate: 0, sqrtPrice: 0n, ranges: [] };
  const [source, destination] = aToB ? USER_TOKENS : [USER_TOKENS[1], USER_TOKENS[0]];
  const user = { authority: USER, source, destination };
  const args = { amount, otherAmountThreshold: 0n, sqrtPriceLimit: 0n, exactIn: true };
  succeed(swap(swapPool(pool, at), pool.tokens[aToB ? 0 : 1].mint, user, args));
}

const positionOfAccounts = ({ position }: LiquidityAccounts) => decodePosition(data(position.position));

describe('configurations and fee tiers', () => {
  const config = namedAddress('another config');

  it('are made by an admin and by the fee authority', () => {
    succeed(initializeConfig(config, ADMIN, USER, 1300));
    succeed(initializeFeeTier(config, USER, USER, 8, 500));
    expect(Buffer.from(data(config))).toEqual(
      Buffer.from(
        encodeWhirlpoolsConfig({
          ...{ feeAuthority: USER, collectProtocolFeesAuthority: USER },
          ...{ rewardEmissionsSuperAuthority: USER, defaultProtocolFeeRate: 1300, featureFlags: 0 },
        }),
      ),
    );
    expect(Buffer.from(data(feeTierAddress(config, 8)))).toEqual(
      Buffer.from(encodeFeeTier({ config, tickSpacing: 8, defaultFeeRate: 500 })),
    );
  });

  it('are refused to others and beyond the limits', () => {
    refuse(2003, initializeConfig(config, USER, USER, 1300));
    refuse(6029, initializeConfig(config, ADMIN, USER, 2501));
    refuse(2012, initializeFeeTier(CONFIG, ADMIN, ADMIN, 8, 500));
    refuse(6004, initializeFeeTier(CONFIG, USER, USER, 0, 500));
    refuse(6028, initializeFeeTier(CONFIG, USER, USER, 8, 60_001));
  });
});

describe('pools and tick arrays', () => {
  it('start as their fee tier says', () => {
    const price = sqrtPriceAtTick(-1234) + 5n;
    succeed(initializePool(CONFIG, pool, USER, SPACING, price));
    const { feeRate, protocolFeeRate, tick, sqrtPrice, liquidity, vaults, mints } = state();
    expect({ feeRate, protocolFeeRate, tick, sqrtPrice, liquidity }).toEqual({
      ...{ feeRate: 3000, protocolFeeRate: 1300, tick: -1234, sqrtPrice: price, liquidity: 0n },
    });
    expect(vaults).toEqual(pool.vaults);
    expect(mints).toEqual(pool.tokens.map(({ mint }) => mint));
    for (const vault of pool.vaults) expect(decodeTokenAccount(data(vault)).owner).toBe(pool.address);
  });

  it('take mints of Token-2022 by the newer instruction', () => {
    const fee = withTransferFee({ basisPoints: 100, maximumFee: 10n });
    pool = layOut(SPACING, [token('with fee', [fee]), token('plain')]);
    for (const each of pool.tokens) writeMint(network, each);
    succeed(initializePoolV2(CONFIG, pool, USER, SPACING, 1n << 64n));
    expect(state().tick).toBe(0);
    for (const vault of pool.vaults) expect(decodeTokenAccount(data(vault)).owner).toBe(pool.address);
  });

  it('are refused with mints, prices and tiers that do not fit', () => {
    const swapped = { ...pool, tokens: [pool.tokens[1], pool.tokens[0]] } as Pool;
    refuse(2006, initializePool(CONFIG, swapped, USER, SPACING, 1n << 64n));
    refuse(6011, initializePool(CONFIG, pool, USER, SPACING, 4_295_048_015n));
    refuse(6011, initializePool(CONFIG, pool, USER, SPACING, 79_226_673_515_401_279_992_447_579_056n));
    const paused = { type: 26, data: new Uint8Array(33) };
    const odd = layOut(SPACING, [token('pausable', [paused]), token('plain')]);
    for (const each of odd.tokens) writeMint(network, each);
    refuse(6047, initializePoolV2(CONFIG, odd, USER, SPACING, 1n << 64n));
  });

  it('have arrays at multiples of their span only, once', () => {
    createPool();
    refuse(6001, initializeTickArray(pool.address, USER, SPAN + SPACING));
    refuse(6001, initializeTickArray(pool.address, USER, SPAN * 100));
    refuse(0, initializeTickArray(pool.address, USER, SPAN));
    expect(decodeTickArray(data(tickArrayAddress(pool.address, -SPAN)), SPACING)).toEqual({
      ...{ whirlpool: pool.address, start: -SPAN, ticks: [] },
    });
  });
});

describe('positions', () => {
  beforeEach(() => createPool());

  it('belong to the holder of a token of which there is only one', () => {
    const { position } = open(-128, 128);
    expect(decodeMint(data(position.mint))).toMatchObject({ supply: 1n, decimals: 0, mintAuthority: null });
    expect(decodeTokenAccount(data(position.token))).toMatchObject({ owner: USER, amount: 1n });
    expect(decodePosition(data(position.position))).toMatchObject({
      ...{ whirlpool: pool.address, mint: position.mint, lowerTick: -128, upperTick: 128, liquidity: 0n },
    });
  });

  it('begin next to the price when one end is left open', () => {
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
      expect(decodeTickArray(data(tickArrayAddress(pool.address, start)), SPACING).ticks).toEqual([]);
    }
  });

  it('set and clear the net and gross liquidity of their ticks', () => {
    openWith(-640, 640, 5n);
    const second = openWith(640, 1280, 7n);
    const ticks = () => decodeTickArray(data(tickArrayAddress(pool.address, 0)), SPACING).ticks;
    expect(
      ticks().map(({ index, liquidityNet, liquidityGross }) => [index, liquidityNet, liquidityGross]),
    ).toEqual([
      [640, 2n, 12n],
      [1280, -7n, 7n],
    ]);
    succeed(changeLiquidity('decrease', second, 7n, [0n, 0n]));
    expect(ticks().map(({ index }) => index)).toEqual([640]);
  });

  it('keep to the limits of their owner and refuse what is not there', () => {
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

  it('obey their owner and nobody else', () => {
    const accounts = openWith(-640, 640);
    const thief = { ...accounts, position: { ...accounts.position, owner: ADMIN } };
    refuse(6019, changeLiquidity('decrease', thief, 1n, [0n, 0n]));
    refuse(6019, collectFees(thief));
    refuse(6019, closePosition(thief.position, ADMIN));
  });

  it('are closed only when empty, and then leave nothing behind', () => {
    const accounts = openWith(-640, 640);
    refuse(6005, closePosition(accounts.position, USER));
    succeed(changeLiquidity('decrease', accounts, LIQUIDITY, [0n, 0n]));
    succeed(closePosition(accounts.position, USER));
    expect(network.account(accounts.position.position)).toBeNull();
    expect(network.account(accounts.position.token)).toBeNull();
    expect(decodeMint(data(accounts.position.mint)).supply).toBe(0n);
  });
});

describe('fees', () => {
  beforeEach(() => createPool());

  it('go to the positions in range, by their liquidity, less the protocol’s share', () => {
    const wide = openWith(-SPAN, SPAN, 3n * LIQUIDITY);
    const narrow = openWith(-640, 640, LIQUIDITY);
    const away = openWith(640, 1280, LIQUIDITY);
    swapIn(1_000_000_000n);
    swapIn(1_000_000_000n, false);
    for (const each of [wide, narrow, away]) succeed(updateFees(each));
    const fee = 3_000_000n;
    const share = (fee - (fee * 1300n) / 10_000n) / 4n;
    // Each growth is floored, once per unit of liquidity and once per position.
    for (const [accounts, times] of [
      [wide, 3n],
      [narrow, 1n],
      [away, 0n],
    ] as const) {
      for (const owed of positionOfAccounts(accounts).feesOwed) {
        expect(owed).toBeLessThanOrEqual(share * times);
        expect(owed).toBeGreaterThanOrEqual(share * times - (times === 0n ? 0n : 1n));
      }
    }
    expect(state().protocolFeesOwed).toEqual([390_000n, 390_000n]);
  });

  it('stay with those who were in range when the price has left', () => {
    const narrow = openWith(-640, 640);
    openWith(-SPAN, SPAN);
    swapIn(100_000_000_000n);
    expect(state().tick).toBeLessThan(-640);
    succeed(updateFees(narrow));
    const { feesOwed } = positionOfAccounts(narrow);
    swapIn(1_000_000_000n);
    succeed(updateFees(narrow));
    expect(positionOfAccounts(narrow).feesOwed).toEqual(feesOwed);
    expect(feesOwed[0]).toBeGreaterThan(0n);
  });

  it('are paid out once', () => {
    const accounts = openWith(-640, 640);
    swapIn(1_000_000_000n);
    succeed(updateFees(accounts));
    const [owed] = positionOfAccounts(accounts).feesOwed;
    const [before] = balances();
    succeed(collectFees(accounts));
    expect(balances()[0]).toBe((before ?? 0n) + owed);
    expect(positionOfAccounts(accounts).feesOwed).toEqual([0n, 0n]);
    succeed(collectFees(accounts));
    expect(balances()[0]).toBe((before ?? 0n) + owed);
  });

  it('are not reckoned for a position without liquidity', () => {
    refuse(6012, updateFees(open(-640, 640)));
  });

  it('leave the vaults able to pay everyone, to within an atom per position and swap', () => {
    const accounts = [
      openWith(-640, 640),
      openWith(-SPAN, SPAN, 777_777_777_777n),
      openWith(-1280, -64, 5n * LIQUIDITY),
    ];
    for (const [amount, aToB] of [
      [40_000_000_000n, true],
      [90_000_000_000n, false],
      [1n, true],
    ] as const) {
      swapIn(amount, aToB);
    }
    const owedToProtocol = state().protocolFeesOwed;
    for (const each of accounts) {
      const { liquidity } = positionOfAccounts(each);
      succeed(changeLiquidity('decrease', each, liquidity, [0n, 0n]), collectFees(each));
      succeed(closePosition(each.position, USER));
    }
    for (const side of [0, 1] as const) {
      const left = network.tokenBalance(pool.vaults[side]) - owedToProtocol[side];
      expect(left).toBeGreaterThanOrEqual(0n);
      expect(left).toBeLessThan(20n);
    }
  });
});

describe('an instruction that is left out', () => {
  it('is refused by name, and any other as unknown', () => {
    createPool();
    const [known, unknown] = [tagOf('two_hop_swap'), Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)];
    for (const data of [known, unknown]) {
      const outcome = send({ ...updateFees(open(-640, 640)), data });
      expect(outcome.error?.custom).toBe(101);
      expect(outcome.logs.some((line) => line.endsWith('stand-in: two_hop_swap'))).toBe(data === known);
    }
  });
});
