import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { routeV2 } from '../../../src/market/aggregator/route-v2.ts';
import type { DbcPoolKeys } from '../../../src/protocols/meteora-dbc/program/addresses.ts';
import {
  type DbcSwapParties,
  swap2Dbc,
  swapDbc,
} from '../../../src/protocols/meteora-dbc/program/instructions-swap.ts';
import {
  DbcBaseFeeMode,
  DbcSwapMode,
  METEORA_DBC_PROGRAM,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
import { meteoraDbc } from '../../../src/protocols/meteora-dbc/venue.ts';
import type { Address } from '../../../src/solana/address.ts';
import {
  type Instruction,
  readonly,
  writable,
  writableSigner,
} from '../../../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM, SYSVAR_INSTRUCTIONS } from '../../../src/solana/program-addresses.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { FORWARDER } from '../../../src/testing/svm/forwarder.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { NEEDS_TOOLCHAIN, ProgramCompiler, toolchain } from '../../../src/testing/svm/program-compiler.ts';
import { token, writeTokenAccount, writeWallet } from '../../raydium-cpmm/tests/fixture.ts';
import { launch, NOW, prepare, QUOTE, setClock, SLOT } from './fixture.ts';
import { readPool, USER, USER_TOKENS } from './swap-fixture.ts';

const network = openForEach(() => new TestNetwork(['meteora-dbc', 'token-metadata', 'aggregator']));

const UNIT = 1_000_000n;
const MULTIPLE = 6043;
/** A fee of 1 % for ten units, and one percent more for each further ten units, in the first minute. */
const LIMITER = {
  cliffFeeNumerator: 10_000_000n,
  firstFactor: 100,
  secondFactor: 60n,
  thirdFactor: 10n * UNIT,
  baseFeeMode: DbcBaseFeeMode.RATE_LIMITER,
};

let keys: DbcPoolKeys;
beforeEach(() => {
  prepare(network);
  const changes = { poolFees: { baseFee: LIMITER, dynamicFee: null } };
  keys = launch(network, { name: 'limited', changes }).keys;
  fund(keys);
});

describe('a purchase while the rate limiter is on', () => {
  it('pays a fee that rises with its amount', () => {
    done(buy(keys, 10n * UNIT));
    const first = readPool(network, keys.pool).metrics;
    expect(first.totalTradingQuoteFee + first.totalProtocolQuoteFee).toBe(UNIT / 10n);
    done(buy(keys, 40n * UNIT));
    const { metrics } = readPool(network, keys.pool);
    const fee = metrics.totalTradingQuoteFee + metrics.totalProtocolQuoteFee - UNIT / 10n;
    // The four parts of ten units pay 1 %, 2 %, 3 % and 4 %.
    expect(fee).toBe(UNIT);
  });

  it('must be shown the transaction', () => {
    expect(errorOf([buy(keys, UNIT, { showsInstructions: false })])).toBe(MULTIPLE);
    const { accounts, ...rest } = buy(keys, UNIT, { showsInstructions: false });
    const other = { ...rest, accounts: [...accounts, readonly(USER)] };
    expect(network.send([other]).error?.kind).toBe('UnsupportedSysvar');
    // The sysvar must be the first of the accounts that follow.
    const late = { ...rest, accounts: [...accounts, readonly(USER), readonly(SYSVAR_INSTRUCTIONS)] };
    expect(network.send([late]).error?.kind).toBe('UnsupportedSysvar');
  });

  it('cannot be split over a transaction', () => {
    expect(network.send([buy(keys, UNIT), buy(keys, UNIT)]).error).toMatchObject({
      instruction: 1,
      custom: MULTIPLE,
    });
    const v2 = { amount0: UNIT, amount1: U64_MAX, swapMode: DbcSwapMode.EXACT_OUT };
    const second = swap2Dbc(keys, partiesOf(true, { showsInstructions: true }), v2);
    expect(errorOf([buy(keys, UNIT), second])).toBe(MULTIPLE);
    expect(errorOf([second, idle(), buy(keys, UNIT)])).toBe(MULTIPLE);
  });

  it('cannot follow a sale in the transaction, though a sale can follow it', () => {
    done(buy(keys, 100n * UNIT));
    expect(errorOf([sell(keys, UNIT), buy(keys, UNIT)])).toBe(MULTIPLE);
    expect(errorOf([buy(keys, UNIT), sell(keys, UNIT), sell(keys, UNIT)])).toBeUndefined();
  });

  it('cannot follow anything of another program that names the pool', () => {
    expect(errorOf([idle(keys.pool), buy(keys, UNIT)])).toBe(MULTIPLE);
    expect(errorOf([buy(keys, UNIT), idle(keys.pool)])).toBeUndefined();
    expect(errorOf([idle(keys.config), buy(keys, UNIT)])).toBeUndefined();
  });

  it('can follow a purchase in another pool', () => {
    const changes = { poolFees: { baseFee: LIMITER, dynamicFee: null } };
    const other = launch(network, { name: 'another', changes }).keys;
    writeTokenAccount(network, OTHER_BASE, USER, { ...token('base'), mint: other.baseMint }, 0n);
    const purchase = buy(other, UNIT, { outputTokenAccount: OTHER_BASE });
    expect(errorOf([purchase, buy(keys, UNIT)])).toBeUndefined();
  });

  it('is limited through the last point of the duration, and free after it', () => {
    const twice = [buy(keys, UNIT), buy(keys, 2n * UNIT)];
    setClock(network, { slot: SLOT, time: NOW + 60n });
    expect(errorOf(twice)).toBe(MULTIPLE);
    setClock(network, { slot: SLOT, time: NOW + 61n });
    expect(errorOf(twice)).toBeUndefined();
    const before = readPool(network, keys.pool).metrics;
    done(buy(keys, 100n * UNIT, { showsInstructions: false }));
    const after = readPool(network, keys.pool).metrics;
    expect(after.totalTradingQuoteFee - before.totalTradingQuoteFee).toBe((UNIT * 4n) / 5n);
  });

  it('cannot pay less by asking for an exact output', () => {
    done(buy(keys, 40n * UNIT));
    const bought = network.tokenBalance(USER_TOKENS[0]);
    const limited = { poolFees: { baseFee: LIMITER, dynamicFee: null } };
    const twin = launch(network, { name: 'twin', changes: limited }).keys;
    fund(twin);
    const order = { amount0: bought, amount1: U64_MAX, swapMode: DbcSwapMode.EXACT_OUT };
    done(swap2Dbc(twin, partiesOf(true, { showsInstructions: true }), order));
    expect(1_000n * UNIT - network.tokenBalance(USER_TOKENS[1])).toBeGreaterThanOrEqual(40n * UNIT - 1n);
  });
});

describe('a purchase through the aggregator', () => {
  it('is executed once in a route, with the instructions sysvar', () => {
    const outcome = network.send([route(10n * UNIT, 1)]);
    expect(outcome.error, outcome.logs.join('\n')).toBeNull();
    expect(readPool(network, keys.pool).metrics.totalTradingQuoteFee).toBe((UNIT / 10n / 5n) * 4n);
  });

  it('cannot be split over the legs of a route', () => {
    expect(errorOf([route(10n * UNIT, 2)])).toBe(MULTIPLE);
  });

  it('cannot be split over routes, or over a route and a swap', () => {
    expect(errorOf([route(UNIT, 1), route(2n * UNIT, 1)])).toBe(MULTIPLE);
    expect(errorOf([route(UNIT, 1), buy(keys, UNIT)])).toBe(MULTIPLE);
    expect(errorOf([buy(keys, UNIT), route(UNIT, 1)])).toBe(MULTIPLE);
  });

  it('can be split once the limiter is off', () => {
    setClock(network, { slot: SLOT, time: NOW + 61n });
    expect(errorOf([route(10n * UNIT, 2), route(UNIT, 1), buy(keys, UNIT)])).toBeUndefined();
  });
});

describe.skipIf(toolchain === null)(`a purchase that another program calls (${NEEDS_TOOLCHAIN})`, () => {
  let elf: Uint8Array;
  beforeAll(async () => {
    const compiler = await ProgramCompiler.open();
    elf = await compiler.compile(FORWARDER);
    await compiler.close();
  });

  it('is executed if a top-level instruction calls it, and not deeper', () => {
    const programAddress = network.newAddress();
    network.loadProgram(programAddress, elf);
    const { accounts, data } = buy(keys, UNIT);
    const once = { programAddress, accounts: [...accounts, readonly(METEORA_DBC_PROGRAM)], data };
    const outcome = network.send([once]);
    expect(outcome.error, outcome.logs.join('\n')).toBeNull();
    const twice = { programAddress, accounts: [...once.accounts, readonly(programAddress)], data };
    expect(errorOf([twice])).toBe(MULTIPLE);
    // Without the limiter, the depth does not matter.
    setClock(network, { slot: SLOT, time: NOW + 61n });
    expect(errorOf([twice])).toBeUndefined();
  });
});

const OTHER_BASE = 'J6t7uRv2pYV6ZLmMyYnqvUUN6sGyQk5ZqUJ1J7bQ9yqP' as Address;

/** Gives the user a thousand units of the quote token, and an empty account of the base token. */
function fund({ baseMint, tokenBaseProgram }: DbcPoolKeys): void {
  const base = { ...token('base'), mint: baseMint, tokenProgram: tokenBaseProgram };
  writeWallet(network, USER);
  writeTokenAccount(network, USER_TOKENS[0], USER, base, 0n);
  writeTokenAccount(network, USER_TOKENS[1], USER, QUOTE, 1_000n * UNIT);
}

function partiesOf(isPurchase: boolean, more: Partial<DbcSwapParties> = {}): DbcSwapParties {
  const [base, quote] = USER_TOKENS;
  return isPurchase
    ? { payer: USER, inputTokenAccount: quote, outputTokenAccount: base, ...more }
    : { payer: USER, inputTokenAccount: base, outputTokenAccount: quote, ...more };
}

function buy(pool: DbcPoolKeys, amountIn: bigint, more: Partial<DbcSwapParties> = {}): Instruction {
  const parties = partiesOf(true, { showsInstructions: true, ...more });
  return swapDbc(pool, parties, { amountIn, minimumAmountOut: 0n });
}

function sell(pool: DbcPoolKeys, amountIn: bigint): Instruction {
  return swapDbc(pool, partiesOf(false), { amountIn, minimumAmountOut: 0n });
}

/** A transfer of nothing that names an account without using it. */
function idle(named?: Address): Instruction {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2, 0);
  const accounts = [writableSigner(USER), writable(USER)];
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: named === undefined ? accounts : [...accounts, readonly(named)],
    data,
  };
}

/** A route of the aggregator that buys through as many legs in the same pool. */
function route(inAmount: bigint, legs: number): Instruction {
  const pool = meteoraDbc.decode(keys.pool, (address) => network.account(address));
  if ('unusable' in pool) throw new Error(pool.unusable);
  const [base, quote] = USER_TOKENS;
  const step = meteoraDbc.routeStep(pool, keys.quoteMint, {
    authority: USER,
    source: quote,
    destination: base,
  });
  const placed = { step, bps: 10_000 / legs, inputIndex: 0, outputIndex: 1 };
  return routeV2(
    { inAmount, quotedOutAmount: 1n, slippageBps: 10_000, steps: Array.from({ length: legs }, () => placed) },
    {
      userTransferAuthority: USER,
      userSourceTokenAccount: quote,
      userDestinationTokenAccount: base,
      sourceMint: keys.quoteMint,
      destinationMint: keys.baseMint,
      sourceTokenProgram: keys.tokenQuoteProgram,
      destinationTokenProgram: keys.tokenBaseProgram,
    },
  );
}

function done(instruction: Instruction): void {
  const { error, logs } = network.send([instruction]);
  expect(error, logs.join('\n')).toBeNull();
}

const errorOf = (instructions: readonly Instruction[]) => network.send(instructions).error?.custom;
