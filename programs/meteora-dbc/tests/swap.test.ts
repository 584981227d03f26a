import { beforeEach, describe, expect, it } from 'vitest';
import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import type { DbcPoolKeys } from '../../../src/protocols/meteora-dbc/program/addresses.ts';
import { swap2Dbc } from '../../../src/protocols/meteora-dbc/program/instructions-swap.ts';
import { decodeDbcConfig } from '../../../src/protocols/meteora-dbc/program/layout-config.ts';
import {
  DbcCollectFeeMode,
  DbcMigrationProgress,
  DbcSwapMode,
  DbcTokenType,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { namedAddress, writeTokenAccount } from '../../raydium-cpmm/tests/fixture.ts';
import { CURVE, launch, NOW, prepare, QUOTE, setClock, SLOT } from './fixture.ts';
import { baseOf, buy, fundUser, readPool, sell, USER, USER_TOKENS, userParties } from './swap-fixture.ts';

const network = openForEach(() => new TestNetwork(['meteora-dbc', 'token-metadata']));
beforeEach(() => prepare(network));

describe('a swap', () => {
  it('splits its fee between partner, creator, protocol and referrer', () => {
    const keys = open({ creatorTradingFeePercentage: 30 });
    done(buy(keys, 100n * UNIT, { referralTokenAccount: REFERRAL }));
    // The fee is 1 %, of which a fifth is the protocol's, and a fifth of that the referrer's.
    expect(readPool(network, keys.pool)).toMatchObject({
      quoteReserve: 99n * UNIT,
      creatorQuoteFee: 240_000n,
      partnerQuoteFee: 560_000n,
      protocolQuoteFee: 160_000n,
      metrics: { totalProtocolQuoteFee: 160_000n, totalTradingQuoteFee: 800_000n },
      hasSwap: 1,
    });
    expect(network.tokenBalance(REFERRAL)).toBe(40_000n);
    expect(network.tokenBalance(USER_TOKENS[1])).toBe(900n * UNIT);
  });

  it('pays what the curve is worth between two prices', () => {
    const keys = open();
    done(buy(keys, 100n * UNIT));
    const { sqrtPrice, baseReserve } = readPool(network, keys.pool);
    const [{ liquidity }] = CURVE as [(typeof CURVE)[0]];
    const start = (1n << 64n) / 1_000n;
    expect(sqrtPrice).toBe(start + ((99n * UNIT) << 128n) / liquidity);
    const bought = (liquidity * (sqrtPrice - start)) / (sqrtPrice * start);
    expect(network.tokenBalance(USER_TOKENS[0])).toBe(bought);
    expect(network.tokenBalance(keys.baseVault)).toBe(baseReserve);
    // What was bought is worth at most what was paid for it.
    done(sell(keys, bought));
    expect(readPool(network, keys.pool).quoteReserve).toBeLessThanOrEqual(2n);
  });

  it('takes its fee out of the base token if the configuration says so', () => {
    const keys = open({ collectFeeMode: DbcCollectFeeMode.OUTPUT_TOKEN });
    done(buy(keys, 100n * UNIT));
    const pool = readPool(network, keys.pool);
    const paid = network.tokenBalance(USER_TOKENS[0]);
    expect(pool.quoteReserve).toBe(100n * UNIT);
    expect(pool.partnerQuoteFee).toBe(0n);
    const fee = pool.partnerBaseFee + pool.protocolBaseFee;
    expect(fee).toBe((paid + fee + 99n) / 100n);
    expect(network.tokenBalance(keys.baseVault)).toBe(pool.baseReserve + fee);
  });

  it('is executed for tokens of Token-2022', () => {
    const keys = open({ tokenType: DbcTokenType.TOKEN_2022 });
    expect(keys.tokenBaseProgram).toBe(TOKEN_2022_PROGRAM);
    done(buy(keys, 100n * UNIT));
    done(sell(keys, network.tokenBalance(USER_TOKENS[0])));
    expect(network.tokenBalance(USER_TOKENS[0])).toBe(0n);
  });

  it('delivers an exact output', () => {
    const keys = open();
    done(
      swap2Dbc(keys, userParties(true), { amount0: UNIT, amount1: U64_MAX, swapMode: DbcSwapMode.EXACT_OUT }),
    );
    expect(network.tokenBalance(USER_TOKENS[0])).toBe(UNIT);
    const paid = 1_000n * UNIT - network.tokenBalance(USER_TOKENS[1]);
    expect(errorOf(exactOut(keys, paid - 1n))).toBe(6002);
  });

  it('is refused for an amount of zero, beyond its limit, and with an unknown mode', () => {
    const keys = open();
    const order = (amount0: bigint, amount1: bigint, swapMode: number) =>
      errorOf(swap2Dbc(keys, userParties(true), { amount0, amount1, swapMode }));
    expect(order(0n, 0n, DbcSwapMode.EXACT_IN)).toBe(6005);
    expect(order(UNIT, U64_MAX, DbcSwapMode.EXACT_IN)).toBe(6002);
    expect(order(UNIT, 0n, DbcSwapMode.EXACT_OUT)).toBe(6002);
    expect(order(UNIT, 0n, 3)).toBe(6006);
  });

  it('cannot pay more than was raised', () => {
    const keys = open();
    done(buy(keys, 100n * UNIT));
    const bought = network.tokenBalance(USER_TOKENS[0]);
    writeTokenAccount(network, USER_TOKENS[0], USER, baseOf(keys), 2n * bought);
    expect(errorOf(sell(keys, 2n * bought))).toBe(6033);
    const take = { amount0: 100n * UNIT, amount1: U64_MAX, swapMode: DbcSwapMode.EXACT_OUT };
    expect(errorOf(swap2Dbc(keys, userParties(false), take))).toBe(6033);
  });
});

describe('the end of the curve', () => {
  it('is reached with what was to be raised, after which nothing is traded', () => {
    const keys = open();
    expect(errorOf(buy(keys, 900n * UNIT))).toBe(6033);
    const outcome = network.send([fill(keys, 900n * UNIT)]);
    expect(outcome.error).toBeNull();
    expect(readPool(network, keys.pool)).toMatchObject({
      quoteReserve: 800n * UNIT,
      finishCurveTimestamp: NOW,
      migrationProgress: DbcMigrationProgress.LOCKED_VESTING,
    });
    // Ninety-nine hundredths of the input are traded.
    expect(1_000n * UNIT - network.tokenBalance(USER_TOKENS[1])).toBe((800n * UNIT * 100n + 98n) / 99n);
    // Two events of the swap, and the one of the end.
    expect(outcome.inner.flat().filter(({ program }) => program === DBC)).toHaveLength(3);
    for (const instruction of [buy(keys, UNIT), sell(keys, UNIT), fill(keys, UNIT)]) {
      expect(errorOf(instruction)).toBe(6013);
    }
  });

  it('waits for a locker if base tokens are vested', () => {
    const vesting = { amountPerPeriod: 1n, frequency: 60n, numberOfPeriod: 10n, cliffUnlockAmount: 5n };
    const keys = open({ lockedVesting: { ...vesting, cliffDurationFromMigrationTime: 0n } });
    done(fill(keys, 900n * UNIT));
    expect(readPool(network, keys.pool).migrationProgress).toBe(DbcMigrationProgress.POST_BONDING_CURVE);
  });

  it('is not reached if the vault does not hold what the migration needs', () => {
    const keys = open();
    const { data } = network.account(keys.config) ?? { data: new Uint8Array(0) };
    const { swapBaseAmount, migrationBaseThreshold } = decodeDbcConfig(data);
    const enough = swapBaseAmount + migrationBaseThreshold;
    writeTokenAccount(network, keys.baseVault, AUTHORITY, baseOf(keys), enough - 100n);
    expect(errorOf(fill(keys, 900n * UNIT))).toBe(6029);
    done(buy(keys, UNIT));
    writeTokenAccount(network, keys.baseVault, AUTHORITY, baseOf(keys), enough);
    done(fill(keys, 900n * UNIT));
  });

  it('is not passed by an exact output', () => {
    const keys = open();
    const { baseReserve } = readPool(network, keys.pool);
    const order = { amount0: baseReserve, amount1: U64_MAX, swapMode: DbcSwapMode.EXACT_OUT };
    expect([6033, 6047]).toContain(errorOf(swap2Dbc(keys, userParties(true), order)));
  });
});

describe('the accounts of a swap', () => {
  it('must belong to the pool and to each other', () => {
    const [keys, other] = [open(), launch(network, { name: 'other' }).keys];
    const swapIn = (wrong: Partial<DbcPoolKeys>) => errorOf(buy({ ...keys, ...wrong }, UNIT));
    expect(swapIn({})).toBeUndefined();
    expect(swapIn({ config: other.config })).toBe(2001);
    expect(swapIn({ baseVault: other.baseVault })).toBe(2001);
    expect(swapIn({ quoteVault: other.quoteVault })).toBe(2001);
    expect(swapIn({ baseMint: other.baseMint })).toBe(2014);
    expect(swapIn({ quoteMint: other.baseMint })).toBe(2014);
    expect(swapIn({ pool: keys.config })).toBe(3002);
    expect(swapIn({ config: keys.pool })).toBe(3002);
    expect(swapIn({ tokenBaseProgram: TOKEN_2022_PROGRAM })).toBe(2021);
    expect(swapIn({ tokenBaseProgram: DBC })).toBe(3008);
  });

  it('pay a referrer in the token of the fee only', () => {
    const keys = open();
    done(buy(keys, 100n * UNIT));
    const MINT_MISMATCH = 3;
    expect(errorOf(buy(keys, UNIT, { referralTokenAccount: USER_TOKENS[0] }))).toBe(MINT_MISMATCH);
    expect(errorOf(sell(keys, UNIT, { referralTokenAccount: USER_TOKENS[0] }))).toBe(MINT_MISMATCH);
    const { pool } = keys;
    expect(errorOf(buy(keys, UNIT, { referralTokenAccount: pool }))).toBe(3007);
  });

  it('are paid from by nobody but their owner', () => {
    const keys = open();
    done(buy(keys, 100n * UNIT));
    const thief = network.newWallet();
    const OWNER_MISMATCH = 4;
    expect(errorOf(buy(keys, UNIT, { payer: thief }))).toBe(OWNER_MISMATCH);
    expect(errorOf(buy(keys, UNIT, { payer: USER, inputTokenAccount: keys.quoteVault }))).toBe(
      OWNER_MISMATCH,
    );
  });

  it('do not let the pool be a party', () => {
    const keys = open();
    const { error } = network.send([buy(keys, UNIT, { payer: keys.pool })]);
    expect(error?.kind).toBe('AccountBorrowFailed');
  });

  it('let the vault be the referrer, who then earns nothing', () => {
    const keys = open();
    done(buy(keys, 100n * UNIT, { referralTokenAccount: keys.quoteVault }));
    const pool = readPool(network, keys.pool);
    const owned = pool.quoteReserve + pool.partnerQuoteFee + pool.protocolQuoteFee;
    expect(network.tokenBalance(keys.quoteVault)).toBe(owned + 40_000n);
  });
});

const UNIT = 1_000_000n;
const DBC = 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN' as Address;
const AUTHORITY = 'FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM' as Address;
const REFERRAL = namedAddress('dbc referrer');

/** Launches a token, and gives the user a thousand units of the quote token. */
function open(changes: Partial<DbcConfigParameters> = {}): DbcPoolKeys {
  const { keys } = launch(network, { changes });
  setClock(network, { slot: SLOT, time: NOW });
  fundUser(network, keys, QUOTE, 1_000n * UNIT);
  writeTokenAccount(network, REFERRAL, namedAddress('dbc owner of referrer'), QUOTE, 0n);
  return keys;
}

function fill(keys: DbcPoolKeys, amount0: bigint): Instruction {
  return swap2Dbc(keys, userParties(true), { amount0, amount1: 0n, swapMode: DbcSwapMode.PARTIAL_FILL });
}

function exactOut(keys: DbcPoolKeys, limit: bigint): Instruction {
  return swap2Dbc(keys, userParties(true), {
    amount0: UNIT,
    amount1: limit,
    swapMode: DbcSwapMode.EXACT_OUT,
  });
}

function done(instruction: Instruction): void {
  const { error, logs } = network.send([instruction]);
  expect(error, logs.join('\n')).toBeNull();
}

const errorOf = (instruction: Instruction) => network.send([instruction]).error?.custom;
