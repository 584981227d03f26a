import { beforeEach, describe, expect, it } from 'vitest';
import { readChanges } from '../../../src/protocols/meteora-damm-v2/program/layout.ts';
import {
  deriveDammPositionAddress,
  deriveDammPositionTokenAddress,
} from '../../../src/protocols/meteora-damm-v2/program/addresses.ts';
import { METEORA_DAMM_V2_PROGRAM } from '../../../src/protocols/meteora-damm-v2/program/program.ts';
import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import { migrateDbcToDammV2 } from '../../../src/protocols/meteora-dbc/program/instructions-migration.ts';
import {
  DBC_MIGRATION_CONFIGS,
  DbcMigrationFeeOption,
  DbcTokenType,
  METEORA_DBC_AUTHORITY,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { initializePool } from '../../meteora-damm-v2/tests/instructions.ts';
import { namedAddress, writeTokenAccount, writeWallet } from '../../raydium-cpmm/tests/fixture.ts';
import { type DammConfigFields, writeDammConfig } from './damm-config.ts';
import { LEFTOVER_RECEIVER, NOW, QUOTE, SUPPLY } from './fixture.ts';
import {
  AUTHORITY_LAMPORTS,
  baseAccountOf,
  buyOut,
  callsAfterSale,
  dataOf,
  donate,
  done,
  errorOf,
  type Graduate,
  launchGraduate,
  MIGRATOR,
  openBaseAccount,
  prepareMigrations,
  PROGRAMS,
  readConfig,
  readVirtualPool,
  supplyOf,
  withAccount,
} from './migration-fixture.ts';
import { expectMigration } from './migration-model.ts';

const network = openForEach(() => new TestNetwork(PROGRAMS));
beforeEach(() => prepareMigrations(network));

const UNIT = 1_000_000n;
const STRANGER = namedAddress('dbc stranger');
const FIXED_SUPPLY: Partial<DbcConfigParameters> = { tokenSupply: SUPPLY };

describe('the configuration of the new pool', () => {
  it.each([
    ['of another fee option', { option: DbcMigrationFeeOption.FIXED_BPS_30 }, 6010],
    ['for other programs', { option: 0, authority: STRANGER }, 6024],
    ['for anybody', { option: 0, authority: '11111111111111111111111111111111' as Address }, 6024],
    ['with a vault that buys first', { option: 0, vaultBase: STRANGER }, 6024],
    ['with a fee that falls', { option: 0, periods: 3 }, 6024],
    ['with a fee by the price', { option: 0, mode: 3 }, 6024],
    ['with an unknown kind of fee', { option: 0, mode: 5 }, 6006],
    ['with a low end', { option: 0, sqrtMaxPrice: 1n << 90n }, 6024],
    ['with a high start', { option: 0, sqrtMinPrice: 1n << 40n }, 6024],
    ['that opens by slots', { option: 0, activationType: 0 }, 6024],
    ['without terms', { option: DbcMigrationFeeOption.CUSTOMIZABLE }, 6010],
  ] as [string, DammConfigFields, number][])('is refused %s', (_, fields, error) => {
    const graduate = soldOut();
    const dammConfig = namedAddress('dbc wrong configuration');
    writeDammConfig(network, dammConfig, fields);
    const parties = { ...graduate.migration, dammConfig };
    expect(errorOf(network, migrateDbcToDammV2(graduate.keys, parties))).toBe(error);
    done(network, callsAfterSale(graduate).migration_damm_v2);
  });

  it('is refused with terms of its own where the partner chose them', () => {
    const graduate = soldOut({
      migrationFeeOption: DbcMigrationFeeOption.CUSTOMIZABLE,
      migratedPoolFee: { collectFeeMode: 0, dynamicFee: 0, poolFeeBps: 120 },
    });
    const parties = { ...graduate.migration, dammConfig: DBC_MIGRATION_CONFIGS[0] as Address };
    // The error is that of DAMM v2.
    expect(errorOf(network, migrateDbcToDammV2(graduate.keys, parties))).toBe(6041);
  });

  it('must be given, and be one', () => {
    const { migration_damm_v2: call } = callsAfterSale(soldOut());
    expect(errorOf(network, { ...call, accounts: call.accounts.slice(0, -1) })).toBe(6030);
    expect(errorOf(network, withAccount(call, 25, STRANGER))).toBe(3007);
  });
});

describe('wrong accounts of a migration', () => {
  it.each([
    ['another configuration', 2, 3007],
    ['another authority', 3, 2012],
    ['another program in place of DAMM v2', 12, 2012],
    ['another base mint', 13, 2014],
    ['another quote mint', 14, 2014],
    ['another base vault', 17, 3012],
    ['another quote vault', 18, 3012],
    ['another token program', 22, 3008],
  ])('are refused: %s', (_, at, error) => {
    const { migration_damm_v2: call } = callsAfterSale(soldOut());
    expect(errorOf(network, withAccount(call, at, STRANGER))).toBe(error);
  });

  it('are refused if they are those of another launch', () => {
    const [graduate, other] = [soldOut(), launchGraduate(network, { name: 'other' })];
    const call = callsAfterSale(graduate).migration_damm_v2;
    for (const [at, account] of [
      [2, other.keys.config],
      [17, other.keys.baseVault],
      [18, other.keys.quoteVault],
    ] as const) {
      expect(errorOf(network, withAccount(call, at, account))).toBe(2001);
    }
    expect(errorOf(network, callsAfterSale(other).migration_damm_v2)).toBe(6022);
  });

  it('are refused if both positions have one mint', () => {
    const { keys, migration } = soldOut();
    const parties = { ...migration, secondPositionMint: migration.firstPositionMint };
    expect(errorOf(network, migrateDbcToDammV2(keys, parties))).toBe(2003);
  });

  it('are too few without the second position, except where one holds everything', () => {
    const halves = soldOut();
    const alone = { ...halves.migration, secondPositionMint: null };
    const failed = network.simulate([migrateDbcToDammV2(halves.keys, alone)]);
    expect(failed.error?.kind).toBe('ProgramFailedToComplete');
    expect(failed.logs.join('\n')).toContain('the liquidity needs a second position');
    const { keys, migration } = soldOut(
      { partnerPermanentLockedLiquidityPercentage: 0, creatorPermanentLockedLiquidityPercentage: 100 },
      'whole',
    );
    done(network, migrateDbcToDammV2(keys, { ...migration, secondPositionMint: null }));
  });
});

describe('what somebody sends before a migration', () => {
  it('base tokens to the vault are burned, and change neither price nor liquidity', () => {
    const [untouched, graduate] = [soldOut(), soldOut({}, 'given')];
    donate(network, graduate, 'base', 5_000n * UNIT);
    const supply = supplyOf(network, graduate.keys.baseMint);
    const expected = expectMigration(
      readConfig(network, graduate),
      readVirtualPool(network, graduate),
      network.tokenBalance(graduate.keys.baseVault),
      NOW,
    );
    for (const each of [untouched, graduate]) done(network, callsAfterSale(each).migration_damm_v2);
    expect(changesOf(graduate)).toEqual(changesOf(untouched));
    expect(supply - supplyOf(network, graduate.keys.baseMint)).toBe(expected.burned);
  });

  it('base tokens of a fixed supply go to the receiver of the leftover', () => {
    const [untouched, graduate] = [soldOut(FIXED_SUPPLY), soldOut(FIXED_SUPPLY, 'given')];
    donate(network, graduate, 'base', 5_000n * UNIT);
    for (const each of [untouched, graduate]) {
      done(network, callsAfterSale(each).migration_damm_v2);
      done(network, callsAfterSale(each).withdraw_leftover);
    }
    expect(changesOf(graduate)).toEqual(changesOf(untouched));
    const [left, given] = [untouched, graduate].map((each) =>
      network.tokenBalance(baseAccountOf(each, LEFTOVER_RECEIVER)),
    ) as [bigint, bigint];
    expect(given - left).toBe(5_000n * UNIT);
  });

  it('quote tokens to the vault stay there, and change neither price nor liquidity', () => {
    const [untouched, graduate] = [soldOut(), soldOut({}, 'given')];
    donate(network, graduate, 'quote', 5_000n * UNIT);
    for (const each of [untouched, graduate]) done(network, callsAfterSale(each).migration_damm_v2);
    expect(changesOf(graduate)).toEqual(changesOf(untouched));
    const [left, given] = [untouched, graduate].map(({ keys }) => network.tokenBalance(keys.quoteVault)) as [
      bigint,
      bigint,
    ];
    expect(given - left).toBe(5_000n * UNIT);
    expect(errorOf(network, callsAfterSale(graduate).partner_withdraw_surplus)).toBeUndefined();
  });

  it('lamports to every address of the new pool do not prevent it', () => {
    const graduate = soldOut();
    const { damm, migration } = graduate;
    const mints = [migration.firstPositionMint, migration.secondPositionMint as Address];
    for (const address of [
      ...[damm.address, ...damm.vaults, ...mints],
      ...mints.map(deriveDammPositionAddress),
      ...mints.map(deriveDammPositionTokenAddress),
    ]) {
      writeWallet(network, address, 900_000n);
    }
    done(network, callsAfterSale(graduate).migration_damm_v2);
    expect(network.account(METEORA_DBC_AUTHORITY)?.lamports).toBe(AUTHORITY_LAMPORTS);
  });
});

describe('a pool at the address of the new one', () => {
  it('cannot be made by anybody else, since its configuration is for the authority alone', () => {
    const graduate = soldOut();
    const { damm, migration } = graduate;
    writeWallet(network, STRANGER);
    const tokens = [baseAccountOf(graduate, STRANGER), namedAddress('dbc stranger quote')] as const;
    openBaseAccount(network, graduate, STRANGER);
    writeTokenAccount(network, tokens[1], STRANGER, QUOTE, UNIT);
    const squat = initializePool(
      damm,
      { owner: STRANGER, tokens, positionMint: namedAddress('dbc squat') },
      { config: migration.dammConfig, liquidity: 1n << 70n, sqrtPrice: 1n << 64n, activationPoint: null },
    );
    expect(errorOf(network, squat)).toBe(6009);
    done(network, callsAfterSale(graduate).migration_damm_v2);
  });

  it('stops the migration without a loss if it is there all the same', () => {
    const graduate = soldOut();
    network.setData(graduate.damm.address, METEORA_DAMM_V2_PROGRAM, new Uint8Array(1112));
    const before = [graduate.keys.baseVault, graduate.keys.quoteVault].map((vault) =>
      network.tokenBalance(vault),
    );
    expect(network.send([callsAfterSale(graduate).migration_damm_v2]).error).not.toBeNull();
    const after = [graduate.keys.baseVault, graduate.keys.quoteVault].map((vault) =>
      network.tokenBalance(vault),
    );
    expect(after).toEqual(before);
  });
});

describe('rents', () => {
  it('cannot be advanced by an authority without lamports, until somebody sends it some', () => {
    const graduate = soldOut();
    const { migration_damm_v2: call } = callsAfterSale(graduate);
    writeWallet(network, METEORA_DBC_AUTHORITY, 1_000_000n);
    expect(errorOf(network, call)).toBe(1);
    writeWallet(network, METEORA_DBC_AUTHORITY, AUTHORITY_LAMPORTS);
    done(network, call);
  });

  it('are not advanced for a payer who cannot pay them back', () => {
    const graduate = soldOut();
    writeWallet(network, MIGRATOR, 5_000_000n);
    expect(errorOf(network, callsAfterSale(graduate).migration_damm_v2)).toBe(1);
    expect(network.account(METEORA_DBC_AUTHORITY)?.lamports).toBe(AUTHORITY_LAMPORTS);
  });
});

it('the account of migration metadata is not created, and the event authority is checked', () => {
  const { migration_damm_v2_create_metadata: call } = callsAfterSale(soldOut());
  done(network, call);
  expect(network.account(call.accounts[2]?.address as Address)).toBeNull();
  expect(errorOf(network, withAccount(call, 5, STRANGER))).toBe(2006);
});

it('the token program of positions is Token-2022 alone', () => {
  const { migration_damm_v2: call } = callsAfterSale(soldOut({ tokenType: DbcTokenType.TOKEN_2022 }));
  expect(call.accounts[22]?.address).toBe(TOKEN_2022_PROGRAM);
  expect(errorOf(network, withAccount(call, 22, QUOTE.tokenProgram))).toBe(3008);
});

function soldOut(changes: Partial<DbcConfigParameters> = {}, name = 'launch'): Graduate {
  const graduate = launchGraduate(network, { name, changes });
  buyOut(network, graduate);
  return graduate;
}

function changesOf({ damm }: Graduate) {
  return readChanges(dataOf(network, damm.address));
}
