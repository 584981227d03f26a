import { expect } from 'vitest';
import { deriveDammPositionAddress } from '../../../src/protocols/meteora-damm-v2/program/addresses.ts';
import {
  BaseFeeMode,
  CollectFeeMode,
  type DammSides,
  readChanges,
} from '../../../src/protocols/meteora-damm-v2/program/layout.ts';
import { MAX_SQRT_PRICE, MIN_SQRT_PRICE } from '../../../src/protocols/meteora-damm-v2/program/program.ts';
import {
  type DammPosition,
  decodeDammPosition,
} from '../../../src/protocols/meteora-damm-v2/positions/layout.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import type { TestNetwork } from '../../../src/testing/svm/network.ts';
import { namedAddress, writeMint, writeTokenAccount, writeWallet } from '../../raydium-cpmm/tests/fixture.ts';
import { layOut, setClock, USER, USER_TOKENS } from './fixture.ts';
import {
  addLiquidity,
  type CustomPoolTerms,
  createPosition,
  initializeCustomizablePool,
  type PositionParties,
} from './instructions.ts';

/** The time of the networks in which pools are funded. */
export const NOW = 1_800_000_000n;
export const UNIT = 1_000_000_000n;
/** A thousand units of each token at a price of one. */
export const LIQUIDITY = (1_000n * UNIT) << 64n;
export const MOST = [U64_MAX, U64_MAX] as const;
export const LEAST = [0n, 0n] as const;

/** A pool over the whole range with a fee of 1%. */
export const TERMS: CustomPoolTerms = {
  baseFee: { cliff: 10_000_000n, mode: BaseFeeMode.TIME_LINEAR, periods: 0, middle: 0n, last: 0n },
  compoundingBps: 0,
  dynamicFee: null,
  hasAlphaVault: false,
  collectFeeMode: CollectFeeMode.TOKEN_B,
  sqrtMinPrice: MIN_SQRT_PRICE,
  sqrtMaxPrice: MAX_SQRT_PRICE,
  sqrtPrice: 1n << 64n,
  liquidity: LIQUIDITY,
  activationType: 1,
  activationPoint: null,
};

export const pool = layOut();

/** Returns the parties of a position of the user. */
export function positionOf(name: string): PositionParties {
  return { owner: USER, tokens: USER_TOKENS, positionMint: namedAddress(`damm ${name}`) };
}

export const [first, second] = [positionOf('first'), positionOf('second')];

/** Gives the user ten thousand units of each token. */
export function fundUser(network: TestNetwork): void {
  setTime(network, NOW);
  writeWallet(network, USER);
  for (const side of [0, 1] as const) {
    writeMint(network, pool.tokens[side]);
    writeTokenAccount(network, USER_TOKENS[side], USER, pool.tokens[side], 10_000n * UNIT);
  }
}

/** Makes the pool with two positions of the user, each with half of the liquidity. */
export function makePool(network: TestNetwork): void {
  fundUser(network);
  run(network, initializeCustomizablePool(pool, first, TERMS));
  run(network, createPosition(pool, second));
  run(network, addLiquidity(pool, second, LIQUIDITY, MOST));
}

export function setTime(network: TestNetwork, time: bigint): void {
  setClock(network, { slot: 1000n, time, epoch: 0n });
}

/** Sends an instruction that must succeed. */
export function run(network: TestNetwork, instruction: Instruction): void {
  const { error, logs } = network.send([instruction]);
  expect(error, logs.join('\n')).toBeNull();
}

/** Sends an instruction, and returns the program's code with which it failed; undefined if it succeeded. */
export function codeOf(network: TestNetwork, instruction: Instruction): number | undefined {
  return network.send([instruction]).error?.custom;
}

export function readDammPosition(network: TestNetwork, { positionMint }: PositionParties): DammPosition {
  return decodeDammPosition(dataOf(network, deriveDammPositionAddress(positionMint)));
}

export function dataOf(network: TestNetwork, address: Address): Uint8Array {
  return network.account(address)?.data ?? new Uint8Array(0);
}

/** Returns the user's tokens, which are all that the vaults do not hold. */
export function userHolds(network: TestNetwork): DammSides<bigint> {
  return [network.tokenBalance(USER_TOKENS[0]), network.tokenBalance(USER_TOKENS[1])];
}

/** Holds that no atom is lost: the vaults have what the user lacks, and cover the reserves and the protocol's fees. */
export function expectEveryAtom(network: TestNetwork): void {
  const { amounts } = readChanges(dataOf(network, pool.address));
  const data = new DataView(Uint8Array.from(dataOf(network, pool.address)).buffer);
  const held = userHolds(network);
  for (const side of [0, 1] as const) {
    const vault = network.tokenBalance(pool.vaults[side]);
    expect(held[side] + vault).toBe(10_000n * UNIT);
    expect(vault).toBeGreaterThanOrEqual(amounts[side] + data.getBigUint64(392 + 8 * side, true));
  }
}
