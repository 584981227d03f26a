import { expect, it } from 'vitest';
import { addDynamicRate, computeDbcFeeRate, isLimiting } from '../../../src/protocols/meteora-dbc/fees.ts';
import type { MeteoraDbcPool } from '../../../src/protocols/meteora-dbc/pool.ts';
import { swap2Dbc } from '../../../src/protocols/meteora-dbc/program/instructions-swap.ts';
import { DbcCollectFeeMode, DbcSwapMode } from '../../../src/protocols/meteora-dbc/program/program.ts';
import {
  computeLimitedRate,
  computeLimitedRateWithoutFee,
} from '../../../src/protocols/meteora-dbc/program/rate-limiter.ts';
import { meteoraDbc } from '../../../src/protocols/meteora-dbc/venue.ts';
import type { Address } from '../../../src/solana/address.ts';
import { sampleCases } from '../../../src/testing/random.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { yieldToOtherWork } from '../../../src/testing/waits.ts';
import { setClock } from './fixture.ts';
import {
  type LaunchCase,
  layOut,
  readPool,
  USER_TOKENS,
  userParties,
  writeLaunch,
  writeUser,
} from './swap-fixture.ts';
import { HALF, launchCase, NOW, SLOT } from './swap-cases.ts';

const SUITE = { cases: 2_000, short: 300, seed: 20_261_129 };

it('a partial fill goes to the end of the curve, and leaves the rest of the input with the user', async () => {
  const network = new TestNetwork(['meteora-dbc']);
  setClock(network, { slot: SLOT, time: NOW });
  const launch = layOut('partial');
  const differences: unknown[] = [];
  let limited = 0;
  for (const [index, each] of sampleCases(launchCase, SUITE).entries()) {
    if (index % 200 === 0) await yieldToOtherWork();
    // The vault holds enough for a completion, so that nothing but the curve ends the swap.
    writeLaunch(network, launch, each, 1n << 62n);
    writeUser(network, launch, [0n, HALF]);
    const expected = expectEnd(network, each, launch.pool);
    if (expected === 'no end') continue;
    const instruction = swap2Dbc(launch, userParties(true, { showsInstructions: true }), {
      amount0: HALF,
      amount1: 0n,
      swapMode: DbcSwapMode.PARTIAL_FILL,
    });
    const { error } = network.send([instruction]);
    const moved = {
      input: HALF - network.tokenBalance(USER_TOKENS[1]),
      output: network.tokenBalance(USER_TOKENS[0]),
      price: readPool(network, launch.pool).sqrtPrice,
    };
    if (each.config.poolFees?.baseFee.baseFeeMode === 2) limited++;
    const found = error === null ? moved : null;
    if (show(found) !== show(expected)) differences.push({ found, expected, error, each });
  }
  expect(differences.slice(0, 3)).toEqual([]);
  expect(limited).toBeGreaterThan(SUITE.short / 10);
});

interface End {
  readonly input: bigint;
  readonly output: bigint;
  readonly price: bigint;
}

/**
 * Computes the purchase of all that is left; null if the program refuses it. With a high fee, no input reaches the end of
 * a large curve.
 */
function expectEnd(
  network: TestNetwork,
  { config, pool }: LaunchCase,
  address: Address,
): End | null | 'no end' {
  const state = meteoraDbc.decode(address, (each) => network.account(each));
  const [end, start] = [config.migrationSqrtPrice ?? 0n, config.sqrtStartPrice ?? 0n];
  if ('unusable' in state) return null;
  let [traded, gross, lower] = [0n, 0n, start];
  for (const { sqrtPrice, liquidity } of config.curve ?? []) {
    const from = (pool.sqrtPrice ?? 0n) > lower ? (pool.sqrtPrice ?? 0n) : lower;
    const to = sqrtPrice < end ? sqrtPrice : end;
    if (from < to) {
      traded += divideUp(liquidity * (to - from), 1n << 128n);
      gross += (liquidity * (to - from)) / (from * to);
    }
    lower = sqrtPrice;
  }
  const point = config.activationType === 0 ? SLOT : NOW;
  const onInput = config.collectFeeMode === DbcCollectFeeMode.QUOTE_TOKEN;
  const rateOfAll = computeRate(state, point, { withFee: HALF });
  if (rateOfAll === null) return null;
  if (onInput && HALF - divideUp(HALF * rateOfAll, DENOMINATOR) <= traded) return 'no end';
  const rate = onInput ? computeRate(state, point, { withoutFee: traded }) : rateOfAll;
  if (rate === null || gross > (pool.baseReserve ?? 0n)) return null;
  const input = onInput ? divideUp(traded * DENOMINATOR, DENOMINATOR - rate) : traded;
  const output = onInput ? gross : gross - divideUp(gross * rate, DENOMINATOR);
  return { input, output, price: end };
}

function computeRate(
  state: MeteoraDbcPool,
  point: bigint,
  amount: { readonly withFee: bigint } | { readonly withoutFee: bigint },
): bigint | null {
  const { limiter } = state.terms;
  if (limiter === null || !isLimiting(state, point)) return computeDbcFeeRate(state, point);
  const base =
    'withFee' in amount
      ? computeLimitedRate(limiter, amount.withFee)
      : computeLimitedRateWithoutFee(limiter, amount.withoutFee);
  return base === null ? null : addDynamicRate(state, base);
}

const DENOMINATOR = 1_000_000_000n;

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

const show = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
