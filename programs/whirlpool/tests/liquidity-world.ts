import { expect } from 'vitest';
import { swap } from '../../../src/protocols/whirlpool/venue/instructions.ts';
import {
  decodePosition,
  decodeWhirlpool,
  encodeFeeTier,
  encodeWhirlpoolsConfig,
} from '../../../src/protocols/whirlpool/program/layout.ts';
import { deriveFeeTierAddress } from '../../../src/protocols/whirlpool/program/addresses.ts';
import { WHIRLPOOL_PROGRAM } from '../../../src/protocols/whirlpool/program/program.ts';
import { computeTickArrayStart } from '../../../src/protocols/whirlpool/program/tick-array.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';
import { namedAddress, writeMint, writeTokenAccount, writeWallet } from '../../raydium-cpmm/tests/fixture.ts';
import { CONFIG, layOut, type Pool, spanOf, swapPool, USER, USER_TOKENS } from './fixture.ts';
import {
  changeLiquidity,
  initializePool,
  initializeTickArray,
  type LiquidityAccounts,
  openPosition,
  positionOf,
} from './instructions.ts';

export const SPACING = 64;
export const SPAN = spanOf(SPACING);
export const ADMIN = 'GwH3Hiv5mACLX3ufTw1pFsrhSPon5tdw252DBs4Rx4PV' as Address;
export const LIQUIDITY = 1_000_000_000_000n;
const PLENTY = 1n << 60n;
export const NO_LIMITS = [U64_MAX, U64_MAX] as const;

export let network: TestNetwork;
export let pool: Pool;

/**
 * Starts a fresh network with a configuration, a fee tier and a user with large balances of both tokens, but no pool.
 */
export function startOver(): void {
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
}

function writeFeeTier(tickSpacing: number): void {
  const tier = encodeFeeTier({ config: CONFIG, tickSpacing, defaultFeeRate: 3000 });
  network.setData(deriveFeeTierAddress(CONFIG, tickSpacing), WHIRLPOOL_PROGRAM, tier);
}

export function send(...instructions: readonly Instruction[]): TestOutcome {
  return network.send(instructions);
}

export function succeed(...instructions: readonly Instruction[]): TestOutcome {
  const outcome = send(...instructions);
  expect(outcome.error, outcome.logs.join('\n')).toBeNull();
  return outcome;
}

export function refuse(code: number, ...instructions: readonly Instruction[]): void {
  const outcome = send(...instructions);
  expect(outcome.error?.custom, outcome.logs.join('\n')).toBe(code);
}

export const data = (address: Address): Uint8Array => network.account(address)?.data ?? new Uint8Array(0);
export const state = (of = pool) => decodeWhirlpool(data(of.address));
export const balances = () => USER_TOKENS.map((address) => network.tokenBalance(address));

/** Creates a pool with the three arrays around its price, which is 1 by default. */
export function createPool(sqrtPrice = 1n << 64n): void {
  succeed(initializePool(CONFIG, pool, USER, SPACING, sqrtPrice));
  for (const start of [-SPAN, 0, SPAN]) succeed(initializeTickArray(pool.address, USER, start));
}

let opened = 0;

/** Opens a position and returns the accounts of its instructions. */
export function open(lower: number, upper: number): LiquidityAccounts {
  const position = positionOf(namedAddress(`position ${opened++}`), USER);
  succeed(openPosition(pool.address, USER, position, lower, upper));
  const arrays = [computeTickArrayStart(lower, SPACING), computeTickArrayStart(upper, SPACING)] as const;
  return { pool, position, user: USER_TOKENS, arrays };
}

export function openWith(lower: number, upper: number, liquidity = LIQUIDITY): LiquidityAccounts {
  const accounts = open(lower, upper);
  succeed(changeLiquidity('increase', accounts, liquidity, NO_LIMITS));
  return accounts;
}

export function swapIn(amount: bigint, aToB = true): void {
  const { tick, tickSpacing } = state();
  const at = { tick, tickSpacing, feeRate: 0, protocolFeeRate: 0, sqrtPrice: 0n, ranges: [] };
  const [source, destination] = aToB ? USER_TOKENS : [USER_TOKENS[1], USER_TOKENS[0]];
  const user = { authority: USER, source, destination };
  const args = { amount, otherAmountThreshold: 0n, sqrtPriceLimit: 0n, exactIn: true };
  succeed(swap(swapPool(pool, at), pool.tokens[aToB ? 0 : 1].mint, user, args));
}

export const positionOfAccounts = ({ position }: LiquidityAccounts) =>
  decodePosition(data(position.position));
