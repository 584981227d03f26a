import { beforeEach, expect, it } from 'vitest';
import { decodeVestingEscrow, LOCK_PROGRAM } from '../../../src/protocols/jupiter-lock/layout.ts';
import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import { deriveDbcLockerBaseAddress } from '../../../src/protocols/meteora-dbc/program/addresses.ts';
import {
  DbcMigrationProgress,
  DbcTokenType,
  METEORA_DBC_AUTHORITY,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { namedAddress, writeWallet } from '../../raydium-cpmm/tests/fixture.ts';
import { CREATOR, NOW } from './fixture.ts';
import {
  AUTHORITY_LAMPORTS,
  buyOut,
  callsAfterSale,
  dataOf,
  done,
  errorOf,
  type Graduate,
  launchGraduate,
  MIGRATOR,
  openEscrow,
  prepareMigrations,
  PROGRAMS,
  readVirtualPool,
  withAccount,
} from './migration-fixture.ts';

const network = openForEach(() => new TestNetwork(PROGRAMS));
beforeEach(() => prepareMigrations(network));

const UNIT = 1_000_000n;
const STRANGER = namedAddress('dbc stranger');
const LOCKED: Partial<DbcConfigParameters> = {
  lockedVesting: {
    amountPerPeriod: 1_000n * UNIT,
    cliffDurationFromMigrationTime: 60n,
    frequency: 30n,
    numberOfPeriod: 12n,
    cliffUnlockAmount: 500n * UNIT,
  },
};
const TOTAL = 12_500n * UNIT;

it.each([DbcTokenType.SPL_TOKEN, DbcTokenType.TOKEN_2022])(
  'the tokens that vest move into an escrow of the creator (token type %i)',
  (tokenType) => {
    const graduate = soldOut({ tokenType });
    const { keys, escrow, escrowTokens } = graduate;
    openEscrow(network, graduate);
    const before = network.tokenBalance(keys.baseVault);
    const payer = lamportsOf(MIGRATOR);
    done(network, callsAfterSale(graduate).create_locker);
    expect(before - network.tokenBalance(keys.baseVault)).toBe(TOTAL);
    expect(network.tokenBalance(escrowTokens)).toBe(TOTAL);
    expect(decodeVestingEscrow(dataOf(network, escrow))).toMatchObject({
      recipient: CREATOR,
      mint: keys.baseMint,
      creator: METEORA_DBC_AUTHORITY,
      base: deriveDbcLockerBaseAddress(keys.pool),
      cliffTime: NOW + 60n,
      frequency: 30n,
      cliffUnlockAmount: 500n * UNIT,
      amountPerPeriod: 1_000n * UNIT,
      periods: 12n,
      claimed: 0n,
      cancelledAt: 0n,
    });
    expect(readVirtualPool(network, graduate).migrationProgress).toBe(DbcMigrationProgress.LOCKED_VESTING);
    expect(payer - lamportsOf(MIGRATOR)).toBe(lamportsOf(escrow));
    expect(lamportsOf(METEORA_DBC_AUTHORITY)).toBe(AUTHORITY_LAMPORTS);
  },
);

it('tokens are locked once, and only between the sale and the migration', () => {
  const graduate = launchGraduate(network, { changes: LOCKED });
  const { create_locker: lock, migration_damm_v2: migrate } = callsAfterSale(graduate);
  openEscrow(network, graduate);
  expect(errorOf(network, lock)).toBe(6022);
  buyOut(network, graduate);
  expect(errorOf(network, migrate)).toBe(6022);
  done(network, lock);
  expect(errorOf(network, lock)).toBe(6022);
  done(network, migrate);
  expect(errorOf(network, lock)).toBe(6022);
});

it('a launch without tokens that vest has no escrow', () => {
  const graduate = launchGraduate(network);
  buyOut(network, graduate);
  openEscrow(network, graduate);
  expect(errorOf(network, callsAfterSale(graduate).create_locker)).toBe(6022);
});

it('the token account of the escrow must exist', () => {
  const graduate = soldOut();
  const { create_locker: call } = callsAfterSale(graduate);
  expect(errorOf(network, call)).toBe(3012);
  openEscrow(network, graduate);
  done(network, call);
});

it('lamports at the address of the escrow do not prevent it', () => {
  const graduate = soldOut();
  openEscrow(network, graduate);
  writeWallet(network, graduate.escrow, 900_000n);
  const { create_locker: call } = callsAfterSale(graduate);
  const payer = lamportsOf(MIGRATOR);
  done(network, call);
  expect(payer - lamportsOf(MIGRATOR)).toBe(lamportsOf(graduate.escrow) - 900_000n);
});

it('wrong accounts are refused', () => {
  const graduate = soldOut();
  const other = launchGraduate(network, { name: 'other', changes: LOCKED });
  for (const each of [graduate, other]) openEscrow(network, each);
  const { create_locker: call } = callsAfterSale(graduate);
  for (const [at, account, error] of [
    [0, other.keys.pool, 2001],
    [1, other.keys.config, 2001],
    [2, STRANGER, 2012],
    [3, other.keys.baseVault, 2001],
    [4, other.keys.baseMint, 2001],
    [5, deriveDbcLockerBaseAddress(other.keys.pool), 2006],
    [6, STRANGER, 2001],
    [7, other.escrow, 2006],
    [8, other.escrowTokens, 2015],
    [10, STRANGER, 3008],
    [11, STRANGER, 2012],
    [13, LOCK_PROGRAM, 3008],
  ] as const) {
    expect([at, errorOf(network, withAccount(call, at, account))]).toEqual([at, error]);
  }
});

function soldOut(changes: Partial<DbcConfigParameters> = {}): Graduate {
  const graduate = launchGraduate(network, { changes: { ...LOCKED, ...changes } });
  buyOut(network, graduate);
  return graduate;
}

function lamportsOf(address: Address): bigint {
  return network.account(address)?.lamports ?? 0n;
}
