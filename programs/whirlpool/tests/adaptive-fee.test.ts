import { beforeEach, describe, expect, it } from 'vitest';
import { deriveWhirlpoolOracleAddress } from '../../../src/protocols/whirlpool/program/addresses.ts';
import { whirlpool } from '../../../src/protocols/whirlpool/venue.ts';
import { swap, swapV2 } from '../../../src/protocols/whirlpool/venue/instructions.ts';
import { decodeWhirlpool } from '../../../src/protocols/whirlpool/program/layout.ts';
import {
  type AdaptiveFeeConstants,
  type AdaptiveFeeVariables,
  decodeOracle,
  encodeOracle,
  type Oracle,
} from '../../../src/protocols/whirlpool/program/oracle.ts';
import { WHIRLPOOL_PROGRAM } from '../../../src/protocols/whirlpool/program/program.ts';
import { TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import type { PoolCase } from '../../../src/testing/whirlpool/cases.ts';
import { token, writeMint } from '../../raydium-cpmm/tests/fixture.ts';
import { layOut, type Pool, swapPool, USER, USER_TOKENS, writeBalances, writePool } from './fixture.ts';
import { openForEach } from '../../../src/testing/opened.ts';

let pool: Pool;
/** The case at the pool's present price. */
let at: PoolCase;
const network = openForEach(() => new TestNetwork(['whirlpool']));
beforeEach(setUp);

describe('an adaptive fee', () => {
  it('rises with the square of the tick groups that a swap crosses, and remembers them', () => {
    expect(swapAt(NOW, false, SMALL).rate).toBe(3_000);
    expect(variables()).toEqual({ ...UNUSED, referenceUpdatedAt: NOW });
    const { group, rate } = swapAt(NOW + 5n, false, LARGE);
    expect(group).toBeGreaterThan(10);
    // The surcharge of the last group is (group × 64)² × 0.04 of a millionth; the first group has none.
    expect(rate).toBeGreaterThan(3_000);
    expect(rate).toBeLessThan(3_000 + (group * GROUP) ** 2 * 0.04);
    expect(variables()).toEqual({
      referenceUpdatedAt: NOW,
      majorSwapAt: NOW + 5n,
      volatilityReference: 0,
      tickGroupReference: 0,
      volatility: group * 10_000,
    });
  });

  it('keeps its reference within the filter period, decays after it, and forgets', () => {
    const { group } = swapAt(NOW, false, LARGE);
    const dear = 3_000 + Math.ceil((group * GROUP) ** 2 * 0.04);
    expect(Math.abs(swapAt(NOW + 29n, false, SMALL).rate - dear)).toBeLessThan(2);
    expect(variables()).toMatchObject({ tickGroupReference: 0, volatilityReference: 0, majorSwapAt: NOW });
    const half = 3_000 + Math.ceil(((group / 2) * GROUP) ** 2 * 0.04);
    expect(Math.abs(swapAt(NOW + 30n, false, SMALL).rate - half)).toBeLessThan(2);
    expect(variables()).toEqual({
      tickGroupReference: group,
      volatilityReference: group * 5_000,
      volatility: group * 5_000,
      referenceUpdatedAt: NOW + 30n,
      majorSwapAt: NOW,
    });
    expect(swapAt(NOW + 630n, false, SMALL).rate).toBe(3_000);
    expect(variables()).toMatchObject({ volatilityReference: 0, referenceUpdatedAt: NOW + 630n });
  });

  it('forgets a reference after an hour of swaps that keep it alive', () => {
    const busy = { ...UNUSED, referenceUpdatedAt: NOW - 3_600n, majorSwapAt: NOW - 1n, volatility: 350_000 };
    writeOracle({ variables: { ...busy, volatilityReference: 350_000 } });
    expect(swapAt(NOW, true, SMALL).rate).toBeGreaterThan(20_000);
    expect(swapAt(NOW + 1n, true, SMALL).rate).toBe(3_000);
  });

  it('is a tenth at most', () => {
    const constants = { ...CONSTANTS, controlFactor: 99_999, maxVolatility: 3_000_000 };
    writeOracle({
      constants,
      variables: { ...UNUSED, referenceUpdatedAt: NOW, volatilityReference: 3_000_000 },
    });
    expect(swapAt(NOW, true, SMALL).rate).toBe(100_000);
  });

  it('is what is quoted, swap after swap', () => {
    let now = NOW;
    for (const [step, seconds] of [0n, 3n, 31n, 1n, 700n, 5n, 40n, 2n].entries()) {
      now += seconds;
      const amount = SMALL * BigInt(1 + ((step * 37) % 60));
      const aToB = step % 3 === 0;
      const state = whirlpool.decode(pool.address, (address) => network.account(address));
      if ('unusable' in state) throw new Error(state.unusable);
      const clock = { slot: 0n, epoch: 0n, unixTimestamp: now };
      const quote = whirlpool.quoteExactIn(state, pool.tokens[aToB ? 0 : 1].mint, amount, clock);
      const before = network.tokenBalance(USER_TOKENS[aToB ? 1 : 0]);
      swapAt(now, aToB, amount);
      expect(network.tokenBalance(USER_TOKENS[aToB ? 1 : 0]) - before).toBe(quote?.outAmount);
    }
  });
});

describe('a pool with an adaptive fee', () => {
  it.each([
    ['before its time', () => writeOracle({ tradeEnabledAt: NOW + 1n }), 6064],
    [
      'when the clock has gone back',
      () => writeOracle({ variables: { ...UNUSED, majorSwapAt: NOW + 1n } }),
      6022,
    ],
    ['with an oracle of another program', () => change(TOKEN_PROGRAM, new Uint8Array(254)), 3007],
    ['with another account in its place', () => change(WHIRLPOOL_PROGRAM, new Uint8Array(254)), 3002],
  ] as const)('refuses to swap %s', (_, prepare, code) => {
    network.setUnixTime(NOW);
    prepare();
    expect(send(true, SMALL).error).toMatchObject({ custom: code });
  });

  it('needs the oracle to be writable', () => {
    network.setUnixTime(NOW);
    expect(send(true, SMALL, swap).error).toMatchObject({ custom: 3006 });
  });

  it('is not quoted before its time', () => {
    writeOracle({ tradeEnabledAt: NOW + 1n });
    const state = whirlpool.decode(pool.address, (address) => network.account(address));
    if ('unusable' in state) throw new Error(state.unusable);
    const quoteAt = (unixTimestamp: bigint) =>
      whirlpool.quoteExactIn(state, pool.tokens[0].mint, SMALL, { slot: 0n, epoch: 0n, unixTimestamp });
    expect(quoteAt(NOW)).toBeNull();
    expect(quoteAt(NOW + 1n)?.outAmount).toBeLessThan(U64_MAX);
  });

  function change(owner: typeof TOKEN_PROGRAM, data: Uint8Array): void {
    network.setData(deriveWhirlpoolOracleAddress(pool.address), owner, data);
  }
});

const NOW = 1_700_000_000n;
const GROUP = 64;
const SOME = 1n << 62n;

/** Liquidity around price 1, in a range that suffices for all swaps here. */
const AT: PoolCase = {
  tickSpacing: GROUP,
  feeRate: 3000,
  protocolFeeRate: 1300,
  tick: 10,
  sqrtPrice: (1n << 64n) + (1n << 53n),
  ranges: [{ lower: -11_264, upper: 11_264, liquidity: 1_000_000_000_000n }],
};
const CONSTANTS: AdaptiveFeeConstants = {
  filterPeriod: 30,
  decayPeriod: 600,
  reductionFactor: 5_000,
  controlFactor: 4_000,
  maxVolatility: 350_000,
  tickGroupSize: GROUP,
  majorSwapTicks: GROUP,
};
const UNUSED: AdaptiveFeeVariables = {
  referenceUpdatedAt: 0n,
  majorSwapAt: 0n,
  volatilityReference: 0,
  tickGroupReference: 0,
  volatility: 0,
};

function setUp(): void {
  const tier = GROUP + 1;
  pool = layOut(tier, [token('one'), token('two')]);
  for (const each of pool.tokens) writeMint(network, each);
  writePool(network, pool, AT, { feeTierIndex: tier });
  writeBalances(network, pool, [SOME, SOME], [SOME, SOME]);
  at = AT;
  writeOracle({});
}

function writeOracle(changes: Partial<Oracle>): void {
  const oracle = { whirlpool: pool.address, tradeEnabledAt: 0n, constants: CONSTANTS, variables: UNUSED };
  network.setData(
    deriveWhirlpoolOracleAddress(pool.address),
    WHIRLPOOL_PROGRAM,
    encodeOracle({ ...oracle, ...changes }),
  );
}

function variables(): AdaptiveFeeVariables {
  return decodeOracle(network.account(deriveWhirlpoolOracleAddress(pool.address))?.data ?? new Uint8Array(0))
    .variables;
}

function send(aToB: boolean, amount: bigint, form = swapV2) {
  const [source, destination] = aToB ? USER_TOKENS : ([USER_TOKENS[1], USER_TOKENS[0]] as const);
  return network.send([
    form(
      swapPool(pool, at),
      pool.tokens[aToB ? 0 : 1].mint,
      { authority: USER, source, destination },
      { amount, exactIn: true, sqrtPriceLimit: 0n, otherAmountThreshold: 0n },
    ),
  ]);
}

/** Swaps at a time. Returns the number of crossed ticks and the fee rate in millionths. */
function swapAt(now: bigint, aToB: boolean, amount: bigint) {
  network.setUnixTime(now);
  const outcome = send(aToB, amount);
  expect(outcome.error, outcome.logs.join('\n')).toBeNull();
  const { tick, sqrtPrice } = decodeWhirlpool(network.account(pool.address)?.data ?? new Uint8Array(0));
  at = { ...at, tick, sqrtPrice };
  const line = outcome.logs.find((each) => each.startsWith('Program data: ')) ?? '';
  const event = Buffer.from(line.slice('Program data: '.length), 'base64');
  const fee = event.readBigUInt64LE(105) + event.readBigUInt64LE(113);
  return { group: Math.floor(tick / GROUP), rate: Number((fee * 1_000_000n) / amount) };
}

/** An amount that moves the price by about 5 ticks at liquidity 10^12 and price 1. */
const SMALL = 250_000_000n;
const LARGE = 60_000_000_000n;
