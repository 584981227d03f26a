import type * as orca from '@orca-so/whirlpools-core';
import type { WhirlpoolSides } from '../../../src/protocols/whirlpool/program/layout.ts';
import { computeTickArrayStart } from '../../../src/protocols/whirlpool/program/tick-array.ts';
import { TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import {
  namedAddress,
  token,
  withTransferFee,
  writeMint,
  writeTokenAccount,
} from '../../raydium-cpmm/tests/fixture.ts';
import { CONFIG, layOut, type Pool, USER, USER_TOKENS } from './fixture.ts';
import { initializePoolV2, type LiquidityAccounts, positionOf } from './instructions.ts';
import { initializeDynamicTickArray, openPosition2022 } from './instructions-v2.ts';
import { balances, network, SPACING, SPAN, startOver, succeed } from './liquidity-world.ts';

const FEES = [
  { basisPoints: 137, maximumFee: 5_000_000n },
  { basisPoints: 10_000, maximumFee: 77n },
] as const;
export const PRICE = 1n << 64n;

export let made: Pool;
export let fees: WhirlpoolSides<orca.TransferFee>;
let opened = 0;

/**
 * Does the same as `startOver`, with a pool of tokens with transfer fees, and dynamic arrays around its price of 1.
 */
export function startOverWithFees(): void {
  startOver();
  made = layOut(SPACING, [
    token('with fee', [withTransferFee(FEES[0])]),
    token('other', [withTransferFee(FEES[1])]),
  ]);
  const ordered = made.tokens.map(({ mint }) => (mint === token('with fee').mint ? FEES[0] : FEES[1]));
  fees = ordered.map(({ basisPoints, maximumFee }) => ({ feeBps: basisPoints, maxFee: maximumFee })) as [
    orca.TransferFee,
    orca.TransferFee,
  ];
  for (const side of [0, 1] as const) {
    writeMint(network, made.tokens[side]);
    writeTokenAccount(network, USER_TOKENS[side], USER, made.tokens[side], 1n << 60n);
  }
  succeed(initializePoolV2(CONFIG, made, USER, SPACING, PRICE));
  for (const start of [-SPAN, 0, SPAN]) succeed(initializeDynamicTickArray(made.address, USER, start));
}

/** Returns a position of Token-2022 that is not open yet. */
export function fresh(lower: number, upper: number): LiquidityAccounts {
  const position = positionOf(namedAddress(`position 2022 ${opened++}`), USER, TOKEN_2022_PROGRAM);
  const arrays = [computeTickArrayStart(lower, SPACING), computeTickArrayStart(upper, SPACING)] as const;
  return { pool: made, position, user: USER_TOKENS, arrays };
}

export function open(lower: number, upper: number, withMetadata = true): LiquidityAccounts {
  const accounts = fresh(lower, upper);
  succeed(openPosition2022(made.address, USER, accounts.position, [lower, upper], withMetadata));
  return accounts;
}

/** Returns what the user paid for an action. A received amount is negative. */
export function paidFor(run: () => void): bigint[] {
  const before = balances();
  run();
  return balances().map((after, side) => (before[side] ?? 0n) - after);
}
