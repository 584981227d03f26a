import { beforeEach, describe, expect, it } from 'vitest';
import { decodeTerms, readChanges } from '../../../src/protocols/meteora-damm-v2/program/layout.ts';
import { swap } from '../../../src/protocols/meteora-damm-v2/instructions.ts';
import {
  DbcMigrationProgress,
  METEORA_DBC_AUTHORITY,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { type Instruction, isWritable } from '../../../src/solana/messages/instruction.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { CREATOR, LEFTOVER_RECEIVER, NOW, PARTNER } from './fixture.ts';
import {
  AUTHORITY_LAMPORTS,
  baseAccountOf,
  BUYER,
  buy,
  buyOut,
  callsAfterSale,
  dataOf,
  done,
  errorOf,
  type Graduate,
  launchGraduate,
  openEscrow,
  prepareMigrations,
  PROGRAMS,
  quoteAccountOf,
  readConfig,
  readPosition,
  readVirtualPool,
  sell,
  supplyOf,
} from './migration-fixture.ts';
import { LIVES } from './migration-lives.ts';
import { expectMigration } from './migration-model.ts';

const network = openForEach(() => new TestNetwork(PROGRAMS));

const UNIT = 1_000_000n;
describe.each(LIVES)('a life with %s', (_, options) => {
  let graduate: Graduate;
  let calls: ReturnType<typeof callsAfterSale>;

  beforeEach(() => {
    prepareMigrations(network, options.quote);
    graduate = launchGraduate(network, options);
    calls = callsAfterSale(graduate);
  });

  it('migrates to the atom of what a model computes, and pays everybody once', () => {
    const quoteTotal = sumOf(quoteAccounts());
    done(network, buy(graduate, 300n * UNIT));
    done(network, sell(graduate, network.tokenBalance(baseAccountOf(graduate, BUYER)) / 3n));
    refuses({ ...calls }, 6022, ['migration_damm_v2_create_metadata']);
    buyOut(network, graduate);
    expectAccounted(quoteTotal);

    vest();
    done(network, calls.migration_damm_v2_create_metadata);
    const config = readConfig(network, graduate);
    const before = readVirtualPool(network, graduate);
    const heldBefore = network.tokenBalance(graduate.keys.baseVault);
    const supply = supplyOf(network, graduate.keys.baseMint);
    const expected = expectMigration(config, before, heldBefore, NOW);
    const { units } = migrate();
    expect(units).toBeLessThan(200_000n);

    const { migration, damm } = graduate;
    expect([
      readPosition(network, migration.firstPositionMint),
      readPosition(network, migration.secondPositionMint),
    ]).toEqual(expected.positions);
    expect(readChanges(dataOf(network, damm.address))).toMatchObject({
      liquidity: expected.liquidity,
      sqrtPrice: expected.sqrtPrice,
      amounts: expected.reserves,
    });
    expect(damm.vaults.map((vault) => network.tokenBalance(vault))).toEqual(expected.reserves);
    expect(supply - supplyOf(network, graduate.keys.baseMint)).toBe(expected.burned);
    expect(readVirtualPool(network, graduate)).toEqual({
      ...before,
      isMigrated: 1,
      migrationProgress: DbcMigrationProgress.CREATED_POOL,
      protocolMigrationBaseFeeAmount: expected.protocolFees[0],
      protocolMigrationQuoteFeeAmount: expected.protocolFees[1],
    });
    expectAccounted(quoteTotal);
    expect(errorOf(network, calls.migration_damm_v2)).toBe(6022);
    expect(errorOf(network, calls.create_locker)).toBe(6022);

    const { migrationFeePercentage, creatorMigrationFeePercentage } = config;
    const fee = (config.migrationQuoteThreshold * BigInt(migrationFeePercentage)) / 100n;
    const creators = (fee * BigInt(creatorMigrationFeePercentage)) / 100n;
    const surplus = before.quoteReserve - config.migrationQuoteThreshold;
    const shared = (surplus * 80n) / 100n;
    const creatorsSurplus = (shared * BigInt(config.creatorTradingFeePercentage)) / 100n;
    expect(withdraw('creator_withdraw_migration_fee', CREATOR, 6040)).toBe(creators);
    expect(withdraw('partner_withdraw_migration_fee', PARTNER, 6040)).toBe(fee - creators);
    expect(withdraw('creator_withdraw_surplus', CREATOR, 6025)).toBe(creatorsSurplus);
    expect(withdraw('partner_withdraw_surplus', PARTNER, 6025)).toBe(shared - creatorsSurplus);
    expectLeftover();
    expectAccounted(quoteTotal);
    expectOnlyFeesLeft();
  });

  it('trades on in the new pool at once', () => {
    buyOut(network, graduate);
    vest();
    migrate();
    const [base, quote] = [baseAccountOf(graduate, BUYER), quoteAccountOf(BUYER)];
    const purchase = { authority: BUYER, source: quote, destination: base };
    const before = network.tokenBalance(base);
    done(network, swap(graduate.damm, purchase, 10n * UNIT, 1n));
    const bought = network.tokenBalance(base) - before;
    expect(bought).toBeGreaterThan(0n);
    done(network, swap(graduate.damm, { authority: BUYER, source: base, destination: quote }, bought, 1n));
    const terms = decodeTerms(dataOf(network, graduate.damm.address));
    expect(terms.mints).toEqual(graduate.damm.mints);
    expect(errorOf(network, buy(graduate, UNIT))).toBe(6013);
  });

  function vest(): void {
    if (options.changes?.lockedVesting === undefined) return;
    expect(errorOf(network, calls.migration_damm_v2)).toBe(6022);
    openEscrow(network, graduate);
    done(network, calls.create_locker);
    expect(errorOf(network, calls.create_locker)).toBe(6022);
  }

  /** Migrates, and checks that the payer pays exactly the rents, and the authority nothing. */
  function migrate() {
    const lamports = lamportsOf(calls.migration_damm_v2);
    const fees = feePayerOf();
    const outcome = done(network, calls.migration_damm_v2);
    expect(lamportsOf(calls.migration_damm_v2)).toBe(lamports);
    expect(network.account(METEORA_DBC_AUTHORITY)?.lamports).toBe(AUTHORITY_LAMPORTS);
    expect(feePayerOf()).toBeLessThan(fees);
    return outcome;
  }

  function feePayerOf(): bigint {
    return network.account(network.payer)?.lamports ?? 0n;
  }

  /** Sends a withdrawal, which is refused from then on. Returns what was paid. */
  function withdraw(name: keyof typeof calls, owner: Address, error: number): bigint {
    const before = network.tokenBalance(quoteAccountOf(owner));
    done(network, calls[name]);
    expect(errorOf(network, calls[name])).toBe(error);
    return network.tokenBalance(quoteAccountOf(owner)) - before;
  }

  function expectLeftover(): void {
    if (options.changes?.tokenSupply === undefined) {
      expect(errorOf(network, calls.withdraw_leftover)).toBe(6022);
      return;
    }
    done(network, calls.withdraw_leftover);
    expect(network.tokenBalance(baseAccountOf(graduate, LEFTOVER_RECEIVER))).toBeGreaterThan(0n);
    expect(errorOf(network, calls.withdraw_leftover)).toBe(6026);
  }

  /** What remains in the vaults of the curve is what partner, creator and protocol may still claim. */
  function expectOnlyFeesLeft(): void {
    const pool = readVirtualPool(network, graduate);
    const { migrationQuoteThreshold } = readConfig(network, graduate);
    const surplus = pool.quoteReserve - migrationQuoteThreshold;
    expect(network.tokenBalance(graduate.keys.baseVault)).toBe(
      pool.partnerBaseFee + pool.protocolBaseFee + pool.creatorBaseFee + pool.protocolMigrationBaseFeeAmount,
    );
    const owed =
      pool.partnerQuoteFee +
      pool.protocolQuoteFee +
      pool.creatorQuoteFee +
      pool.protocolMigrationQuoteFeeAmount +
      surplus -
      (surplus * 80n) / 100n;
    const left = network.tokenBalance(graduate.keys.quoteVault);
    // What the pool did not take of the migrated amount, because liquidity is rounded down, belongs to nobody.
    expect(left - owed).toBeGreaterThanOrEqual(0n);
    expect(left - owed).toBeLessThan(3n);
  }

  function quoteAccounts(): Address[] {
    const { keys, damm } = graduate;
    return [...[BUYER, PARTNER, CREATOR].map(quoteAccountOf), keys.quoteVault, damm.vaults[1]];
  }

  /** All base tokens of the supply, and all quote tokens, are in accounts that the test knows. */
  function expectAccounted(quoteTotal: bigint): void {
    const { keys, damm, escrowTokens } = graduate;
    const owners = [BUYER, PARTNER, CREATOR, LEFTOVER_RECEIVER];
    const base = [
      ...owners.map((owner) => baseAccountOf(graduate, owner)),
      ...[keys.baseVault, damm.vaults[0], escrowTokens],
    ];
    expect(sumOf(base)).toBe(supplyOf(network, keys.baseMint));
    expect(sumOf(quoteAccounts())).toBe(quoteTotal);
  }
});

function sumOf(accounts: readonly Address[]): bigint {
  return accounts.reduce(
    (sum, account) => sum + (network.account(account) === null ? 0n : network.tokenBalance(account)),
    0n,
  );
}

/** The lamports of all accounts that an instruction may change. */
function lamportsOf({ accounts }: Instruction): bigint {
  const addresses = new Set(accounts.filter(({ role }) => isWritable(role)).map(({ address }) => address));
  return [...addresses].reduce((sum, address) => sum + (network.account(address)?.lamports ?? 0n), 0n);
}

/** Expects that all calls but the named ones fail with the error. */
function refuses(calls: Record<string, Instruction>, error: number, except: readonly string[]): void {
  const refused = Object.entries(calls).filter(([name]) => !except.includes(name));
  expect(refused.map(([name, call]) => [name, errorOf(network, call)])).toEqual(
    refused.map(([name]) => [name, error]),
  );
}
