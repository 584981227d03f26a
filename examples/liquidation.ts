// What a liquidator looks at: whether a vault has debt above its liquidation threshold, and the accounts to liquidate it.
import { address, type Address } from '../src/solana/address.ts';
import type { Instruction } from '../src/solana/messages/instruction.ts';
import { computeExchangePricesAt } from '../src/protocols/jupiter-lend/liquidity/exchange-prices.ts';
import { deriveReserveAddress } from '../src/protocols/jupiter-lend/liquidity/addresses.ts';
import { RESERVE } from '../src/protocols/jupiter-lend/liquidity/layouts.ts';
import type { LiquidationAccounts } from '../src/protocols/jupiter-lend/liquidation/instruction.ts';
import {
  listArraysOfRange,
  listLiquidationBranches,
  type LiquidationRange,
  findLiquidationRange,
  MAX_BRANCHES,
} from '../src/protocols/jupiter-lend/liquidation/range.ts';
import {
  deriveBranchAddress,
  deriveTickAddress,
  deriveTickHasDebtAddress,
  deriveVaultMetadataAddress,
  deriveVaultStateAddress,
} from '../src/protocols/jupiter-lend/vaults/state/addresses.ts';
import { computeVaultPricesAt } from '../src/protocols/jupiter-lend/vaults/model/exchange-prices.ts';
import {
  initBranch,
  initTick,
  type OperateVault,
} from '../src/protocols/jupiter-lend/vaults/instructions.ts';
import {
  BRANCH,
  VAULT_CONFIG,
  VAULT_METADATA,
  VAULT_STATE,
  type VaultState,
} from '../src/protocols/jupiter-lend/vaults/state/layouts.ts';
import { NO_TICK, TICK_HAS_DEBT_ARRAYS } from '../src/protocols/jupiter-lend/vaults/state/limits.ts';
import { getNextTopBranchId } from '../src/protocols/jupiter-lend/vaults/state/operate-accounts.ts';
import { computeLiquidationBounds } from '../src/protocols/jupiter-lend/vaults/model/liquidation-bounds.ts';
import { computeHighestSafeTick } from '../src/protocols/jupiter-lend/vaults/model/safety.ts';
import { decodeTickHasDebt } from '../src/protocols/jupiter-lend/vaults/state/tick-has-debt.ts';

/** An account as an RPC node returns it. */
export interface ReadAccount {
  readonly owner: string;
  readonly data: Uint8Array;
}

/** Reads accounts in the order of their addresses; null for what does not exist. */
export type Read = (addresses: readonly Address[]) => Promise<readonly (ReadAccount | null)[]>;

/** What `GET /lend/v1/borrow/vaults` says of a vault, as far as a liquidator reads it. */
export interface ListedVault {
  readonly id: number;
  /** Of its configuration. */
  readonly address: string;
  readonly topTick: number;
  /** Debt that the vault took over because it was too bad, for liquidators to take; atoms. */
  readonly absorbedBorrow: string;
  readonly totalBorrow: string;
  readonly liquidationThreshold: string;
  /** Absent while the oracle has no price that is recent and certain enough. */
  readonly oraclePriceLiquidate?: string;
  readonly oracleSources: readonly { readonly source: string }[];
  readonly supplyToken: { readonly address: string; readonly symbol: string; readonly decimals: number };
  readonly borrowToken: {
    readonly address: string;
    readonly symbol: string;
    readonly decimals: number;
    /** US dollars per whole token. */
    readonly price: string;
  };
}

/** A vault that can be liquidated now. */
export interface Liquidation {
  readonly vault: OperateVault;
  readonly accounts: LiquidationAccounts;
  /** Debt that the vault took over before, raw. */
  readonly absorbed: bigint;
  /**
   * What an absorption alone names, if more ticks are above the highest limit than fit beside a sale: the program absorbs
   * all of them at once. Null if none is needed.
   */
  readonly absorption: LiquidationAccounts | null;
  /** Makes accounts that the liquidation names and nobody has made yet. */
  setup(signer: Address): readonly Instruction[];
  readonly lookupTable: Address;
}

const ONE = 10n ** 12n;
/** Debt may have grown by 6 percent more than collateral since a vault was made: 1.0015^40. */
const SLACK_TICKS = 40;

/**
 * Whether a vault may need liquidation, by the list alone. Only `findLiquidation` knows. One without a price cannot be
 * liquidated, and must not keep the others from it. One that absorbed debt can, however low its top tick is.
 */
export function isSuspect(listed: ListedVault): boolean {
  const safe = safeTickOf(listed);
  return safe !== null && (listed.topTick > safe - SLACK_TICKS || BigInt(listed.absorbedBorrow) > 0n);
}

/** The tick of the threshold where a vault's exchange prices are 1. */
export function safeTickOf({ liquidationThreshold, oraclePriceLiquidate }: ListedVault): number | null {
  if (oraclePriceLiquidate === undefined) return null;
  const rate = BigInt(oraclePriceLiquidate);
  return computeHighestSafeTick(rate, Number(liquidationThreshold), { supply: ONE, borrow: ONE });
}

/** With more ticks than this above the highest limit, they are absorbed by a transaction of their own. */
const MAX_ABSORBED_BESIDE = 2;
/** A transaction with nothing but an absorption has room for the accounts of so many ticks. */
const MAX_ABSORBED_TICKS = 22;

/**
 * @param now - Unix seconds of the network.
 * @param maxTicks - How many ticks the liquidation may name.
 * @returns null when all debt of the vault is safe
 */
export async function findLiquidation(
  read: Read,
  listed: ListedVault,
  now: bigint,
  maxTicks: number,
): Promise<Liquidation | null> {
  const [configAccount] = await read([address(listed.address)]);
  const config = VAULT_CONFIG.decode(dataOf(configAccount, 'config'));
  // The program's id, which is not that of the second market.
  const id = config.vaultId;
  const own = [deriveVaultStateAddress(id), deriveVaultMetadataAddress(id)];
  const [stateAccount, metadataAccount] = await read(own.map(({ address: each }) => each));
  const state = VAULT_STATE.decode(dataOf(stateAccount, 'state'));
  const { lookupTable } = VAULT_METADATA.decode(dataOf(metadataAccount, 'metadata'));
  const { supplyToken, borrowToken } = config;
  const [supplyMint, borrowMint, supplyReserve, borrowReserve, ...arrays] = await read([
    supplyToken,
    borrowToken,
    deriveReserveAddress(supplyToken),
    deriveReserveAddress(borrowToken),
    ...Array.from(
      { length: TICK_HAS_DEBT_ARRAYS },
      (_, index) => deriveTickHasDebtAddress(id, index).address,
    ),
  ]);
  const liquidity = {
    supply: computeExchangePricesAt(RESERVE.decode(dataOf(supplyReserve, 'reserve')), now).supply,
    borrow: computeExchangePricesAt(RESERVE.decode(dataOf(borrowReserve, 'reserve')), now).borrow,
  };
  const prices = computeVaultPricesAt(config, state, liquidity, now);
  if (prices === null) return null;
  const bounds = computeLiquidationBounds(config, prices, BigInt(listed.oraclePriceLiquidate ?? 0));
  if (typeof bounds === 'string') return null;
  const bits = arrays.map((account) =>
    account === null || account === undefined ? null : decodeTickHasDebt(account.data),
  );
  const hasDebt = (index: number) => bits[index] ?? null;
  const range = findLiquidationRange(state, bounds.liquidationTick, hasDebt, maxTicks);
  // Without a top tick, the program does not give away what it absorbed either.
  const absorbed = state.topmostTick === NO_TICK ? 0n : state.absorbedDebtAmount;
  if (range === null && absorbed === 0n) return null;
  const above = findLiquidationRange(state, bounds.maxTick, hasDebt, MAX_ABSORBED_TICKS);
  const absorbs = above !== null && isTooMuchBeside(above) ? above : null;
  const branches = await branchesFrom(read, id, state);
  const newBranchId = getNextTopBranchId(state);
  const ticks = (absorbs ?? range)?.ticks ?? [];
  const made = await read([
    deriveBranchAddress(id, newBranchId).address,
    ...ticks.map((tick) => deriveTickAddress(id, tick).address),
  ]);
  const missingTicks = ticks.filter((_, index) => made[index + 1] === null);
  const lowest = above === null ? bounds.liquidationTick : NO_TICK;
  const accountsOf = (named: LiquidationRange | null) => ({
    newBranchId,
    branches,
    ticks: named?.ticks ?? [],
    arrays: named === null ? [] : listArraysOfRange(named, lowest).filter((index) => bits[index] != null),
  });
  return {
    vault: {
      config,
      supplyTokenProgram: address(supplyMint?.owner ?? ''),
      borrowTokenProgram: address(borrowMint?.owner ?? ''),
      oracleSources: listed.oracleSources.map(({ source }) => address(source)),
    },
    accounts: accountsOf(range),
    absorbed,
    absorption: absorbs === null ? null : accountsOf(absorbs),
    setup: (signer) => [
      ...(made[0] === null ? [initBranch(signer, id, newBranchId)] : []),
      ...missingTicks.map((tick) => initTick(signer, id, tick)),
    ],
    lookupTable,
  };
}

/**
 * Whether ticks are to be absorbed by a transaction of their own. Where no debt stays below them, nobody could take what was
 * absorbed afterwards: the program liquidates nothing in a vault without a top tick.
 */
function isTooMuchBeside({ ticks, nextTick }: LiquidationRange): boolean {
  return ticks.length > MAX_ABSORBED_BESIDE && nextTick !== NO_TICK;
}

/** The current branch and those that it is connected with, each read when its id is known. */
async function branchesFrom(read: Read, vaultId: number, state: VaultState): Promise<readonly number[]> {
  const connected = new Map<number, number>();
  let id = state.currentBranchId;
  while (id > 0 && connected.size < MAX_BRANCHES && !connected.has(id)) {
    const [account] = await read([deriveBranchAddress(vaultId, id).address]);
    if (account === null || account === undefined) break;
    connected.set(id, BRANCH.decode(account.data).connectedBranchId);
    id = connected.get(id) ?? 0;
  }
  return listLiquidationBranches(state, (each) => connected.get(each) ?? null);
}

function dataOf(account: ReadAccount | null | undefined, what: string): Uint8Array {
  if (account === null || account === undefined) throw new Error(`the vault has no ${what} account`);
  return account.data;
}
