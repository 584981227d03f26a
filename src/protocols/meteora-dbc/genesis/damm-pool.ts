import type { AccountLedger, LedgerMint } from '../../../protocol/genesis/account-ledger.ts';
import { type Address, toAddressBytes } from '../../../solana/address.ts';
import { findProgramAddress } from '../../../solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../../solana/program-addresses.ts';
import { sumAmounts } from '../../../solana/units.ts';
import { addPositionToken } from '../../meteora-damm-v2/genesis/genesis.ts';
import {
  deriveDammPoolAddress,
  deriveDammPositionAddress,
  deriveDammVaultAddress,
} from '../../meteora-damm-v2/program/addresses.ts';
import { ActivationType, CollectFeeMode, encodePool } from '../../meteora-damm-v2/program/layout.ts';
import { encodePosition } from '../../meteora-damm-v2/program/layout-position.ts';
import { METEORA_DAMM_V2_AUTHORITY, METEORA_DAMM_V2_PROGRAM } from '../../meteora-damm-v2/program/program.ts';
import type { DbcPoolConfig } from '../program/config-terms.ts';
import {
  DBC_MIGRATION_CONFIGS,
  MAX_DBC_SQRT_PRICE,
  METEORA_DBC_AUTHORITY,
  MIN_DBC_SQRT_PRICE,
} from '../program/program.ts';
import { createMigratedBaseFee } from './damm-config.ts';
import type { MigratedLiquidity, MigratedShare } from './migrated-liquidity.ts';

/** The DAMM v2 pool that a curve has become. */
export interface MigratedPool {
  readonly address: Address;
  readonly vaults: readonly [Address, Address];
  /** Those of the first and of the second position. */
  readonly positionMints: readonly [Address, Address];
}

/** Writes the pool with its vaults and both positions, as `migration_damm_v2` leaves them. */
export function addMigratedPool(
  ledger: AccountLedger,
  tokens: readonly [base: LedgerMint, quote: LedgerMint],
  {
    config,
    liquidity,
    owners,
    migratedAt,
  }: {
    readonly config: DbcPoolConfig;
    readonly liquidity: MigratedLiquidity;
    readonly owners: { readonly partner: Address; readonly creator: Address };
    readonly migratedAt: bigint;
  },
): MigratedPool {
  const dammConfig = DBC_MIGRATION_CONFIGS[config.migrationFeeOption] ?? SYSTEM_PROGRAM;
  const mints = [tokens[0].mint, tokens[1].mint] as const;
  const address = deriveDammPoolAddress(dammConfig, ...mints);
  const vaults = [
    deriveDammVaultAddress(address, mints[0]),
    deriveDammVaultAddress(address, mints[1]),
  ] as const;
  const { shares, deposited } = liquidity;
  const data = encodePool({
    baseFee: createMigratedBaseFee(config.migrationFeeOption),
    protocolFeePercent: 20,
    referralFeePercent: 20,
    compoundingBps: 0,
    dynamicFee: null,
    volatility: { lastUpdate: 0n, referencePrice: 0n, accumulator: 0n, reference: 0n },
    initSqrtPrice: config.migrationSqrtPrice,
    mints,
    vaults,
    whitelistedVault: SYSTEM_PROGRAM,
    sqrtMinPrice: MIN_DBC_SQRT_PRICE,
    sqrtMaxPrice: MAX_DBC_SQRT_PRICE,
    activationPoint: migratedAt,
    activationType: ActivationType.TIMESTAMP,
    status: 0,
    tokenFlags: [toFlag(tokens[0]), toFlag(tokens[1])],
    collectFeeMode: CollectFeeMode.TOKEN_B,
    kind: 0,
    feeVersion: 1,
    liquidity: sumAmounts(shares.flatMap((share) => [share.unlocked, share.permanent])),
    sqrtPrice: config.migrationSqrtPrice,
    amounts: deposited,
    layoutVersion: 1,
    protocolFees: [0n, 0n],
    creator: METEORA_DBC_AUTHORITY,
    positions: 2n,
    permanentlyLocked: sumAmounts(shares.map((share) => share.permanent)),
  });
  ledger.addData(address, METEORA_DAMM_V2_PROGRAM, data);
  for (const side of [0, 1] as const) {
    const holding = { owner: METEORA_DAMM_V2_AUTHORITY, amount: deposited[side] };
    ledger.addTokens(vaults[side], tokens[side], holding);
  }
  const add = (share: MigratedShare, name: string) =>
    addPosition(ledger, address, { share, name, owner: share.isPartner ? owners.partner : owners.creator });
  return { address, vaults, positionMints: [add(shares[0], 'first'), add(shares[1], 'second')] };
}

function addPosition(
  ledger: AccountLedger,
  pool: Address,
  { share, name, owner }: { readonly share: MigratedShare; readonly name: string; readonly owner: Address },
): Address {
  const seeds = [Buffer.from('position mint'), toAddressBytes(pool), Buffer.from(name)];
  // Replaces the address that a fresh key would give. Nobody can have a key for it.
  const mint = findProgramAddress(METEORA_DAMM_V2_PROGRAM, seeds).address;
  const data = encodePosition({
    pool,
    mint,
    liquidity: share.unlocked,
    permanentlyLocked: share.permanent,
  });
  ledger.addData(deriveDammPositionAddress(mint), METEORA_DAMM_V2_PROGRAM, data);
  addPositionToken(ledger, { mint, pool, owner });
  return mint;
}

function toFlag({ tokenProgram }: LedgerMint): number {
  return tokenProgram === TOKEN_2022_PROGRAM ? 1 : 0;
}
