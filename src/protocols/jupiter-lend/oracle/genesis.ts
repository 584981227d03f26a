import { createHash } from 'node:crypto';
import type { AccountLedger } from '../../../protocol/genesis/account-ledger.ts';
import type { GenesisKeys } from '../../../protocol/genesis/keys.ts';
import { getGenesisFeed } from '../../../protocol/genesis/price-feeds.ts';
import { findMicroSol } from '../../../protocol/genesis/prices.ts';
import { type Address, address } from '../../../solana/address.ts';
import { ORACLE_PROGRAM } from '../lending-base/programs.ts';
import { ORACLE_ADMIN, deriveLendOracleAddress } from './addresses.ts';
import { encodeOracle, encodeOracleAdmin, type OracleSource, type SourceType } from './layouts.ts';

/** The stake pool of JitoSOL. */
const JITO_POOL = address('Jito4APyf642JPZPx3hGc6WWJ8zPKtRbRs4P815Awbb');
/** The program of a stake pool that oracles read. */
export const MARINADE_PROGRAM = address('MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgdq7aD');
/** The state of Marinade's pool, which determines the worth of an mSOL in SOL. */
const MSOL_POOL = address('8szGkuLTAux9XMgZ2vtY39jVSowEcpBfFfD8hXSEqdGC');
const MSOL_POOL_LENGTH = 576;
const RESERVE_BALANCE = 496;
const SUPPLY = 504;
/** The supply of mSOL in the pool's state. Only its ratio to the reserve matters. */
const MSOL_SUPPLY = 1_000_000_000_000_000n;

/** An oracle of the genesis, for the worth of a whole `collateral` in `debt`. */
export interface GenesisOracle {
  readonly nonce: number;
  readonly address: Address;
  readonly collateral: string;
  readonly debt: string;
  readonly sources: readonly OracleSource[];
}

const COLLATERALS = ['SOL', 'JitoSOL', 'mSOL', 'JUP', 'cbBTC', 'WETH', 'USDC', 'USDT'];
const DEBTS = ['USDC', 'USDT', 'SOL'];

/** The oracles of all pairs of collateral and debt, numbered from 1. Append only, because vaults store the number. */
export const GENESIS_ORACLES: readonly GenesisOracle[] = COLLATERALS.flatMap((collateral) =>
  DEBTS.filter((debt) => debt !== collateral).map((debt) => ({ collateral, debt })),
).map(({ collateral, debt }, index) => {
  const nonce = index + 1;
  const { address: oracle } = deriveLendOracleAddress(nonce);
  return { nonce, address: oracle, collateral, debt, sources: listOracleSources(collateral, debt) };
});

/**
 * Returns the oracle of a pair, by the symbols of its tokens.
 *
 * @throws Error when the genesis has none.
 *
 * @example
 * ```ts
 * import { getGenesisOracle } from './genesis.ts';
 *
 * getGenesisOracle('SOL', 'USDC').nonce; // 1
 * ```
 */
export function getGenesisOracle(collateral: string, debt: string): GenesisOracle {
  const found = GENESIS_ORACLES.find((each) => each.collateral === collateral && each.debt === debt);
  if (found === undefined) throw new Error(`the genesis has no oracle for ${collateral} in ${debt}`);
  return found;
}

/** Adds the admin account, the oracles, and the pool that the price of mSOL is read from. */
export function addOracles(ledger: AccountLedger, keys: GenesisKeys): void {
  const authority = keys.poolCreator.address;
  ledger.addData(ORACLE_ADMIN.address, ORACLE_PROGRAM, encodeOracleAdmin({ authority, auths: [authority] }));
  ledger.addData(MSOL_POOL, MARINADE_PROGRAM, msolPool());
  for (const { nonce, address: oracle, sources } of GENESIS_ORACLES) {
    const { bump } = deriveLendOracleAddress(nonce);
    ledger.addData(oracle, ORACLE_PROGRAM, encodeOracle({ nonce, sources, bump }));
  }
}

function listOracleSources(collateral: string, debt: string): readonly OracleSource[] {
  const staked = stakedSource(collateral);
  if (staked !== null && debt === 'SOL') return [staked];
  const price = feed(staked === null ? collateral : 'SOL');
  return [...(staked === null ? [] : [staked]), price, { ...feed(debt), invert: true }];
}

/** Returns the account that determines the worth of a token of staked SOL in SOL. Null for other tokens. */
function stakedSource(symbol: string): OracleSource | null {
  if (symbol === 'JitoSOL') return hop(JITO_POOL, 'stakePool');
  return symbol === 'mSOL' ? hop(MSOL_POOL, 'msolPool') : null;
}

function feed(symbol: string): OracleSource {
  return hop(getGenesisFeed(symbol).address, 'pyth');
}

function hop(source: Address, sourceType: SourceType): OracleSource {
  return { source, invert: false, multiplier: 1n, divisor: 1n, sourceType };
}

/** Returns a state with all SOL in the reserve, at the rate of the price table. */
function msolPool(): Uint8Array {
  const data = Buffer.alloc(MSOL_POOL_LENGTH);
  createHash('sha256').update('account:State').digest().copy(data, 0, 0, 8);
  const reserve = (MSOL_SUPPLY * (findMicroSol('mSOL') ?? 0n)) / 1_000_000n;
  data.writeBigUInt64LE(reserve, RESERVE_BALANCE);
  data.writeBigUInt64LE(MSOL_SUPPLY, SUPPLY);
  return new Uint8Array(data);
}
