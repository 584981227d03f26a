import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configCase } from '../../programs/meteora-dbc/tests/cases.ts';
import { extremeConfigCase } from '../../programs/meteora-dbc/tests/extreme-cases.ts';
import { CREATOR, launch, LEFTOVER_RECEIVER, PARTNER } from '../../programs/meteora-dbc/tests/fixture.ts';
import {
  baseAccountOf,
  BUYER,
  buy,
  callsAfterSale,
  describeGraduate,
  type Graduate,
  MIGRATOR,
  openBaseAccount,
  openEscrow,
  prepareMigrations,
  quoteAccountOf,
  readVirtualPool,
} from '../../programs/meteora-dbc/tests/migration-fixture.ts';
import { namedAddress } from '../../programs/raydium-cpmm/tests/fixture.ts';
import { LOCK_PROGRAM } from '../../src/protocols/jupiter-lock/layout.ts';
import { METEORA_DAMM_V2_PROGRAM } from '../../src/protocols/meteora-damm-v2/program/program.ts';
import type { DbcConfigParameters } from '../../src/protocols/meteora-dbc/program/config-parameters.ts';
import {
  DBC_MIGRATION_CONFIGS,
  METEORA_DBC_AUTHORITY,
  METEORA_DBC_PROGRAM,
} from '../../src/protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../src/solana/address.ts';
import {
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../src/solana/program-addresses.ts';
import { sampleCases } from '../../src/testing/random.ts';
import { yieldToOtherWork } from '../../src/testing/waits.ts';
import { Comparison, compareWrongAccounts, type ValidInstruction } from './comparison.ts';
import { STEPS, type SoldLife, sellOutLife, shortenVesting, soldLives } from './meteora-dbc/sold-lives.ts';
import { PUBLIC_PROGRAM, readDump, Twin } from './twin.ts';

const dump = readDump(METEORA_DBC_PROGRAM);
const others = [METEORA_DAMM_V2_PROGRAM, LOCK_PROGRAM].map(
  (address) => [address, readDump(address)] as const,
);

describe.skipIf(dump === null)('meteora-dbc and the public program, migrations', () => {
  it('end the same random lives alike', async () => {
    await compareLives('lives from the launch to the last withdrawal', twin(), soldLives(configCase));
  });

  it('end the same random lives alike at the lowest and at the highest prices', async () => {
    const name = 'lives at the extremes of price';
    const ends = await compareLives(name, twin(), soldLives(extremeConfigCase));
    for (const side of [ends.filter((price) => price < LOW), ends.filter((price) => price > HIGH)]) {
      expect(side.length).toBeGreaterThan(10);
    }
  });

  it.skipIf(others.some(([, each]) => each === null))(
    'end the same random lives alike among the public programs that they call',
    async () => {
      const terms = fc.oneof({ weight: 3, arbitrary: configCase }, extremeConfigCase).map(shortenVesting);
      await compareLives('lives, all programs public', twinOfAll(), soldLives(terms));
    },
  );

  it('refuse the same wrong accounts', async () => {
    const networks = twin();
    const comparison = new Comparison('migration instructions with wrong accounts', networks);
    await compareWrongAccounts(comparison, validInstructions(networks), (changed, name) =>
      name.includes('withdraw') ? networks.endDifference(changed) : networks.refusalDifference(changed),
    );
  });
});

const SEED = 20_261_129;
/** A thousandth of the way from either end of the range of root prices to one, in bits. */
const [LOW, HIGH] = [1n << 44n, 1n << 84n];

/** Returns the root prices at which launches migrated. */
async function compareLives(name: string, networks: Twin, lives: fc.Arbitrary<SoldLife>): Promise<bigint[]> {
  const comparison = new Comparison(name, networks);
  const suite = { cases: 150, seed: SEED, against: PUBLIC_PROGRAM };
  const prices: bigint[] = [];
  for (const [index, life] of sampleCases(lives, suite).entries()) {
    await yieldToOtherWork();
    const graduate = sellOutLife(comparison, life, `life ${index}`);
    if (graduate === null) continue;
    for (const step of [...life.order, ...STEPS, ...STEPS]) {
      comparison.add(networks.difference(callsAfterSale(graduate)[step]), { index, step, life });
    }
    const pool = readVirtualPool(networks.standIn, graduate);
    if (pool.isMigrated !== 0) prices.push(pool.sqrtPrice);
  }
  comparison.finish();
  process.stdout.write(`${prices.length} launches migrated\n`);
  expect(prices.length).toBeGreaterThan(40);
  return prices;
}

/** Both networks have the stand-ins of the programs that are called, so that only one program differs. */
function twin(): Twin {
  if (dump === null) throw new Error('no dump');
  const networks = new Twin('meteora-dbc', METEORA_DBC_PROGRAM, dump, { comparesCalls: true });
  networks.both((network) => {
    for (const name of ['token-metadata', 'meteora-damm-v2', 'locker']) network.loadShipped(name);
    prepareMigrations(network);
    network.setComputeUnits(1_400_000n);
  });
  return networks;
}

/** Of the two networks, one has stand-ins alone and the other public programs alone. */
function twinOfAll(): Twin {
  const networks = twin();
  for (const [address, each] of others) networks.publicBuild.loadProgram(address, each ?? new Uint8Array(0));
  return networks;
}

function validInstructions(networks: Twin): ValidInstruction[] {
  const [graduate, other] = ['valid', 'other'].map((name) => sellOut(networks, name, 0)) as [
    Graduate,
    Graduate,
  ];
  const locked = sellOut(networks, 'locked', 1);
  const finished = sellOut(networks, 'finished', 0);
  networks.send(callsAfterSale(finished).migration_damm_v2);
  const { keys, damm, migration } = other;
  const strangers: Address[] = [
    ...[SYSTEM_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM, MEMO_PROGRAM, METEORA_DBC_AUTHORITY],
    ...[keys.pool, keys.config, keys.baseMint, keys.quoteMint, keys.baseVault, keys.quoteVault],
    ...[damm.address, migration.firstPositionMint, DBC_MIGRATION_CONFIGS[3] as Address],
    ...[MIGRATOR, CREATOR, PARTNER, quoteAccountOf(CREATOR), baseAccountOf(other, PARTNER)],
    ...[locked.escrow, locked.escrowTokens, namedAddress('nobody')],
  ];
  const valid = callsAfterSale(graduate);
  return [
    ['create_locker', callsAfterSale(locked).create_locker, strangers],
    ['create_metadata', valid.migration_damm_v2_create_metadata, strangers],
    ['migration_damm_v2', valid.migration_damm_v2, strangers],
    ['withdraw_leftover', callsAfterSale(finished).withdraw_leftover, strangers],
    ['creator_withdraw_surplus', valid.creator_withdraw_surplus, strangers],
    ['partner_withdraw_surplus', valid.partner_withdraw_surplus, strangers],
    ['withdraw_migration_fee', valid.partner_withdraw_migration_fee, strangers],
  ];
}

function sellOut(networks: Twin, name: string, vested: 0 | 1): Graduate {
  const changes: Partial<DbcConfigParameters> = {
    tokenSupply: { preMigrationTokenSupply: 1n << 60n, postMigrationTokenSupply: 1n << 60n },
    ...(vested === 0
      ? {}
      : {
          lockedVesting: {
            amountPerPeriod: 1_000n,
            cliffDurationFromMigrationTime: 10n,
            frequency: 10n,
            numberOfPeriod: 5n,
            cliffUnlockAmount: 7n,
          },
        }),
  };
  let graduate: Graduate | undefined;
  networks.both((network) => {
    const launched = describeGraduate(launch(network, { name, changes }), name);
    for (const owner of [BUYER, PARTNER, CREATOR, LEFTOVER_RECEIVER])
      openBaseAccount(network, launched, owner);
    openEscrow(network, launched);
    network.send([buy(launched, 1n << 52n)]);
    graduate = launched;
  });
  if (graduate === undefined) throw new Error('nothing was launched');
  return graduate;
}
