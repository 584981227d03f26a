import { beforeEach, expect, it } from 'vitest';
import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import { DbcCollectFeeMode, DbcTokenType } from '../../../src/protocols/meteora-dbc/program/program.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { ordinaryTokenAccount } from '../../../src/testing/token-account.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { namedAddress } from '../../raydium-cpmm/tests/fixture.ts';
import { LEFTOVER_RECEIVER, SUPPLY } from './fixture.ts';
import {
  baseAccountOf,
  BUYER,
  buy,
  buyOut,
  callsAfterSale,
  done,
  errorOf,
  type Graduate,
  launchGraduate,
  openBaseAccount,
  prepareMigrations,
  PROGRAMS,
  readVirtualPool,
  sell,
  supplyOf,
  withAccount,
} from './migration-fixture.ts';

const network = openForEach(() => new TestNetwork(PROGRAMS));
beforeEach(() => prepareMigrations(network));

const UNIT = 1_000_000n;
const STRANGER = namedAddress('dbc stranger');

it.each([
  ['nothing of it is to be burned', 0n],
  ['a part of it is to be burned', 100_000n * UNIT],
])('the leftover of a fixed supply is paid when %s', (_, burned) => {
  const { preMigrationTokenSupply } = SUPPLY;
  const graduate = migrated({
    tokenSupply: { preMigrationTokenSupply, postMigrationTokenSupply: preMigrationTokenSupply - burned },
  });
  expect(supplyOf(network, graduate.keys.baseMint)).toBe(preMigrationTokenSupply - burned);
  const { baseVault } = graduate.keys;
  const before = network.tokenBalance(baseVault);
  done(network, callsAfterSale(graduate).withdraw_leftover);
  const pool = readVirtualPool(network, graduate);
  const owed = pool.partnerBaseFee + pool.protocolBaseFee + pool.protocolMigrationBaseFeeAmount;
  expect(owed).toBeGreaterThan(0n);
  expect(network.tokenBalance(baseVault)).toBe(owed);
  expect(network.tokenBalance(baseAccountOf(graduate, LEFTOVER_RECEIVER))).toBe(before - owed);
});

it('anybody may ask for it, once', () => {
  const { withdraw_leftover: call } = callsAfterSale(migrated());
  expect(call.accounts.some(({ role }) => role >= 2)).toBe(false);
  done(network, call);
  expect(errorOf(network, call)).toBe(6026);
});

it('there is none before the migration, and none of a supply that follows the curve', () => {
  const graduate = launchGraduate(network, { changes: { tokenSupply: SUPPLY } });
  const { withdraw_leftover: call } = callsAfterSale(graduate);
  expect(errorOf(network, call)).toBe(6022);
  buyOut(network, graduate);
  expect(errorOf(network, call)).toBe(6022);
  expect(errorOf(network, callsAfterSale(migrated({ tokenSupply: null }, 'free')).withdraw_leftover)).toBe(
    6022,
  );
});

it('it goes to the associated token account of the receiver alone', () => {
  const graduate = migrated();
  const { keys } = graduate;
  const { withdraw_leftover: call } = callsAfterSale(graduate);
  openBaseAccount(network, graduate, STRANGER);
  const second = namedAddress('dbc second account of the receiver');
  network.setData(
    second,
    keys.tokenBaseProgram,
    ordinaryTokenAccount({ mint: keys.baseMint, owner: LEFTOVER_RECEIVER, amount: 0n }),
  );
  expect(errorOf(network, withAccount(call, 3, baseAccountOf(graduate, STRANGER)))).toBe(2015);
  expect(errorOf(network, withAccount(call, 3, second))).toBe(2009);
  expect(errorOf(network, withAccount(call, 6, STRANGER))).toBe(2001);
});

it('wrong accounts are refused', () => {
  const graduate = migrated();
  const other = launchGraduate(network, { name: 'other', changes: { tokenSupply: SUPPLY } });
  const { withdraw_leftover: call } = callsAfterSale(graduate);
  for (const [at, account, error] of [
    [0, STRANGER, 2012],
    [1, other.keys.config, 2001],
    [2, other.keys.pool, 2001],
    [4, other.keys.baseVault, 2001],
    [5, other.keys.baseMint, 2001],
    [7, STRANGER, 3008],
    [8, STRANGER, 2006],
    [9, STRANGER, 2012],
  ] as const) {
    expect([at, errorOf(network, withAccount(call, at, account))]).toEqual([at, error]);
  }
});

/** A launch with fees in both tokens, which was bought, sold, sold out and migrated. */
function migrated(changes: Partial<DbcConfigParameters> = {}, name = 'launch'): Graduate {
  const graduate = launchGraduate(network, {
    name,
    changes: {
      tokenSupply: SUPPLY,
      tokenType: DbcTokenType.TOKEN_2022,
      collectFeeMode: DbcCollectFeeMode.OUTPUT_TOKEN,
      ...changes,
    },
  });
  done(network, buy(graduate, 100n * UNIT));
  done(network, sell(graduate, network.tokenBalance(baseAccountOf(graduate, BUYER)) / 2n));
  buyOut(network, graduate);
  done(network, callsAfterSale(graduate).migration_damm_v2);
  return graduate;
}
