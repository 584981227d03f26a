import { expect, it } from 'vitest';
import { LOCK_PROGRAM } from '../../../src/protocols/jupiter-lock/layout.ts';
import { deriveDbcLockerBaseAddress } from '../../../src/protocols/meteora-dbc/program/addresses.ts';
import { DbcTokenType, METEORA_DBC_AUTHORITY } from '../../../src/protocols/meteora-dbc/program/program.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { namedAddress, writeWallet } from '../../raydium-cpmm/tests/fixture.ts';
import { CREATOR, NOW } from './fixture.ts';
import { AUTHORITY_LAMPORTS, callsAfterSale, MIGRATOR } from './migration-fixture.ts';
import { MigrationRig } from './migration-rig.ts';

const rig = openForEach(() => new MigrationRig());

it.each([DbcTokenType.SPL_TOKEN, DbcTokenType.TOKEN_2022])(
  'the tokens that vest move into an escrow of the creator (token type %i)',
  (tokenType) => {
    const graduate = rig.soldOut({ ...LOCKED, tokenType });
    const { keys, escrow, escrowTokens } = graduate;
    rig.openEscrow(graduate);
    const before = rig.held(keys.baseVault);
    const payer = rig.lamportsOf(MIGRATOR);
    rig.done(callsAfterSale(graduate).create_locker);
    expect(before - rig.held(keys.baseVault)).toBe(TOTAL);
    expect(rig.held(escrowTokens)).toBe(TOTAL);
    expect(rig.escrowOf(graduate)).toMatchObject({
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
    expect(rig.progressOf(graduate)).toBe(2);
    expect(payer - rig.lamportsOf(MIGRATOR)).toBe(rig.lamportsOf(escrow));
    expect(rig.lamportsOf(METEORA_DBC_AUTHORITY)).toBe(AUTHORITY_LAMPORTS);
  },
);

it('tokens are locked once, and only between the sale and the migration', () => {
  const graduate = rig.launch(LOCKED);
  const { create_locker: lock, migration_damm_v2: migrate } = callsAfterSale(graduate);
  rig.openEscrow(graduate);
  expect(rig.errorOf(lock)).toBe(6022);
  rig.buyOut(graduate);
  expect(rig.errorOf(migrate)).toBe(6022);
  rig.done(lock);
  expect(rig.errorOf(lock)).toBe(6022);
  rig.done(migrate);
  expect(rig.errorOf(lock)).toBe(6022);
});

it('a launch without tokens that vest has no escrow', () => {
  const graduate = rig.soldOut();
  rig.openEscrow(graduate);
  expect(rig.errorOf(callsAfterSale(graduate).create_locker)).toBe(6022);
});

it('the token account of the escrow must exist', () => {
  const graduate = rig.soldOut(LOCKED);
  const { create_locker: call } = callsAfterSale(graduate);
  expect(rig.errorOf(call)).toBe(3012);
  rig.openEscrow(graduate);
  rig.done(call);
});

it('lamports at the address of the escrow do not prevent it', () => {
  const graduate = rig.soldOut(LOCKED);
  rig.openEscrow(graduate);
  writeWallet(rig.network, graduate.escrow, 900_000n);
  const { create_locker: call } = callsAfterSale(graduate);
  const payer = rig.lamportsOf(MIGRATOR);
  rig.done(call);
  expect(payer - rig.lamportsOf(MIGRATOR)).toBe(rig.lamportsOf(graduate.escrow) - 900_000n);
});

it('wrong accounts are refused', () => {
  const graduate = rig.soldOut(LOCKED);
  const other = rig.launch(LOCKED, 'other');
  for (const each of [graduate, other]) rig.openEscrow(each);
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
    expect([at, rig.errorWith(call, at, account)]).toEqual([at, error]);
  }
});

const UNIT = 1_000_000n;
const STRANGER = namedAddress('dbc stranger');
const LOCKED = {
  lockedVesting: {
    amountPerPeriod: 1_000n * UNIT,
    cliffDurationFromMigrationTime: 60n,
    frequency: 30n,
    numberOfPeriod: 12n,
    cliffUnlockAmount: 500n * UNIT,
  },
};
const TOTAL = 12_500n * UNIT;
