import type { Account } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import { isTokenProgram } from '../../solana/program-addresses.ts';
import { decodeTokenAccount } from '../../solana/programs/token/account.ts';
import type { TransferFeeConfig } from '../../solana/programs/token/transfer-fee.ts';
import type { AccountReader, PoolReserves, PoolState, Unusable } from '../../protocol/venue/venue.ts';
import { cachePerAccount } from '../../protocol/venue/once-per-account.ts';
import { readMintTerms } from '../../protocol/venue/pool-mint.ts';
import { PoolUnusable, decodeOrUnusable } from '../../protocol/venue/unusable-pool.ts';
import type { PoolAddresses } from './program/addresses.ts';
import type { SwapRates } from './curve.ts';
import { type KeptShares, computeKeptShares } from './estimate.ts';
import {
  type AmmConfig,
  CreatorFeeOn,
  decodeAmmConfig,
  decodePool,
  isPoolData,
  type RaydiumPoolAccount,
  readChanges,
  type RaydiumSides,
} from './program/layout.ts';
import {
  FEE_RATE_DENOMINATOR,
  RAYDIUM_CPMM_AUTHORITY,
  RAYDIUM_CPMM_AUTHORITY_BUMP,
  RAYDIUM_CPMM_PROGRAM,
} from './program/program.ts';

/** A pool with everything that a quote needs. Pairs are in the order of `mints`. */
export interface RaydiumCpmmPool extends PoolState, PoolAddresses {
  readonly status: number;
  readonly openTime: bigint;
  /** The fees in the vaults that the protocol, the fund and the creator have not collected yet. */
  readonly owed: RaydiumSides<bigint>;
  /** The amounts that belong to the liquidity providers. The vaults hold these and the uncollected fees. */
  readonly reserves: RaydiumSides<bigint>;
  /** The rates of a swap whose input is on that side. */
  readonly rates: RaydiumSides<SwapRates>;
  readonly transferFees: RaydiumSides<TransferFeeConfig | null>;
  /** For estimates: the reserves in floating point, and what the pool's fees leave, by the side of the input. */
  readonly depth: RaydiumSides<number>;
  readonly kept: KeptShares;
  /** The pool's account, kept to find out what a newer one changes. */
  readonly data: Uint8Array;
}

export function isPool({ owner, data }: Account): boolean {
  return owner === RAYDIUM_CPMM_PROGRAM && isPoolData(data);
}

/** Returns the configuration, both vaults and both mints. */
export function listRaydiumDependencies(account: Account): readonly Address[] {
  const { config, vaults, mints } = readRaydiumPool(account);
  return [config, ...vaults, ...mints];
}

/**
 * Returns `Unusable` if the program, or the token program that it calls, would refuse every swap until an account
 * changes.
 */
export function decodePoolState(address: Address, read: AccountReader): RaydiumCpmmPool | Unusable {
  return decodeOrUnusable(() => readPool(address, read));
}

function readPool(address: Address, read: AccountReader): RaydiumCpmmPool {
  const account = owned(read, address, RAYDIUM_CPMM_PROGRAM, 'pool');
  const pool = readRaydiumPool(account);
  if (pool.authorityBump !== RAYDIUM_CPMM_AUTHORITY_BUMP) {
    throw new PoolUnusable(
      `the authority's bump is ${RAYDIUM_CPMM_AUTHORITY_BUMP}, not ${pool.authorityBump}`,
    );
  }
  const config = readAmmConfig(owned(read, pool.config, RAYDIUM_CPMM_PROGRAM, 'configuration'));
  const vaultAmounts: RaydiumSides<bigint> = [readVault(pool, 0, read), readVault(pool, 1, read)];
  const { status, openTime, owed } = readChanges(account.data);
  const reserves: RaydiumSides<bigint> = [
    computeRaydiumReserve(0, vaultAmounts[0], owed[0]),
    computeRaydiumReserve(1, vaultAmounts[1], owed[1]),
  ];
  const rates = getSwapRates(pool, config);
  const transferFees: RaydiumSides<TransferFeeConfig | null> = [
    readTransferFee(pool, 0, read),
    readTransferFee(pool, 1, read),
  ];
  return {
    address,
    config: pool.config,
    mints: pool.mints,
    tokenPrograms: pool.tokenPrograms,
    vaults: pool.vaults,
    lpMint: pool.lpMint,
    observation: pool.observation,
    status,
    openTime,
    owed,
    reserves,
    rates,
    transferFees,
    depth: [Number(reserves[0]), Number(reserves[1])],
    kept: computeKeptShares(rates),
    data: account.data,
  };
}

/** Returns what its vaults hold; null with a token of which a fee is withheld, so that the vaults do not tell what was paid. */
export function findPoolReserves({
  reserves,
  owed,
  transferFees,
  data,
}: RaydiumCpmmPool): PoolReserves | null {
  if (transferFees[0] !== null || transferFees[1] !== null) return null;
  return {
    amounts: [reserves[0] + owed[0], reserves[1] + owed[1]],
    shares: decodePool(data).lpSupply,
    feesLeave: false,
  };
}

function readVault(pool: RaydiumPoolAccount, side: 0 | 1, read: AccountReader): bigint {
  const name = `vault ${side}`;
  const vault = decodeTokenAccount(owned(read, pool.vaults[side], pool.tokenPrograms[side], name).data);
  if (vault.mint !== pool.mints[side]) throw new PoolUnusable(`${name} is of mint ${vault.mint}`);
  if (vault.owner !== RAYDIUM_CPMM_AUTHORITY) throw new PoolUnusable(`${name} belongs to ${vault.owner}`);
  if (vault.state === 'frozen') throw new PoolUnusable(`${name} is frozen`);
  return vault.amount;
}

function readTransferFee(
  pool: RaydiumPoolAccount,
  side: 0 | 1,
  read: AccountReader,
): TransferFeeConfig | null {
  const name = `mint ${side}`;
  const tokenProgram = pool.tokenPrograms[side];
  if (!isTokenProgram(tokenProgram)) {
    throw new PoolUnusable(`${tokenProgram} of ${name} is no token program`);
  }
  const { reason, transferFee } = readMintTerms(owned(read, pool.mints[side], tokenProgram, name));
  if (reason !== null) throw new PoolUnusable(`${name} has ${reason}`);
  return transferFee;
}

function computeRaydiumReserve(side: 0 | 1, vaultAmount: bigint, owed: bigint): bigint {
  if (vaultAmount <= owed) {
    throw new PoolUnusable(`vault ${side} holds ${vaultAmount}, all of it fees (${owed}) or nothing`);
  }
  return vaultAmount - owed;
}

function getSwapRates(pool: RaydiumPoolAccount, config: AmmConfig): RaydiumSides<SwapRates> {
  const creator = pool.creatorFeeEnabled ? config.creatorFeeRate : 0n;
  // The program never writes such a configuration, and its arithmetic would abort on it.
  if (
    config.tradeFeeRate + creator >= FEE_RATE_DENOMINATOR ||
    config.protocolFeeRate + config.fundFeeRate > FEE_RATE_DENOMINATOR
  ) {
    throw new PoolUnusable(`configuration ${pool.config} has fees of 100% or more`);
  }
  if (pool.creatorFeeOn > CreatorFeeOn.TOKEN_1) {
    throw new PoolUnusable(`creator_fee_on must be 0, 1 or 2, got ${pool.creatorFeeOn}`);
  }
  const rates = (creatorOnInput: boolean): SwapRates => ({
    trade: config.tradeFeeRate,
    creator,
    protocol: config.protocolFeeRate,
    fund: config.fundFeeRate,
    creatorOnInput,
  });
  return [
    rates(pool.creatorFeeOn !== CreatorFeeOn.TOKEN_1),
    rates(pool.creatorFeeOn !== CreatorFeeOn.TOKEN_0),
  ];
}

function owned(read: AccountReader, address: Address, owner: Address, name: string): Account {
  const account = read(address);
  if (account === null) throw new PoolUnusable(`${name} ${address} does not exist`);
  if (account.owner !== owner) {
    throw new PoolUnusable(`${name} ${address} is owned by ${account.owner}, not ${owner}`);
  }
  return account;
}

// A swap changes several accounts of a pool one after another, and most pools share configuration and mints.
const readRaydiumPool = cachePerAccount(({ data }) => decodePool(data));
const readAmmConfig = cachePerAccount(({ data }) => decodeAmmConfig(data));
