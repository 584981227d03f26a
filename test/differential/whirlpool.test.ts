import fc from 'fast-check';
import { describe, it } from 'vitest';
import { sampleCases } from '../../src/testing/random.ts';
import { token, withTransferFee, writeMint } from '../../programs/raydium-cpmm/tests/fixture.ts';
import {
  layOut,
  NO_REWARD,
  type Pool,
  swapPool,
  USER,
  USER_TOKENS,
  writeBalances,
  writePool,
} from '../../programs/whirlpool/tests/fixture.ts';
import { deriveWhirlpoolOracleAddress } from '../../src/protocols/whirlpool/program/addresses.ts';
import { swap, swapV2 } from '../../src/protocols/whirlpool/venue/instructions.ts';
import type { RewardInfo, WhirlpoolSides } from '../../src/protocols/whirlpool/program/layout.ts';
import { encodeOracle } from '../../src/protocols/whirlpool/program/oracle.ts';
import { WHIRLPOOL_PROGRAM } from '../../src/protocols/whirlpool/program/program.ts';
import { type Instruction, writable } from '../../src/solana/messages/instruction.ts';
import { U64_MAX } from '../../src/solana/units.ts';
import {
  type AdaptiveFeeCase,
  adaptiveFeeCase,
  type SwapCase,
  swapCase,
} from '../../src/testing/whirlpool/cases.ts';
import { Comparison, compareCases, compareWrongAccounts } from './comparison.ts';
import { PUBLIC_PROGRAM, readDump, Twin } from './twin.ts';
import { advance, lives, type Life, openLife, stepInstructions } from './whirlpool/lives.ts';
import { validInstructions } from './whirlpool/valid-instructions.ts';
import { yieldToOtherWork } from '../../src/testing/waits.ts';

const dump = readDump(WHIRLPOOL_PROGRAM);

describe.skipIf(dump === null)('whirlpool and the public program', () => {
  it('do the same in single swaps of pools of every kind', async () => {
    const networks = twin();
    const cases = sampleCases(limitedSwap, { cases: 4000, seed: SEED, against: PUBLIC_PROGRAM });
    await compareCases(new Comparison('single swaps', networks), cases, (each) =>
      networks.difference(swapOf(writeCase(networks, each), each)),
    );
  });

  it('do the same in single swaps of pools with adaptive fees', async () => {
    const networks = twin();
    // More than the network allows, so that neither ends before the other does.
    networks.both((network) => network.setComputeUnits(1_000_000_000n));
    const cases = sampleCases(adaptiveSwap, { cases: 2000, seed: SEED, against: PUBLIC_PROGRAM });
    await compareCases(new Comparison('single swaps with adaptive fees', networks), cases, (each) => {
      const pool = writeAdaptiveCase(networks, each);
      return networks.difference(withWritableOracle(swapOf(pool, each), pool));
    });
  });

  it('do the same through the lives of pools', async () => {
    const networks = twin();
    const comparison = new Comparison('steps in the lives of pools', networks);
    for (const [index, life] of sampleCases(lives, {
      cases: 60,
      seed: SEED,
      against: PUBLIC_PROGRAM,
    }).entries()) {
      await yieldToOtherWork();
      const running: Life = openLife(comparison, index, life);
      for (const [at, step] of life.steps.entries()) {
        advance(networks, NOW + BigInt(index * 1000 + at));
        for (const instruction of stepInstructions(networks, running, step)) {
          comparison.add(networks.difference(instruction), { pool: index, at, step });
        }
      }
    }
    comparison.finish();
  });

  it('refuse the same wrong accounts in the same way', async () => {
    const networks = twin();
    const comparison = new Comparison('instructions with wrong accounts', networks);
    await compareWrongAccounts(comparison, validInstructions(networks), (changed, name) =>
      // Builds since the end of 2025 check the accounts of these in another order than earlier ones.
      name.includes('crease_liquidity')
        ? networks.refusalDifference(changed)
        : networks.endDifference(changed),
    );
  });
});

const SEED = 20_261_123;
const NOW = 1_700_000_000n;

function twin(): Twin {
  if (dump === null) throw new Error('no dump');
  const networks = new Twin('whirlpool', WHIRLPOOL_PROGRAM, dump);
  networks.both((network) => {
    network.setUnixTime(NOW);
    network.setEpoch(5n);
  });
  return networks;
}

/** A swap with limits of price and amount, some of which it does not keep. */
interface LimitedSwap {
  readonly swap: SwapCase;
  readonly v2: boolean;
  readonly withFees: boolean;
  readonly threshold: bigint;
  /** In 2^16ths of the way from the price to nothing, or to twice the price; 0 is no limit. */
  readonly limit: bigint;
}

const limitedSwap: fc.Arbitrary<LimitedSwap> = fc.record({
  swap: swapCase,
  v2: fc.boolean(),
  withFees: fc.boolean(),
  threshold: fc.oneof(fc.constantFrom(0n, U64_MAX), fc.bigInt(0n, U64_MAX)),
  limit: fc.oneof({ weight: 3, arbitrary: fc.constant(0n) }, fc.bigInt(-0x4000n, 0xffffn)),
});

const FEES = [
  withTransferFee({ basisPoints: 137, maximumFee: 5_000_000n }),
  withTransferFee({ basisPoints: 10_000, maximumFee: 77n }),
] as const;

function tokensOf({ v2, withFees }: LimitedSwap): WhirlpoolSides<ReturnType<typeof token>> {
  if (!v2 || !withFees) return [token('plain 0'), token('plain 1')];
  return [token('with fee 0', [FEES[0]]), token('with fee 1', [FEES[1]])];
}

function writeCase(networks: Twin, each: LimitedSwap, feeTierIndex = each.swap.tickSpacing): Pool {
  const pool = layOut(feeTierIndex, tokensOf(each));
  const { aToB } = each.swap;
  networks.both((network) => {
    for (const one of pool.tokens) writeMint(network, one);
    const changes = { feeTierIndex, rewardsUpdatedAt: NOW - 100n, rewards: REWARDS };
    writePool(network, pool, each.swap, changes);
    writeBalances(network, pool, aToB ? [0n, U64_MAX] : [U64_MAX, 0n], aToB ? [U64_MAX, 0n] : [0n, U64_MAX]);
  });
  return pool;
}

function reward(name: string, emissionsPerSecond: bigint, growthGlobal: bigint): RewardInfo {
  const { mint } = token(name);
  return { mint, vault: mint, extension: new Uint8Array(32), emissionsPerSecond, growthGlobal };
}

/** One that grows, one that grows beyond what can be counted, and none. */
const REWARDS = [
  reward('reward', 1n << 70n, 7n),
  reward('reward', (1n << 128n) - 1n, (1n << 128n) - 5n),
  NO_REWARD,
] as const;

/** A swap in a pool whose fee follows volatility, most of which can be traded on already. */
interface AdaptiveSwap extends LimitedSwap {
  readonly fee: AdaptiveFeeCase;
  readonly opensIn: bigint;
}

const adaptiveSwap: fc.Arbitrary<AdaptiveSwap> = limitedSwap.chain((each) =>
  fc.record({
    swap: fc.constant(each.swap),
    v2: fc.boolean(),
    withFees: fc.constant(each.withFees),
    limit: fc.constant(each.limit),
    threshold: fc.constant(each.threshold),
    fee: adaptiveFeeCase(each.swap, NOW),
    opensIn: fc.oneof({ weight: 9, arbitrary: fc.constant(0n) }, fc.bigInt(-5n, 5n)),
  }),
);

function writeAdaptiveCase(networks: Twin, each: AdaptiveSwap): Pool {
  const feeTierIndex = each.swap.tickSpacing + 1;
  const pool = writeCase(networks, each, feeTierIndex);
  const oracle = { whirlpool: pool.address, tradeEnabledAt: NOW + each.opensIn, ...each.fee };
  const data = encodeOracle(oracle);
  networks.both((network) =>
    network.setData(deriveWhirlpoolOracleAddress(pool.address), WHIRLPOOL_PROGRAM, data),
  );
  return pool;
}

/** The plain instruction lists the oracle as read only, but writes it where there is one. */
function withWritableOracle(instruction: Instruction, pool: Pool): Instruction {
  const oracle = deriveWhirlpoolOracleAddress(pool.address);
  const accounts = instruction.accounts.map((each) => (each.address === oracle ? writable(oracle) : each));
  return { ...instruction, accounts };
}

function swapOf(pool: Pool, each: LimitedSwap): Instruction {
  const { aToB, exactIn, amount, sqrtPrice } = each.swap;
  const [source, destination] = aToB ? USER_TOKENS : [USER_TOKENS[1], USER_TOKENS[0]];
  const away = (sqrtPrice * each.limit) / 0x10000n;
  const limit = each.limit === 0n ? 0n : aToB ? sqrtPrice - away : sqrtPrice + away;
  return (each.v2 ? swapV2 : swap)(
    swapPool(pool, each.swap),
    pool.tokens[aToB ? 0 : 1].mint,
    { authority: USER, source, destination },
    { amount, exactIn, otherAmountThreshold: each.threshold, sqrtPriceLimit: limit },
  );
}
