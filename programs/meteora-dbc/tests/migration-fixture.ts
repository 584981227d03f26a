import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import type { DbcPoolConfig } from '../../../src/protocols/meteora-dbc/program/config-terms.ts';
import {
  type DbcWithdrawalParties,
  withdrawDbcCreatorSurplus,
  withdrawDbcLeftover,
  withdrawDbcMigrationFee,
  withdrawDbcPartnerSurplus,
} from '../../../src/protocols/meteora-dbc/program/instructions-claim.ts';
import {
  createDbcLocker,
  createDbcMigrationMetadata,
  type DbcMigrationParties,
  migrateDbcToDammV2,
} from '../../../src/protocols/meteora-dbc/program/instructions-migration.ts';
import { swap2Dbc } from '../../../src/protocols/meteora-dbc/program/instructions-swap.ts';
import { decodeDbcConfig } from '../../../src/protocols/meteora-dbc/program/layout-config.ts';
import {
  type DbcVirtualPool,
  decodeDbcPool,
} from '../../../src/protocols/meteora-dbc/program/layout-pool.ts';
import { deriveDbcLockerBaseAddress } from '../../../src/protocols/meteora-dbc/program/addresses.ts';
import {
  DBC_MIGRATION_CONFIGS,
  DbcMigrationFeeFlag,
  DbcSwapMode,
  METEORA_DBC_AUTHORITY,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
import { deriveVestingEscrow } from '../../../src/protocols/jupiter-lock/layout.ts';
import {
  deriveDammPoolAddress,
  deriveDammPositionAddress,
  deriveDammPositionTokenAddress,
  deriveDammVaultAddress,
} from '../../../src/protocols/meteora-damm-v2/program/addresses.ts';
import type { DammSwapPool } from '../../../src/protocols/meteora-damm-v2/instructions.ts';
import { type Address, toAddressBytes } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { ordinaryTokenAccount } from '../../../src/testing/token-account.ts';
import type { TestNetwork, TestOutcome } from '../../../src/testing/svm/network.ts';
import {
  namedAddress,
  type Token,
  writeTokenAccount,
  writeWallet,
} from '../../raydium-cpmm/tests/fixture.ts';
import { writeDammConfig } from './damm-config.ts';
import { CREATOR, type Launch, launch, LEFTOVER_RECEIVER, PARTNER, prepare, QUOTE } from './fixture.ts';

export const BUYER = namedAddress('dbc buyer');
/** Anybody: it carries out migrations and pays their rents. */
export const MIGRATOR = namedAddress('dbc migrator');
/** What the pools' authority has to advance rents with. */
export const AUTHORITY_LAMPORTS = 1_000_000_000n;
const PLENTY = 1n << 60n;
/** The programs of a whole life. */
export const PROGRAMS = ['meteora-dbc', 'meteora-damm-v2', 'locker', 'token-metadata'];

/** A launch, and the accounts of its later life. */
export interface Graduate extends Launch {
  readonly migration: DbcMigrationParties;
  readonly damm: DammSwapPool;
  readonly escrow: Address;
  readonly escrowTokens: Address;
}

/** The quote token account of an owner. */
export function quoteAccountOf(owner: Address): Address {
  return namedAddress(`dbc quote tokens of ${owner}`);
}

export function baseAccountOf({ keys }: Pick<Launch, 'keys'>, owner: Address): Address {
  return deriveAssociatedTokenAddress(owner, keys.baseMint, keys.tokenBaseProgram);
}

/** Writes everything that exists before a launch migrates. */
export function prepareMigrations(network: TestNetwork, quote: Token = QUOTE): void {
  prepare(network, quote);
  for (const wallet of [BUYER, MIGRATOR]) writeWallet(network, wallet);
  writeWallet(network, METEORA_DBC_AUTHORITY, AUTHORITY_LAMPORTS);
  for (const owner of [BUYER, PARTNER, CREATOR]) {
    writeTokenAccount(network, quoteAccountOf(owner), owner, quote, owner === BUYER ? PLENTY : 0n);
  }
  for (const [option, address] of DBC_MIGRATION_CONFIGS.entries())
    writeDammConfig(network, address, { option });
}

export interface GraduateOptions {
  readonly name?: string;
  readonly quote?: Token;
  readonly changes?: Partial<DbcConfigParameters>;
}

/** Launches a token, and names the accounts of its later life. */
export function launchGraduate(network: TestNetwork, options: GraduateOptions = {}): Graduate {
  const graduate = describeGraduate(launch(network, options), options.name);
  for (const owner of [BUYER, PARTNER, CREATOR, LEFTOVER_RECEIVER]) openBaseAccount(network, graduate, owner);
  return graduate;
}

/** Writes an empty base token account of the owner. */
export function openBaseAccount(network: TestNetwork, { keys }: Pick<Launch, 'keys'>, owner: Address): void {
  const data = ordinaryTokenAccount({ mint: keys.baseMint, owner, amount: 0n });
  network.setData(baseAccountOf({ keys }, owner), keys.tokenBaseProgram, data);
}

/** Names the accounts of a launch's later life. */
export function describeGraduate(launched: Launch, name = 'launch'): Graduate {
  const { keys, parameters } = launched;
  const dammConfig = DBC_MIGRATION_CONFIGS[parameters.migrationFeeOption];
  if (dammConfig === undefined) throw new Error('no configuration has this fee option');
  const address = deriveDammPoolAddress(dammConfig, keys.baseMint, keys.quoteMint);
  const escrow = deriveVestingEscrow(deriveDbcLockerBaseAddress(keys.pool)).address;
  return {
    ...launched,
    migration: {
      payer: MIGRATOR,
      dammConfig,
      firstPositionMint: namedAddress(`dbc first position of ${name}`),
      secondPositionMint: namedAddress(`dbc second position of ${name}`),
    },
    damm: {
      address,
      mints: [keys.baseMint, keys.quoteMint],
      tokenPrograms: [keys.tokenBaseProgram, keys.tokenQuoteProgram],
      vaults: [
        deriveDammVaultAddress(address, keys.baseMint),
        deriveDammVaultAddress(address, keys.quoteMint),
      ],
    },
    escrow,
    escrowTokens: deriveAssociatedTokenAddress(escrow, keys.baseMint, keys.tokenBaseProgram),
  };
}

/** Buys for so many quote atoms, or for less if the curve ends. */
export function buy(graduate: Graduate, amount: bigint): Instruction {
  return trade(graduate, amount, quoteAccountOf(BUYER), baseAccountOf(graduate, BUYER));
}

export function sell(graduate: Graduate, amount: bigint): Instruction {
  return trade(graduate, amount, baseAccountOf(graduate, BUYER), quoteAccountOf(BUYER));
}

function trade({ keys }: Graduate, amount: bigint, inputTokenAccount: Address, outputTokenAccount: Address) {
  const order = { amount0: amount, amount1: 0n, swapMode: DbcSwapMode.PARTIAL_FILL };
  const parties = { payer: BUYER, inputTokenAccount, outputTokenAccount, showsInstructions: true };
  return swap2Dbc(keys, parties, order);
}

/** Buys what is left of the curve. */
export function buyOut(network: TestNetwork, graduate: Graduate): void {
  done(network, buy(graduate, PLENTY / 2n));
}

/** The calls that follow once the curve is sold out, under the names of the program's instructions. */
export function callsAfterSale(graduate: Graduate) {
  const { keys, migration } = graduate;
  const partiesOf = (owner: Address): DbcWithdrawalParties => ({
    owner,
    tokenQuoteAccount: quoteAccountOf(owner),
  });
  return {
    create_locker: createDbcLocker(keys, { creator: CREATOR, payer: MIGRATOR }),
    migration_damm_v2_create_metadata: createDbcMigrationMetadata(keys, MIGRATOR),
    migration_damm_v2: migrateDbcToDammV2(keys, migration),
    withdraw_leftover: withdrawDbcLeftover(keys, LEFTOVER_RECEIVER),
    creator_withdraw_surplus: withdrawDbcCreatorSurplus(keys, partiesOf(CREATOR)),
    partner_withdraw_surplus: withdrawDbcPartnerSurplus(keys, partiesOf(PARTNER)),
    partner_withdraw_migration_fee: withdrawDbcMigrationFee(
      keys,
      partiesOf(PARTNER),
      DbcMigrationFeeFlag.PARTNER,
    ),
    creator_withdraw_migration_fee: withdrawDbcMigrationFee(
      keys,
      partiesOf(CREATOR),
      DbcMigrationFeeFlag.CREATOR,
    ),
  };
}

/** Creates the escrow's token account, as whoever calls `create_locker` must do before. */
export function openEscrow(network: TestNetwork, { keys, escrow, escrowTokens }: Graduate): void {
  const data = ordinaryTokenAccount({ mint: keys.baseMint, owner: escrow, amount: 0n });
  network.setData(escrowTokens, keys.tokenBaseProgram, data);
}

export function readVirtualPool(network: TestNetwork, { keys }: Pick<Launch, 'keys'>): DbcVirtualPool {
  return decodeDbcPool(dataOf(network, keys.pool));
}

export function readConfig(network: TestNetwork, { keys }: Pick<Launch, 'keys'>): DbcPoolConfig {
  return decodeDbcConfig(dataOf(network, keys.config));
}

/** The parts of a position, its schedule, and who holds its token. */
export interface GraduatePosition {
  readonly owner: Address;
  readonly unlocked: bigint;
  readonly vested: bigint;
  readonly permanent: bigint;
  readonly cliffPoint: bigint;
  readonly frequency: bigint;
  readonly cliffLiquidity: bigint;
  readonly liquidityPerPeriod: bigint;
  readonly periods: number;
}

/** Returns null if there is no such position. */
export function readPosition(network: TestNetwork, mint: Address | null): GraduatePosition | null {
  const position = mint === null ? null : network.account(deriveDammPositionAddress(mint));
  if (mint === null || position === null) return null;
  const holding = dataOf(network, deriveDammPositionTokenAddress(mint));
  const data = Buffer.from(position.data);
  const u128 = (at: number) => (data.readBigUInt64LE(at + 8) << 64n) | data.readBigUInt64LE(at);
  const owner = [BUYER, PARTNER, CREATOR, METEORA_DBC_AUTHORITY].find((wallet) =>
    Buffer.from(toAddressBytes(wallet)).equals(Buffer.from(holding).subarray(32, 64)),
  );
  if (owner === undefined) throw new Error('an unknown wallet holds the position');
  return {
    owner,
    unlocked: u128(152),
    vested: u128(168),
    permanent: u128(184),
    cliffPoint: data.readBigUInt64LE(INNER_VESTING_AT),
    frequency: data.readBigUInt64LE(INNER_VESTING_AT + 8),
    cliffLiquidity: u128(INNER_VESTING_AT + 16),
    liquidityPerPeriod: u128(INNER_VESTING_AT + 32),
    periods: data.readUInt16LE(INNER_VESTING_AT + 64),
  };
}

/** After the metrics and two rewards of 48 bytes. */
const INNER_VESTING_AT = 200 + 16 + 2 * 48;

export function dataOf(network: TestNetwork, address: Address): Uint8Array {
  const account = network.account(address);
  if (account === null) throw new Error(`there is no account at ${address}`);
  return account.data;
}

export function supplyOf(network: TestNetwork, mint: Address): bigint {
  return Buffer.from(dataOf(network, mint)).readBigUInt64LE(36);
}

/** Sends an instruction that must succeed. */
export function done(network: TestNetwork, instruction: Instruction): TestOutcome {
  const outcome = network.send([instruction]);
  if (outcome.error !== null) {
    throw new Error(`${JSON.stringify(outcome.error)}\n${outcome.logs.join('\n')}`);
  }
  return outcome;
}

/** The program's error number, or undefined if the instruction succeeds. Nothing of it is kept. */
export function errorOf(network: TestNetwork, instruction: Instruction): number | undefined {
  return network.simulate([instruction]).error?.custom;
}

/** Adds tokens to a vault of the curve. */
export function donate(
  network: TestNetwork,
  { keys }: Graduate,
  side: 'base' | 'quote',
  amount: bigint,
): void {
  addAmount(network, side === 'base' ? keys.baseVault : keys.quoteVault, 64, amount);
  if (side === 'base') addAmount(network, keys.baseMint, 36, amount);
}

/** Changes a number of 8 bytes in an account: the amount of a holding, or the supply of a mint. */
export function addAmount(network: TestNetwork, address: Address, at: number, amount: bigint): void {
  const account = network.account(address);
  if (account === null) throw new Error(`there is no account at ${address}`);
  const data = Buffer.from(account.data);
  data.writeBigUInt64LE(data.readBigUInt64LE(at) + amount, at);
  network.setAccount(address, { ...account, data });
}

/** Puts an account in place of the one at an index, with the same rights. */
export function withAccount(instruction: Instruction, at: number, address: Address): Instruction {
  const accounts = instruction.accounts.map((account, index) =>
    index === at ? { ...account, address } : account,
  );
  return { ...instruction, accounts };
}
