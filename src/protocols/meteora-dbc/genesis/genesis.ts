import type { AccountLedger, LedgerMint } from '../../../protocol/genesis/account-ledger.ts';
import type { GenesisKeys } from '../../../protocol/genesis/keys.ts';
import { toLedgerMint } from '../../../protocol/genesis/mints.ts';
import type { ProtocolGenesis } from '../../../protocol/genesis/protocol-genesis.ts';
import type { GenesisPool, VenueGenesis } from '../../../protocol/genesis/venue-genesis.ts';
import { type Address, toAddressBytes } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import { findProgramAddress } from '../../../solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';

import { type Extension, ExtensionType } from '../../../solana/programs/token/extensions.ts';
import { encodeMint } from '../../../solana/programs/token/mint.ts';
import { encodeMetadata, TokenStandard } from '../../../solana/programs/token-metadata/account.ts';
import {
  deriveMetadataAddress,
  TOKEN_METADATA_PROGRAM,
} from '../../../solana/programs/token-metadata/program.ts';
import { buildDbcCurveFromMarketCaps } from '../build-config/build-curve.ts';
import { toDbcPoolConfig } from '../build-config/config-account.ts';
import { checkDbcParameters } from '../build-config/config-check.ts';
import { type DbcPoolKeys, deriveDbcPoolKeys } from '../program/addresses.ts';
import type { DbcConfigParameters } from '../program/config-parameters.ts';
import type { DbcPoolConfig } from '../program/config-terms.ts';
import { encodeDbcConfig } from '../program/layout-config.ts';
import { type DbcVirtualPool, encodeDbcPool } from '../program/layout-pool.ts';
import {
  DbcMigrationProgress,
  DbcTokenType,
  METEORA_DBC_AUTHORITY,
  METEORA_DBC_EVENT_AUTHORITY,
  METEORA_DBC_PROGRAM,
} from '../program/program.ts';
import { applyPurchase, computeVaultBalances, finishCurve, startCurve } from './curve-life.ts';
import { addMigrationConfigs } from './damm-config.ts';
import { addMigratedPool, type MigratedPool } from './damm-pool.ts';
import { computeMigration } from './migrated-liquidity.ts';
import { PLANNED_DBC_CONFIGS, PLANNED_LAUNCHES, type PlannedDbcConfig, type PlannedLaunch } from './plan.ts';

/** A launch of the genesis. */
export interface GenesisLaunch extends GenesisPool {
  readonly plan: PlannedLaunch;
  readonly keys: DbcPoolKeys;
  readonly parameters: DbcConfigParameters;
  /** The account of the tokens that were bought. */
  readonly creator: Address;
  /** Null while the curve trades. */
  readonly migrated: MigratedPool | null;
}

interface WrittenConfig {
  readonly address: Address;
  readonly quote: LedgerMint;
  readonly parameters: DbcConfigParameters;
  readonly config: DbcPoolConfig;
}

/** The fee that the metadata program keeps in the metadata account of a mint. */
const METADATA_FEE = 10_000_000n;

/** The launches of `PLANNED_LAUNCHES`, each as the program leaves it after its purchases and its migration. */
export const meteoraDbcVenueGenesis: VenueGenesis<GenesisLaunch> = {
  sharedAccounts: [
    METEORA_DBC_PROGRAM,
    METEORA_DBC_AUTHORITY,
    METEORA_DBC_EVENT_AUTHORITY,
    ...PLANNED_DBC_CONFIGS.map(({ name }) => deriveConfigAddress(name)),
  ],
  addPools: addLaunches,
  launchCreator: ({ creator }) => creator,
  poolAccounts: ({ keys, migrated }) => [
    keys.pool,
    keys.baseMint,
    keys.baseVault,
    keys.quoteVault,
    ...(migrated === null ? [] : [migrated.address, ...migrated.vaults]),
  ],
};

/** A SOL, as on mainnet: the authority advances the rent of the accounts that a migration creates. */
const AUTHORITY_LAMPORTS = 1_000_000_000n;

/** What migrations need, and the launches. */
export const meteoraDbcGenesis: ProtocolGenesis = {
  addAccounts: (ledger) => {
    ledger.addWallet(METEORA_DBC_AUTHORITY, AUTHORITY_LAMPORTS);
    addMigrationConfigs(ledger);
  },
  pools: meteoraDbcVenueGenesis,
};

function addLaunches(ledger: AccountLedger, keys: GenesisKeys): GenesisLaunch[] {
  const configs = new Map(PLANNED_DBC_CONFIGS.map((plan) => [plan.name, addConfig(ledger, keys, plan)]));
  return PLANNED_LAUNCHES.map((plan) => {
    const config = configs.get(plan.config);
    if (config === undefined) throw new Error(`there is no config ${plan.config}`);
    return addLaunch(ledger, keys, { plan, config });
  });
}

function addConfig(ledger: AccountLedger, { feeOwner }: GenesisKeys, plan: PlannedDbcConfig): WrittenConfig {
  const built = buildDbcCurveFromMarketCaps(plan.terms, plan.caps);
  if (!built.ok) throw new Error(`the config ${plan.name}: ${built.error.message}`);
  const { parameters } = built;
  const checked = checkDbcParameters(parameters);
  if (!checked.ok) throw new Error(`the config ${plan.name}: ${checked.error.message}`);
  const quote = toLedgerMint(getGenesisToken(plan.quote));
  const config = toDbcPoolConfig(parameters, checked.terms, {
    quoteMint: quote.mint,
    feeClaimer: feeOwner.address,
    leftoverReceiver: feeOwner.address,
    quoteTokenFlag: 0,
  });
  const address = deriveConfigAddress(plan.name);
  ledger.addData(address, METEORA_DBC_PROGRAM, encodeDbcConfig(config));
  return { address, quote, parameters, config };
}

function addLaunch(
  ledger: AccountLedger,
  { poolCreator, feeOwner }: GenesisKeys,
  { plan, config }: { readonly plan: PlannedLaunch; readonly config: WrittenConfig },
): GenesisLaunch {
  const isNewer = config.parameters.tokenType === DbcTokenType.TOKEN_2022;
  const base: LedgerMint = {
    mint: deriveKeyless('genesis launch', plan.symbol),
    tokenProgram: isNewer ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM,
    accountExtensions: [],
  };
  const keys = deriveDbcPoolKeys({
    config: config.address,
    baseMint: base.mint,
    quoteMint: config.quote.mint,
    tokenBaseProgram: base.tokenProgram,
    tokenQuoteProgram: config.quote.tokenProgram,
  });
  const creator = poolCreator.address;
  const traded = trade(
    startCurve(keys, config.config, { creator, launchedAt: plan.launchedAt }),
    plan,
    config,
  );
  const bought = config.config.preMigrationTokenSupply - traded.baseReserve;
  const owners = { partner: feeOwner.address, creator };
  const { pool, balances, migrated } = migrate(ledger, traded, { plan, config, base, owners });
  ledger.addData(keys.pool, METEORA_DBC_PROGRAM, encodeDbcPool(pool));
  ledger.addTokens(keys.baseVault, base, { owner: METEORA_DBC_AUTHORITY, amount: balances[0] });
  ledger.addTokens(keys.quoteVault, config.quote, { owner: METEORA_DBC_AUTHORITY, amount: balances[1] });
  if (bought > 0n) ledger.addAssociatedTokens(base, { owner: creator, amount: bought });
  addLaunchedMint(ledger, base, plan, config.parameters.tokenDecimal);
  return { address: keys.pool, plan, keys, parameters: config.parameters, creator, migrated };
}

function trade(fresh: DbcVirtualPool, plan: PlannedLaunch, { config }: WrittenConfig): DbcVirtualPool {
  const traded = plan.purchases.reduce((pool, amount) => applyPurchase(pool, config, amount), fresh);
  return plan.migratedAt === null ? traded : finishCurve(traded, config, plan.migratedAt);
}

interface Migrating {
  readonly plan: PlannedLaunch;
  readonly config: WrittenConfig;
  readonly base: LedgerMint;
  readonly owners: { readonly partner: Address; readonly creator: Address };
}

/** Writes the DAMM v2 pool of a curve that has one, and returns what the curve is afterwards. */
function migrate(ledger: AccountLedger, pool: DbcVirtualPool, { plan, config, base, owners }: Migrating) {
  const balances = computeVaultBalances(pool);
  if (plan.migratedAt === null) return { pool, balances, migrated: null };
  const liquidity = computeMigration(config.config, balances[0], pool.protocolLiquidityMigrationFeeBps);
  const { protocolFees, deposited } = liquidity;
  const { migratedAt } = plan;
  const migrated = addMigratedPool(ledger, [base, config.quote], {
    config: config.config,
    liquidity,
    owners,
    migratedAt,
  });
  return {
    pool: {
      ...pool,
      isMigrated: 1,
      migrationProgress: DbcMigrationProgress.CREATED_POOL,
      protocolMigrationBaseFeeAmount: protocolFees[0],
      protocolMigrationQuoteFeeAmount: protocolFees[1],
    },
    balances: [balances[0] - deposited[0], balances[1] - deposited[1]] as const,
    migrated,
  };
}

function deriveConfigAddress(name: string): Address {
  return deriveKeyless('genesis config', name);
}

/** Replaces the address that a fresh key would give. Nobody can have a key for it. */
function deriveKeyless(what: string, name: string): Address {
  return findProgramAddress(METEORA_DBC_PROGRAM, [Buffer.from(what), Buffer.from(name)]).address;
}

/** Where a mint has its authority. The token program leaves the address there when the authority is given up. */
const MINT_AUTHORITY_AT = 4;

/** Writes a mint whose names nobody can change, and of which nobody can mint more. */
function addLaunchedMint(
  ledger: AccountLedger,
  base: LedgerMint,
  plan: PlannedLaunch,
  decimals: number,
): void {
  const { mint, tokenProgram } = base;
  const isNewer = tokenProgram === TOKEN_2022_PROGRAM;
  const data = encodeMint({
    mintAuthority: null,
    supply: ledger.supplyOf(mint),
    decimals,
    freezeAuthority: null,
    extensions: isNewer ? listMintExtensions(mint, plan) : [],
  });
  if (!isNewer) data.set(toAddressBytes(METEORA_DBC_AUTHORITY), MINT_AUTHORITY_AT);
  ledger.addData(mint, tokenProgram, data);
  if (isNewer) return;
  const metadata = encodeMetadata({
    updateAuthority: SYSTEM_PROGRAM,
    mint,
    name: plan.name,
    symbol: plan.symbol,
    uri: plan.uri,
    sellerFeeBasisPoints: 0,
    creators: null,
    primarySaleHappened: false,
    isMutable: false,
    tokenStandard: TokenStandard.Fungible,
  });
  ledger.addData(deriveMetadataAddress(mint), TOKEN_METADATA_PROGRAM, metadata, METADATA_FEE);
}

/** The names of a Token-2022 mint within itself, without an authority. */
function listMintExtensions(mint: Address, { name, symbol, uri }: PlannedLaunch): Extension[] {
  const metadata = new ByteWriter(256).zeros(32).address(mint);
  for (const text of [name, symbol, uri]) metadata.u32(text.length).bytes(Buffer.from(text));
  return [
    { type: ExtensionType.METADATA_POINTER, data: Buffer.concat([new Uint8Array(32), toAddressBytes(mint)]) },
    { type: ExtensionType.TOKEN_METADATA, data: metadata.u32(0).finish() },
  ];
}
