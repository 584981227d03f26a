import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configCase } from '../../programs/meteora-dbc/tests/cases.ts';
import {
  CREATOR,
  launch,
  LEFTOVER_RECEIVER,
  NOW,
  PARTNER,
  SLOT,
  setClock,
} from '../../programs/meteora-dbc/tests/fixture.ts';
import {
  baseAccountOf,
  BUYER,
  buy,
  callsAfterSale,
  donate,
  describeGraduate,
  type Graduate,
  MIGRATOR,
  openBaseAccount,
  openEscrow,
  prepareMigrations,
  quoteAccountOf,
  readVirtualPool,
  sell,
  supplyOf,
} from '../../programs/meteora-dbc/tests/migration-fixture.ts';
import { namedAddress } from '../../programs/raydium-cpmm/tests/fixture.ts';
import { LOCK_PROGRAM } from '../../src/protocols/jupiter-lock/layout.ts';
import { METEORA_DAMM_V2_PROGRAM } from '../../src/protocols/meteora-damm-v2/program/program.ts';
import type { DbcConfigParameters } from '../../src/protocols/meteora-dbc/program/config-parameters.ts';
import type { DbcLiquidityVesting } from '../../src/protocols/meteora-dbc/program/config-terms.ts';
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
import { minimum, U64_MAX } from '../../src/solana/units.ts';
import { sampleCases } from '../../src/testing/random.ts';
import { yieldToOtherWork } from '../../src/testing/waits.ts';
import { Comparison, compareWrongAccounts, type ValidInstruction } from './comparison.ts';
import { PUBLIC_PROGRAM, readDump, Twin } from './twin.ts';

const dump = readDump(METEORA_DBC_PROGRAM);
const others = [METEORA_DAMM_V2_PROGRAM, LOCK_PROGRAM].map(
  (address) => [address, readDump(address)] as const,
);

describe.skipIf(dump === null)('meteora-dbc and the public program, migrations', () => {
  it('end the same random lives alike', async () => {
    await compareLives('steps after the sale of launches', twin());
  });

  it.skipIf(others.some(([, each]) => each === null))(
    'end the same random lives alike among the public programs that they call',
    async () => {
      await compareLives('steps after the sale of launches, all programs public', twinOfAll(), shorten);
    },
  );

  it('refuse the same wrong accounts', async () => {
    const networks = twin();
    const comparison = new Comparison('migration instructions with wrong accounts', networks);
    await compareWrongAccounts(comparison, validInstructions(networks), (changed) =>
      networks.refusalDifference(changed),
    );
  });
});

const SEED = 20_261_129;

type Step = keyof ReturnType<typeof callsAfterSale>;

const STEPS: readonly Step[] = [
  'create_locker',
  'migration_damm_v2_create_metadata',
  'migration_damm_v2',
  'withdraw_leftover',
  'creator_withdraw_surplus',
  'partner_withdraw_surplus',
  'partner_withdraw_migration_fee',
  'creator_withdraw_migration_fee',
];

interface Life {
  readonly changes: DbcConfigParameters;
  /** Purchases before the last one, in thousandths of the threshold, and the part that is sold after each. */
  readonly trades: readonly (readonly [bought: bigint, sold: bigint])[];
  readonly donations: readonly [base: bigint, quote: bigint];
  /** The calls before those in the right order. */
  readonly order: readonly Step[];
}

const lives: fc.Arbitrary<Life> = fc.record({
  changes: configCase,
  trades: fc.array(fc.tuple(fc.bigInt(1n, 600n), fc.bigInt(0n, 1_000n)), { maxLength: 3 }),
  donations: fc.oneof(
    fc.constant([0n, 0n] as const),
    fc.tuple(fc.bigInt(0n, 1n << 40n), fc.bigInt(0n, 1n << 40n)),
  ),
  order: fc.shuffledSubarray([...STEPS]),
});

async function compareLives(
  name: string,
  networks: Twin,
  change: (terms: DbcConfigParameters) => DbcConfigParameters = (terms) => terms,
): Promise<void> {
  const comparison = new Comparison(name, networks);
  const suite = { cases: 150, seed: SEED, against: PUBLIC_PROGRAM };
  let migrated = 0;
  for (const [index, each] of sampleCases(lives, suite).entries()) {
    await yieldToOtherWork();
    const life = { ...each, changes: change(each.changes) };
    const graduate = live(networks, life, `life ${index}`);
    if (graduate === null) continue;
    for (const step of [...life.order, ...STEPS, ...STEPS]) {
      comparison.add(networks.difference(callsAfterSale(graduate)[step]), { index, step, life });
    }
    migrated += readVirtualPool(networks.standIn, graduate).isMigrated;
  }
  comparison.finish();
  expect(migrated).toBeGreaterThan(50);
}

/**
 * Makes the vesting of liquidity at most 438,000 seconds long. That is the maximum of a build of DAMM v2 for local tests,
 * while that of the network is ten years.
 */
function shorten(terms: DbcConfigParameters): DbcConfigParameters {
  const shortened = (vesting: DbcLiquidityVesting): DbcLiquidityVesting =>
    vesting.vestingPercentage === 0
      ? vesting
      : {
          ...vesting,
          cliffDurationFromMigrationTime: 90_000 + (vesting.cliffDurationFromMigrationTime % 100_000),
          frequency: vesting.frequency === 0 ? 0 : 1 + (vesting.frequency % 2_000),
        };
  return {
    ...terms,
    partnerLiquidityVestingInfo: shortened(terms.partnerLiquidityVestingInfo),
    creatorLiquidityVestingInfo: shortened(terms.creatorLiquidityVestingInfo),
  };
}

/** Launches and sells out in both networks. Returns null if the program does not take the random terms. */
function live(networks: Twin, { changes, trades, donations }: Life, name: string): Graduate | null {
  // Nobody may trade before its activation, and no rent for launches is asked here.
  const terms = { ...changes, poolCreationFee: 0n };
  networks.both((network) => setClock(network, { slot: SLOT, time: NOW }));
  let graduate: Graduate | null = null;
  networks.both((network) => {
    try {
      graduate = describeGraduate(launch(network, { name, changes: terms }), name);
    } catch {
      graduate = null;
    }
  });
  const launched = graduate as Graduate | null;
  if (launched === null) return null;
  networks.both((network) => {
    setClock(network, { slot: SLOT + 100_000n, time: NOW + 100_000n });
    for (const owner of [BUYER, PARTNER, CREATOR, LEFTOVER_RECEIVER])
      openBaseAccount(network, launched, owner);
    openEscrow(network, launched);
    for (const [bought, sold] of trades) {
      network.send([buy(launched, (terms.migrationQuoteThreshold * bought) / 1_000n)]);
      const held = network.tokenBalance(baseAccountOf(launched, BUYER));
      network.send([sell(launched, (held * sold) / 1_000n)]);
    }
    network.send([buy(launched, ALL)]);
    const room = U64_MAX - supplyOf(network, launched.keys.baseMint);
    donate(network, launched, 'base', minimum(donations[0], room));
    donate(network, launched, 'quote', donations[1]);
  });
  return launched;
}

/** More than any curve raises. */
const ALL = 1n << 52n;

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
    network.send([buy(launched, ALL)]);
    graduate = launched;
  });
  if (graduate === undefined) throw new Error('nothing was launched');
  return graduate;
}
