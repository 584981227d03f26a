import fc from 'fast-check';
import {
  CREATOR,
  describeLaunch,
  LEFTOVER_RECEIVER,
  NOW,
  PARTNER,
  QUOTE,
  SLOT,
  setClock,
} from '../../../programs/meteora-dbc/tests/fixture.ts';
import {
  baseAccountOf,
  BUYER,
  buy,
  type callsAfterSale,
  describeGraduate,
  donate,
  type Graduate,
  openBaseAccount,
  openEscrow,
  quoteAccountOf,
  sell,
  supplyOf,
} from '../../../programs/meteora-dbc/tests/migration-fixture.ts';
import { writeTokenAccount } from '../../../programs/raydium-cpmm/tests/fixture.ts';
import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import type { DbcLiquidityVesting } from '../../../src/protocols/meteora-dbc/program/config-terms.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { minimum, U64_MAX } from '../../../src/solana/units.ts';
import type { Comparison } from '../comparison.ts';

/** A call after the sale of a launch. */
export type SoldStep = keyof ReturnType<typeof callsAfterSale>;

/** The calls in their right order. */
export const STEPS: readonly SoldStep[] = [
  'create_locker',
  'migration_damm_v2_create_metadata',
  'migration_damm_v2',
  'withdraw_leftover',
  'creator_withdraw_surplus',
  'partner_withdraw_surplus',
  'partner_withdraw_migration_fee',
  'creator_withdraw_migration_fee',
];

/** What happens to a launch. */
export interface SoldLife {
  readonly changes: DbcConfigParameters;
  /** Purchases before the last one, in thousandths of the threshold, and the part that is sold after each. */
  readonly trades: readonly (readonly [bought: bigint, sold: bigint])[];
  readonly donations: readonly [base: bigint, quote: bigint];
  /** The calls before those in the right order. */
  readonly order: readonly SoldStep[];
}

/** Lives of launches with these terms. */
export const soldLives = (terms: fc.Arbitrary<DbcConfigParameters>): fc.Arbitrary<SoldLife> =>
  fc.record({
    changes: terms,
    trades: fc.array(fc.tuple(fc.bigInt(1n, 600n), fc.bigInt(0n, 1_000n)), { maxLength: 3 }),
    donations: fc.oneof(
      fc.constant([0n, 0n] as const),
      fc.tuple(fc.bigInt(0n, 1n << 40n), fc.bigInt(0n, 1n << 40n)),
    ),
    order: fc.shuffledSubarray([...STEPS]),
  });

/**
 * Makes the vesting of liquidity at most 438,000 seconds long. That is the maximum of a build of DAMM v2 for local tests,
 * while that of the network is ten years.
 */
export function shortenVesting(terms: DbcConfigParameters): DbcConfigParameters {
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

/**
 * Launches and sells out in both networks, and compares what every transaction does. Returns null if the programs do not
 * take the random terms.
 */
export function sellOutLife(
  comparison: Comparison,
  { changes, trades, donations }: SoldLife,
  name: string,
): Graduate | null {
  const { networks } = comparison;
  // Nobody may trade before its activation, and no rent for launches is asked here.
  const terms = { ...changes, poolCreationFee: 0n };
  networks.both((network) => {
    setClock(network, { slot: SLOT, time: NOW });
    writeTokenAccount(network, quoteAccountOf(BUYER), BUYER, QUOTE, 2n * ALL);
  });
  const described = describeLaunch({ name, changes: terms });
  for (const each of described.instructions) comparison.add(networks.difference(each), { name, terms });
  if (networks.standIn.account(described.keys.pool) === null) return null;
  const launched = describeGraduate(described, name);
  networks.both((network) => {
    setClock(network, { slot: SLOT + 100_000n, time: NOW + 100_000n });
    for (const owner of [BUYER, PARTNER, CREATOR, LEFTOVER_RECEIVER])
      openBaseAccount(network, launched, owner);
    openEscrow(network, launched);
  });
  const trade = (instruction: Instruction) =>
    comparison.add(networks.difference(instruction), { name, terms, trades });
  for (const [bought, sold] of trades) {
    trade(buy(launched, (terms.migrationQuoteThreshold * bought) / 1_000n));
    const held = networks.standIn.tokenBalance(baseAccountOf(launched, BUYER));
    trade(sell(launched, (held * sold) / 1_000n));
  }
  trade(buy(launched, ALL));
  networks.both((network) => {
    const room = U64_MAX - supplyOf(network, launched.keys.baseMint);
    donate(network, launched, 'base', minimum(donations[0], room));
    donate(network, launched, 'quote', donations[1]);
  });
  return launched;
}

/** More than any curve raises. */
const ALL = 1n << 60n;
