import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DbcPoolKeys } from '../../../src/protocols/meteora-dbc/program/addresses.ts';
import {
  type DbcSwapParties,
  swap2Dbc,
} from '../../../src/protocols/meteora-dbc/program/instructions-swap.ts';
import {
  DbcBaseFeeMode,
  DbcSwapMode,
  METEORA_DBC_PROGRAM,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
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
import { writeTokenAccount, writeWallet } from '../../raydium-cpmm/tests/fixture.ts';
import { launch, NOW, prepare, QUOTE, setClock, SLOT } from './fixture.ts';
import { baseOf, buy, fundUser, readPool, sell, USER, USER_TOKENS, userParties } from './swap-fixture.ts';
import { readState, routeOver } from './swap-routes.ts';

const network = openForEach(() => new TestNetwork(['meteora-dbc', 'token-metadata', 'aggregator']));

let keys: DbcPoolKeys;
beforeEach(() => {
  prepare(network);
  const changes = { poolFees: { baseFee: LIMITER, dynamicFee: null } };
  keys = launch(network, { name: 'limited', changes }).keys;
  writeWallet(network, USER);
  fundUser(network, keys, QUOTE, 1_000n * UNIT);
});

describe('a purchase while the rate limiter is on', () => {
  it('pays a fee that rises with its amount', () => {
    done(purchase(keys, 10n * UNIT));
    const first = readPool(network, keys.pool).metrics;
    expect(first.totalTradingQuoteFee + first.totalProtocolQuoteFee).toBe(UNIT / 10n);
    done(purchase(keys, 40n * UNIT));
    const { metrics } = readPool(network, keys.pool);
    const fee = metrics.totalTradingQuoteFee + metrics.totalProtocolQuoteFee - UNIT / 10n;
    // The four parts of ten units pay 1 %, 2 %, 3 % and 4 %.
    expect(fee).toBe(UNIT);
  });

  it('must be shown the transaction', () => {
    expect(errorOf([purchase(keys, UNIT, { showsInstructions: false })])).toBe(MULTIPLE);
    const { accounts, ...rest } = purchase(keys, UNIT, { showsInstructions: false });
    const other = { ...rest, accounts: [...accounts, readonly(USER)] };
    expect(network.send([other]).error?.kind).toBe('UnsupportedSysvar');
    // The sysvar must be the first of the accounts that follow.
    const late = { ...rest, accounts: [...accounts, readonly(USER), readonly(SYSVAR_INSTRUCTIONS)] };
    expect(network.send([late]).error?.kind).toBe('UnsupportedSysvar');
  });

  it('cannot be split over a transaction', () => {
    expect(network.send([purchase(keys, UNIT), purchase(keys, UNIT)]).error).toMatchObject({
      instruction: 1,
      custom: MULTIPLE,
    });
    const v2 = { amount0: UNIT, amount1: U64_MAX, swapMode: DbcSwapMode.EXACT_OUT };
    const second = swap2Dbc(keys, userParties(true, { showsInstructions: true }), v2);
    expect(errorOf([purchase(keys, UNIT), second])).toBe(MULTIPLE);
    expect(errorOf([second, idle(), purchase(keys, UNIT)])).toBe(MULTIPLE);
  });

  it('cannot follow a sale in the transaction, though a sale can follow it', () => {
    done(purchase(keys, 100n * UNIT));
    expect(errorOf([sell(keys, UNIT), purchase(keys, UNIT)])).toBe(MULTIPLE);
    expect(errorOf([purchase(keys, UNIT), sell(keys, UNIT), sell(keys, UNIT)])).toBeUndefined();
  });

  it('cannot follow anything of another program that names the pool', () => {
    expect(errorOf([idle(keys.pool), purchase(keys, UNIT)])).toBe(MULTIPLE);
    expect(errorOf([purchase(keys, UNIT), idle(keys.pool)])).toBeUndefined();
    expect(errorOf([idle(keys.config), purchase(keys, UNIT)])).toBeUndefined();
  });

  it('can follow a purchase in another pool', () => {
    const changes = { poolFees: { baseFee: LIMITER, dynamicFee: null } };
    const other = launch(network, { name: 'another', changes }).keys;
    writeTokenAccount(network, OTHER_BASE, USER, baseOf(other), 0n);
    const elsewhere = purchase(other, UNIT, { outputTokenAccount: OTHER_BASE });
    expect(errorOf([elsewhere, purchase(keys, UNIT)])).toBeUndefined();
  });

  it('is limited through the last point of the duration, and free after it', () => {
    const twice = [purchase(keys, UNIT), purchase(keys, 2n * UNIT)];
    setClock(network, { slot: SLOT, time: NOW + 60n });
    expect(errorOf(twice)).toBe(MULTIPLE);
    setClock(network, { slot: SLOT, time: NOW + 61n });
    expect(errorOf(twice)).toBeUndefined();
    const before = readPool(network, keys.pool).metrics;
    done(purchase(keys, 100n * UNIT, { showsInstructions: false }));
    const after = readPool(network, keys.pool).metrics;
    expect(after.totalTradingQuoteFee - before.totalTradingQuoteFee).toBe((UNIT * 4n) / 5n);
  });

  it('cannot pay less by asking for an exact output', () => {
    done(purchase(keys, 40n * UNIT));
    const bought = network.tokenBalance(USER_TOKENS[0]);
    const limited = { poolFees: { baseFee: LIMITER, dynamicFee: null } };
    const twin = launch(network, { name: 'twin', changes: limited }).keys;
    fundUser(network, twin, QUOTE, 1_000n * UNIT);
    const order = { amount0: bought, amount1: U64_MAX, swapMode: DbcSwapMode.EXACT_OUT };
    done(swap2Dbc(twin, userParties(true, { showsInstructions: true }), order));
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
    expect(errorOf([route(UNIT, 1), purchase(keys, UNIT)])).toBe(MULTIPLE);
    expect(errorOf([purchase(keys, UNIT), route(UNIT, 1)])).toBe(MULTIPLE);
  });

  it('can be split once the limiter is off', () => {
    setClock(network, { slot: SLOT, time: NOW + 61n });
    expect(errorOf([route(10n * UNIT, 2), route(UNIT, 1), purchase(keys, UNIT)])).toBeUndefined();
  });
});

describe.skipIf(toolchain === null)(`a swap that another program calls (${NEEDS_TOOLCHAIN})`, () => {
  let elf: Uint8Array;
  beforeAll(async () => {
    const compiler = await ProgramCompiler.open();
    elf = await compiler.compile(FORWARDER);
    await compiler.close();
  });

  it('is executed if a top-level instruction calls it, and not deeper', () => {
    const programAddress = network.newAddress();
    network.loadProgram(programAddress, elf);
    const { accounts, data } = purchase(keys, UNIT);
    const once = { programAddress, accounts: [...accounts, readonly(METEORA_DBC_PROGRAM)], data };
    const outcome = network.send([once]);
    expect(outcome.error, outcome.logs.join('\n')).toBeNull();
    const twice = { programAddress, accounts: [...once.accounts, readonly(programAddress)], data };
    expect(errorOf([twice])).toBe(MULTIPLE);
    // Without the limiter, the depth does not matter.
    setClock(network, { slot: SLOT, time: NOW + 61n });
    expect(errorOf([twice])).toBeUndefined();
  });

  it('is executed at any depth if it is a sale, also twice in a transaction', () => {
    const programAddress = network.newAddress();
    network.loadProgram(programAddress, elf);
    done(purchase(keys, 100n * UNIT));
    const { accounts, data } = sell(keys, UNIT);
    const sale = {
      programAddress,
      accounts: [...accounts, readonly(METEORA_DBC_PROGRAM), readonly(programAddress)],
      data,
    };
    expect(errorOf([sale, sale])).toBeUndefined();
  });
});

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
const OTHER_BASE = 'J6t7uRv2pYV6ZLmMyYnqvUUN6sGyQk5ZqUJ1J7bQ9yqP' as Address;

/** A purchase that is shown the transaction. */
function purchase(pool: DbcPoolKeys, amountIn: bigint, more: Partial<DbcSwapParties> = {}): Instruction {
  return buy(pool, amountIn, { showsInstructions: true, ...more });
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

/** A route of the aggregator that buys through as many legs in the pool. */
function route(inAmount: bigint, legs: number): Instruction {
  const shares = Array.from({ length: legs }, () => 10_000 / legs);
  return routeOver(readState(network, keys.pool), inAmount, { shares });
}

function done(instruction: Instruction): void {
  const { error, logs } = network.send([instruction]);
  expect(error, logs.join('\n')).toBeNull();
}

const errorOf = (instructions: readonly Instruction[]) => network.send(instructions).error?.custom;
