import { beforeEach, describe, expect, it } from 'vitest';
import { decodeDbcEvent } from '../../../src/protocols/meteora-dbc/program/events.ts';
import { transferDbcPoolCreator } from '../../../src/protocols/meteora-dbc/program/instructions-launch.ts';
import {
  decodeDbcConfig,
  encodeDbcConfig,
} from '../../../src/protocols/meteora-dbc/program/layout-config.ts';
import { decodeDbcPool, encodeDbcPool } from '../../../src/protocols/meteora-dbc/program/layout-pool.ts';
import {
  DbcMigrationOption,
  DbcMigrationProgress,
  METEORA_DBC_PROGRAM,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';
import { namedAddress, writeWallet } from '../../raydium-cpmm/tests/fixture.ts';
import { CREATOR, type Launch, launch, PARTNER, prepare } from './fixture.ts';

const network = openForEach(() => new TestNetwork(['meteora-dbc', 'token-metadata']));
beforeEach(() => prepare(network));

describe('transfer_pool_creator', () => {
  it('hands the pool to another wallet, which alone may hand it on', () => {
    const { keys } = launch(network);
    const before = decodeDbcPool(dataOf(keys.pool));
    const { inner } = done(transferDbcPoolCreator(keys, { creator: CREATOR, newCreator: HEIR }));
    expect(decodeDbcPool(dataOf(keys.pool))).toEqual({ ...before, creator: HEIR });
    expect(decodeDbcEvent(inner[0]?.[0]?.data ?? new Uint8Array(0))).toEqual({
      kind: 'creatorChanged',
      pool: keys.pool,
      creator: CREATOR,
      newCreator: HEIR,
    });
    expect(errorOf(transferDbcPoolCreator(keys, { creator: CREATOR, newCreator: PARTNER }))).toBe(6053);
    writeWallet(network, HEIR);
    done(transferDbcPoolCreator(keys, { creator: HEIR, newCreator: CREATOR }));
  });

  it('is refused to a thief, without a signature, and to the same wallet', () => {
    const { keys } = launch(network);
    const transfer = (creator: Address, newCreator: Address) =>
      transferDbcPoolCreator(keys, { creator, newCreator });
    expect(errorOf(transfer(PARTNER, HEIR))).toBe(6053);
    expect(errorOf(transfer(CREATOR, CREATOR))).toBe(6036);
    expect(errorOf(withAccount(transfer(CREATOR, HEIR), 2, { role: 0 }))).toBe(3010);
    expect(errorOf(withAccount(transfer(CREATOR, HEIR), 0, { role: 0 }))).toBe(2000);
  });

  it('is refused with the pool or the configuration of another launch, or of nobody', () => {
    const [mine, other] = [launch(network), launch(network, { name: 'other' })];
    const transfer = transferDbcPoolCreator(mine.keys, { creator: CREATOR, newCreator: HEIR });
    expect(errorOf(withAccount(transfer, 1, { address: other.keys.config }))).toBe(2001);
    expect(errorOf(withAccount(transfer, 0, { address: other.keys.config }))).toBe(3002);
    expect(errorOf(withAccount(transfer, 0, { address: HEIR }))).toBe(3007);
    network.setData(mine.keys.pool, HEIR, dataOf(mine.keys.pool));
    expect(errorOf(transfer)).toBe(3007);
  });

  it.each([
    ['before the curve is sold out', DbcMigrationProgress.PRE_BONDING_CURVE, null],
    ['not while it waits for the locker', DbcMigrationProgress.POST_BONDING_CURVE, 6022],
    ['not while it waits for the migration', DbcMigrationProgress.LOCKED_VESTING, 6022],
    ['after the migration', DbcMigrationProgress.CREATED_POOL, null],
    ['not at an unknown stage', 4, 6006],
  ])('is possible at its time: %s', (_, migrationProgress, error) => {
    const launched = launch(network);
    setProgress(launched, migrationProgress);
    const transfer = transferDbcPoolCreator(launched.keys, { creator: CREATOR, newCreator: HEIR });
    expect(errorOf(transfer)).toBe(error);
  });

  it('is left out for a pool that migrated to DAMM v1', () => {
    const launched = launch(network);
    const config = decodeDbcConfig(dataOf(launched.keys.config));
    const v1 = encodeDbcConfig({ ...config, migrationOption: DbcMigrationOption.DAMM_V1 });
    network.setData(launched.keys.config, METEORA_DBC_PROGRAM, v1);
    const transfer = transferDbcPoolCreator(launched.keys, { creator: CREATOR, newCreator: HEIR });
    expect(network.simulate([transfer]).error).toBeNull();
    setProgress(launched, DbcMigrationProgress.CREATED_POOL);
    expect(errorOf(transfer)).toBe(101);
  });
});

const HEIR = namedAddress('dbc heir');

function setProgress({ keys }: Launch, migrationProgress: number): void {
  const pool = { ...decodeDbcPool(dataOf(keys.pool)), migrationProgress };
  network.setData(keys.pool, METEORA_DBC_PROGRAM, encodeDbcPool(pool));
}

function done(instruction: Instruction): TestOutcome {
  const outcome = network.send([instruction]);
  expect(outcome.error, outcome.logs.join('\n')).toBeNull();
  return outcome;
}

/** The code of the program's refusal, or null after success. */
function errorOf(instruction: Instruction): number | null {
  const { error, logs } = network.send([instruction]);
  if (error === null) return null;
  expect(error.custom, `${JSON.stringify(error)}\n${logs.join('\n')}`).toBeDefined();
  return error.custom ?? null;
}

function withAccount(instruction: Instruction, index: number, change: object): Instruction {
  const accounts = instruction.accounts.map((each, i) => (i === index ? { ...each, ...change } : each));
  return { ...instruction, accounts };
}

function dataOf(address: Address): Uint8Array {
  return network.account(address)?.data ?? new Uint8Array(0);
}
