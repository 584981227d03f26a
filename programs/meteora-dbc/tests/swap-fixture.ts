import { deriveDbcPoolKeys, type DbcPoolKeys } from '../../../src/protocols/meteora-dbc/program/addresses.ts';
import {
  type DbcPoolConfig,
  NO_LIQUIDITY_VESTING,
  NO_LOCKED_VESTING,
  NO_MARKET_CAP_FEE_SCHEDULER,
} from '../../../src/protocols/meteora-dbc/program/config-terms.ts';
import {
  type DbcSwapParties,
  swapDbc,
} from '../../../src/protocols/meteora-dbc/program/instructions-swap.ts';
import { encodeDbcConfig } from '../../../src/protocols/meteora-dbc/program/layout-config.ts';
import {
  decodeDbcPool,
  type DbcVirtualPool,
  encodeDbcPool,
} from '../../../src/protocols/meteora-dbc/program/layout-pool.ts';
import {
  DbcActivationType,
  DbcBaseFeeMode,
  DbcCollectFeeMode,
  METEORA_DBC_AUTHORITY,
  METEORA_DBC_PROGRAM,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import type { TestNetwork } from '../../../src/testing/svm/network.ts';
import {
  namedAddress,
  type Token,
  token,
  writeMint,
  writeTokenAccount,
} from '../../raydium-cpmm/tests/fixture.ts';

export const USER = namedAddress('dbc user');
export const PARTNER = namedAddress('dbc partner');
export const CREATOR = namedAddress('dbc creator');
/** The user's accounts of the base and of the quote token, and those that receive a share of fees. */
export const USER_TOKENS = [namedAddress('dbc user base'), namedAddress('dbc user quote')] as const;
export const REFERRALS = [namedAddress('dbc referral base'), namedAddress('dbc referral quote')] as const;

/** A pool's addresses, and its base and its quote token. */
export interface Launch extends DbcPoolKeys {
  readonly tokens: readonly [Token, Token];
}

export function layOut(
  name = 'plain',
  tokens: readonly [Token, Token] = [token(`dbc ${name}`), token('dbc quote')],
): Launch {
  const [base, quote] = tokens;
  const keys = deriveDbcPoolKeys({
    config: namedAddress(`dbc config ${name}`),
    baseMint: base.mint,
    quoteMint: quote.mint,
    tokenBaseProgram: base.tokenProgram,
    tokenQuoteProgram: quote.tokenProgram,
  });
  return { ...keys, tokens };
}

/** The terms of a curve with one part, for a fee of 1 % in the quote token. */
export const CONFIG: DbcPoolConfig = {
  quoteMint: namedAddress('dbc quote'),
  feeClaimer: PARTNER,
  leftoverReceiver: PARTNER,
  poolFees: {
    baseFee: {
      cliffFeeNumerator: 10_000_000n,
      firstFactor: 0,
      secondFactor: 0n,
      thirdFactor: 0n,
      baseFeeMode: DbcBaseFeeMode.LINEAR,
    },
    dynamicFee: null,
  },
  partnerLiquidityVestingInfo: NO_LIQUIDITY_VESTING,
  creatorLiquidityVestingInfo: NO_LIQUIDITY_VESTING,
  collectFeeMode: DbcCollectFeeMode.QUOTE_TOKEN,
  migrationOption: 1,
  activationType: DbcActivationType.TIMESTAMP,
  tokenDecimal: 6,
  version: 0,
  tokenType: 0,
  quoteTokenFlag: 0,
  partnerPermanentLockedLiquidityPercentage: 50,
  partnerLiquidityPercentage: 0,
  creatorPermanentLockedLiquidityPercentage: 50,
  creatorLiquidityPercentage: 0,
  migrationFeeOption: 0,
  fixedTokenSupplyFlag: 0,
  creatorTradingFeePercentage: 30,
  tokenUpdateAuthority: 1,
  migrationFeePercentage: 0,
  creatorMigrationFeePercentage: 0,
  swapBaseAmount: 0n,
  migrationQuoteThreshold: 0n,
  migrationBaseThreshold: 0n,
  migrationSqrtPrice: 0n,
  lockedVestingConfig: NO_LOCKED_VESTING,
  preMigrationTokenSupply: 0n,
  postMigrationTokenSupply: 0n,
  migratedCollectFeeMode: 0,
  migratedDynamicFee: 0,
  migratedPoolFeeBps: 0,
  migratedPoolBaseFeeMode: 0,
  enableFirstSwapWithMinFee: false,
  migratedCompoundingFeeBps: 0,
  poolCreationFee: 0n,
  migratedPoolBaseFee: NO_MARKET_CAP_FEE_SCHEDULER,
  sqrtStartPrice: 1n << 64n,
  curve: [],
};

/** The state of a pool that nobody has traded in yet. */
export const POOL: Omit<DbcVirtualPool, 'config' | 'baseMint' | 'baseVault' | 'quoteVault' | 'poolType'> = {
  volatilityTracker: {
    lastUpdateTimestamp: 0n,
    sqrtPriceReference: 0n,
    volatilityAccumulator: 0n,
    volatilityReference: 0n,
  },
  creator: CREATOR,
  baseReserve: 0n,
  quoteReserve: 0n,
  protocolBaseFee: 0n,
  protocolQuoteFee: 0n,
  partnerBaseFee: 0n,
  partnerQuoteFee: 0n,
  sqrtPrice: 1n << 64n,
  activationPoint: 0n,
  isMigrated: 0,
  isPartnerWithdrawSurplus: 0,
  isProtocolWithdrawSurplus: 0,
  migrationProgress: 0,
  isWithdrawLeftover: 0,
  isCreatorWithdrawSurplus: 0,
  migrationFeeWithdrawStatus: 0,
  metrics: {
    totalProtocolBaseFee: 0n,
    totalProtocolQuoteFee: 0n,
    totalTradingBaseFee: 0n,
    totalTradingQuoteFee: 0n,
  },
  finishCurveTimestamp: 0n,
  creatorBaseFee: 0n,
  creatorQuoteFee: 0n,
  legacyCreationFeeBits: 0,
  creationFeeBits: 0,
  hasSwap: 0,
  protocolLiquidityMigrationFeeBps: 20,
  protocolMigrationBaseFeeAmount: 0n,
  protocolMigrationQuoteFeeAmount: 0n,
};

/** What a case changes of the terms and of the state. */
export interface LaunchCase {
  readonly config: Partial<DbcPoolConfig>;
  readonly pool: Partial<DbcVirtualPool>;
}

/**
 * Writes a launch with what its vaults must hold, and its mints.
 *
 * @param given - Base tokens that were given to the vault beyond the reserve, as the ones for the migration are.
 */
export function writeLaunch(network: TestNetwork, launch: Launch, each: LaunchCase, given = 0n): void {
  const { baseMint, baseVault, quoteVault, quoteMint, tokens } = launch;
  const config = { ...CONFIG, quoteMint, ...each.config };
  const poolType = tokens[0].tokenProgram === TOKEN_2022_PROGRAM ? 1 : 0;
  const pool = { ...POOL, config: launch.config, baseMint, baseVault, quoteVault, poolType, ...each.pool };
  network.setData(launch.config, METEORA_DBC_PROGRAM, encodeDbcConfig(config));
  network.setData(launch.pool, METEORA_DBC_PROGRAM, encodeDbcPool(pool));
  for (const one of tokens) writeMint(network, one);
  const base = pool.baseReserve + pool.protocolBaseFee + pool.partnerBaseFee + pool.creatorBaseFee + given;
  const quote = pool.quoteReserve + pool.protocolQuoteFee + pool.partnerQuoteFee + pool.creatorQuoteFee;
  writeTokenAccount(network, baseVault, METEORA_DBC_AUTHORITY, tokens[0], base);
  writeTokenAccount(network, quoteVault, METEORA_DBC_AUTHORITY, tokens[1], quote);
}

/** Writes the accounts of the user and of the referrer. */
export function writeUser(
  network: TestNetwork,
  { tokens }: Launch,
  amounts: readonly [base: bigint, quote: bigint],
): void {
  for (const side of [0, 1] as const) {
    writeTokenAccount(network, USER_TOKENS[side], USER, tokens[side], amounts[side]);
    writeTokenAccount(network, REFERRALS[side], USER, tokens[side], 0n);
  }
}

/** The user as the party of a swap. */
export function userParties(isPurchase: boolean, more: Partial<DbcSwapParties> = {}): DbcSwapParties {
  const [base, quote] = USER_TOKENS;
  return {
    payer: USER,
    inputTokenAccount: isPurchase ? quote : base,
    outputTokenAccount: isPurchase ? base : quote,
    ...more,
  };
}

/** A purchase by the user of whatever it is worth. */
export function buy(keys: DbcPoolKeys, amountIn: bigint, more: Partial<DbcSwapParties> = {}): Instruction {
  return swapDbc(keys, userParties(true, more), { amountIn, minimumAmountOut: 0n });
}

/** A sale by the user for whatever it is worth. */
export function sell(keys: DbcPoolKeys, amountIn: bigint, more: Partial<DbcSwapParties> = {}): Instruction {
  return swapDbc(keys, userParties(false, more), { amountIn, minimumAmountOut: 0n });
}

/** Writes the user's accounts for a token that is or will be launched: none of it, and so much of the quote token. */
export function fundUser(network: TestNetwork, keys: DbcPoolKeys, quote: Token, amount: bigint): void {
  writeTokenAccount(network, USER_TOKENS[0], USER, baseOf(keys), 0n);
  writeTokenAccount(network, USER_TOKENS[1], USER, quote, amount);
}

/** The launched token, as far as its accounts are to be written. */
export function baseOf({ baseMint, tokenBaseProgram }: DbcPoolKeys): Token {
  return { ...token('base'), mint: baseMint, tokenProgram: tokenBaseProgram };
}

export function readPool(network: TestNetwork, address: Address): DbcVirtualPool {
  const account = network.account(address);
  if (account === null) throw new Error(`no pool at ${address}`);
  return decodeDbcPool(account.data);
}
