import type { ExactJson } from '../../../../base/exact-json.ts';
import {
  getCoordinate,
  getFixed,
  getMember,
  getText,
  getWhole,
  isFlagSet,
  listItems,
} from '../../../../base/read-json.ts';
import { computeShare } from '../../../../base/fixed-point.ts';
import { isAddress } from '../../../../base/is-address.ts';
import { type LendToken, readLendToken, readYearlyRate } from './earn.ts';

/** The market whose vaults are shown: each numbers its own from 1. */
export type BorrowMarket = 'main' | 'ethena';

/** Terms and state of a vault. Amounts are in smallest units, rates and shares in millionths. */
export interface BorrowVault {
  readonly id: number;
  readonly address: string | null;
  readonly collateral: LendToken;
  readonly debt: LendToken;
  /** The most debt per collateral that an owner may take on. */
  readonly collateralFactor: bigint | null;
  /** Debt per collateral from which a position can be liquidated. */
  readonly threshold: bigint | null;
  /** Debt per collateral from which the vault takes a position over. */
  readonly maxLimit: bigint | null;
  readonly penalty: bigint | null;
  readonly supplyRate: bigint | null;
  readonly borrowRate: bigint | null;
  readonly supplied: bigint | null;
  readonly borrowed: bigint | null;
  readonly borrowable: bigint | null;
  readonly withdrawable: bigint | null;
  readonly minimumBorrowing: bigint | null;
  readonly positions: number | null;
  /** Whole debt tokens for one whole collateral token, with `ORACLE_PLACES`; null while no price is usable. */
  readonly price: bigint | null;
  /** Unix seconds of the oldest feed of the price. */
  readonly pricedAt: number | null;
  /** How much of what may be borrowed is borrowed; null if that is not known. */
  readonly utilisation: bigint | null;
}

/** A loan of a wallet. */
export interface BorrowPosition {
  readonly id: number;
  readonly vault: BorrowVault;
  readonly mint: string | null;
  readonly supplied: bigint;
  readonly borrowed: bigint;
  readonly isLiquidated: boolean;
  readonly takenCollateral: bigint;
  readonly paidDebt: bigint;
}

/** Digits behind the point of the prices of oracles. */
export const ORACLE_PLACES = 15;
/** Factors are in tenths of a percent; the page has millionths. */
const MILLIONTHS_OF_FACTOR = 1_000n;

/** Reads the list of vaults. An entry whose tokens cannot be read is left out. */
export function readBorrowVaults(body: ExactJson | undefined): readonly BorrowVault[] {
  return listItems(body).flatMap((entry) => readVault(entry) ?? []);
}

/** Reads the loans of a wallet, closed ones left out. */
export function readBorrowPositions(body: ExactJson | undefined): readonly BorrowPosition[] {
  return listItems(body).flatMap((entry) => {
    const vault = readVault(getMember(entry, 'vault') ?? null);
    const id = readId(entry);
    const supplied = getWhole(entry, 'supply');
    const borrowed = getWhole(entry, 'borrow');
    if (vault === null || id === null || supplied === null || borrowed === null) return [];
    const isLiquidated = isFlagSet(entry, 'isLiquidated');
    if (supplied <= 0n && borrowed <= 0n && !isLiquidated) return [];
    return [
      {
        id,
        vault,
        mint: readMint(entry),
        supplied,
        borrowed,
        isLiquidated,
        takenCollateral: getWhole(entry, 'supplyLiquidation') ?? 0n,
        paidDebt: getWhole(entry, 'borrowLiquidation') ?? 0n,
      },
    ];
  });
}

function readVault(entry: ExactJson): BorrowVault | null {
  const collateral = readLendToken(getMember(entry, 'supplyToken'));
  const debt = readLendToken(getMember(entry, 'borrowToken'));
  const id = readId(entry);
  if (collateral === null || debt === null || id === null) return null;
  const borrowed = getWhole(entry, 'totalBorrow');
  const borrowable = getWhole(entry, 'borrowable');
  const price = getWhole(entry, 'oraclePriceLiquidate') ?? getWhole(entry, 'oraclePrice');
  return {
    id,
    address: readMint(entry),
    collateral,
    debt,
    collateralFactor: readFactor(entry, 'collateralFactor'),
    threshold: readFactor(entry, 'liquidationThreshold'),
    maxLimit: readFactor(entry, 'liquidationMaxLimit'),
    penalty: readYearlyRate(entry, 'liquidationPenalty'),
    supplyRate: readYearlyRate(entry, 'supplyRate'),
    borrowRate: readYearlyRate(entry, 'borrowRate'),
    supplied: getWhole(entry, 'totalSupply'),
    borrowed,
    borrowable,
    withdrawable: getWhole(entry, 'withdrawable'),
    minimumBorrowing: getWhole(entry, 'minimumBorrowing'),
    positions: getCoordinate(entry, 'totalPositions'),
    price: price !== null && price > 0n ? price : null,
    pricedAt: getCoordinate(entry, 'oracleTimestamp'),
    utilisation:
      borrowed === null || borrowable === null ? null : computeShare(borrowed, borrowed + borrowable),
  };
}

function readFactor(entry: ExactJson, name: string): bigint | null {
  const factor = getFixed(entry, name, 0);
  return factor === null ? null : factor * MILLIONTHS_OF_FACTOR;
}

function readId(entry: ExactJson): number | null {
  const id = getCoordinate(entry, 'id');
  return id !== null && Number.isSafeInteger(id) && id >= 0 ? id : null;
}

function readMint(entry: ExactJson): string | null {
  const mint = getText(entry, 'address');
  return mint !== null && isAddress(mint) ? mint : null;
}
