import { beforeEach, expect, it } from 'vitest';
import { swapBaseInput } from '../../../src/protocols/raydium-cpmm/program/instructions.ts';
import {
  decodeObservationState,
  encodeObservationState,
  type ObservationState,
  type RaydiumSides,
} from '../../../src/protocols/raydium-cpmm/program/layout.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../../src/protocols/raydium-cpmm/program/program.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { type Pool, swapParties, writePool } from './fixture.ts';
import { openForEach } from '../../../src/testing/opened.ts';

let pool: Pool;
const network = openForEach(() => new TestNetwork(['raydium-cpmm']));
beforeEach(setUp);

it('starts the clock with the first swap, without a price', () => {
  swapAt(NOW);
  const state = observations();
  expect(state).toMatchObject({ initialized: true, index: 0, lastUpdateTimestamp: NOW });
  expect(state.observations[0]).toEqual({ timestamp: NOW, cumulativePrices: [0n, 0n] });
});

it('adds the price from before a swap, times the seconds since the last one, in place for 15 seconds', () => {
  swapAt(NOW);
  const first = swapAt(NOW + 4n);
  const second = swapAt(NOW + 14n);
  const state = observations();
  expect(state).toMatchObject({ index: 0, lastUpdateTimestamp: NOW + 14n });
  expect(state.observations[0]).toEqual({
    timestamp: NOW,
    cumulativePrices: [first[0] * 4n + second[0] * 10n, first[1] * 4n + second[1] * 10n],
  });
});

it('starts a new observation after 15 seconds, from the sums of the last', () => {
  swapAt(NOW);
  const first = swapAt(NOW + 10n);
  const second = swapAt(NOW + 15n);
  const state = observations();
  expect(state).toMatchObject({ index: 1, lastUpdateTimestamp: NOW + 15n });
  expect(state.observations[0]?.timestamp).toBe(NOW);
  expect(state.observations[1]).toEqual({
    timestamp: NOW + 15n,
    cumulativePrices: [first[0] * 10n + second[0] * 5n, first[1] * 10n + second[1] * 5n],
  });
});

it('adds nothing twice in one second', () => {
  swapAt(NOW);
  swapAt(NOW + 20n);
  const before = observations();
  swapAt(NOW + 20n);
  expect(observations()).toEqual(before);
});

it('continues in the first of its 100 places after the last', () => {
  const last = { timestamp: NOW - 20n, cumulativePrices: [7n, 8n] as const };
  const all = Array.from({ length: 100 }, () => last);
  write({ initialized: true, index: 99, lastUpdateTimestamp: NOW - 20n, observations: all });
  const prices = swapAt(NOW);
  const state = observations();
  expect(state.index).toBe(0);
  expect(state.observations[0]).toEqual({
    timestamp: NOW,
    cumulativePrices: [7n + prices[0] * 20n, 8n + prices[1] * 20n],
  });
});

it('lets its sums wrap around, so that differences stay correct', () => {
  const most = (1n << 128n) - 1n;
  const all = [{ timestamp: NOW - 20n, cumulativePrices: [most, most] as const }];
  write({ initialized: true, lastUpdateTimestamp: NOW - 20n, observations: all });
  const prices = swapAt(NOW);
  expect(observations().observations[1]?.cumulativePrices).toEqual([
    prices[0] * 20n - 1n,
    prices[1] * 20n - 1n,
  ]);
});

it('takes the last observation for the last update in accounts of earlier builds', () => {
  const all = [{ timestamp: NOW - 20n, cumulativePrices: [0n, 0n] as const }];
  write({ initialized: true, lastUpdateTimestamp: 0n, observations: all });
  const prices = swapAt(NOW);
  expect(observations().observations[1]?.cumulativePrices).toEqual([prices[0] * 20n, prices[1] * 20n]);
});

it('fails on an index that it does not have', () => {
  write({ initialized: true, index: 100 });
  const swap = swapBaseInput(pool.addresses, pool.addresses.mints[0], swapParties(pool, 0), 5000n, 0n);
  expect(network.send([swap]).error).toMatchObject({ kind: 'ProgramFailedToComplete' });
});

const NOW = 1_800_000_000n;
const Q32 = 1n << 32n;
const AMOUNTS: RaydiumSides<bigint> = [1_000_000n, 2_000_000n];

function setUp(): void {
  network.setUnixTime(NOW);
  pool = writePool(network, { vaultAmounts: AMOUNTS });
}

/** Swaps at a time and returns the prices that held before. */
function swapAt(time: bigint): RaydiumSides<bigint> {
  const [vault0, vault1] = pool.addresses.vaults.map((vault) => network.tokenBalance(vault)) as [
    bigint,
    bigint,
  ];
  const owed = fees();
  const reserves = [vault0 - owed[0], vault1 - owed[1]] as const;
  network.setUnixTime(time);
  const mint = pool.addresses.mints[0];
  const swap = swapBaseInput(pool.addresses, mint, swapParties(pool, 0), 5000n, 0n);
  expect(network.send([swap]).error).toBeNull();
  return [(reserves[1] * Q32) / reserves[0], (reserves[0] * Q32) / reserves[1]];
}

function fees(): RaydiumSides<bigint> {
  const data = Buffer.from(network.account(pool.addresses.address)?.data ?? []);
  return [341, 349].map(
    (at) => data.readBigUInt64LE(at) + data.readBigUInt64LE(at + 16),
  ) as unknown as RaydiumSides<bigint>;
}

function observations(): ObservationState {
  const account = network.account(pool.addresses.observation);
  if (account === null) throw new Error('the observation account is gone');
  return decodeObservationState(account.data);
}

function write(changed: Partial<ObservationState>): void {
  const data = encodeObservationState({ ...observations(), ...changed });
  network.setData(pool.addresses.observation, RAYDIUM_CPMM_PROGRAM, data);
}
