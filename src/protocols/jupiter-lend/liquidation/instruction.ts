import type { Address } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  writable,
  writableSigner,
} from '../../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import {
  deriveBorrowPositionAddress,
  deriveClaimAddress,
  LIQUIDITY,
  deriveRateModelAddress,
  deriveReserveAddress,
  deriveReserveVaultAddress,
  deriveSupplyPositionAddress,
} from '../liquidity/addresses.ts';
import { VAULTS_PROGRAM } from '../lending-base/programs.ts';
import {
  deriveBranchAddress,
  deriveTickAddress,
  deriveTickHasDebtAddress,
  deriveVaultConfigAddress,
  deriveVaultStateAddress,
} from '../vaults/state/addresses.ts';
import { type OperateVault, TRANSFER_DIRECT } from '../vaults/instructions.ts';

// This folder is what a liquidator needs: which ticks to take, whether it pays, and the instruction. No room imports it. The
// example liquidator (examples/liquidator.ts) does, which `sluice start --liquidator` runs, and the tests of the vaults.

const TAG = Buffer.from('dfb3e27d302e274a', 'hex');

/** The accounts of a vault that a liquidation lists after the fixed accounts of the instruction. */
export interface LiquidationAccounts {
  /** The branch that becomes the current one if the vault's branch was liquidated before. */
  readonly newBranchId: number;
  /** The result of `branchesOf`. */
  readonly branches: readonly number[];
  readonly ticks: readonly number[];
  /** The indexes of the arrays of bits that mark the ticks with debt. */
  readonly arrays: readonly number[];
}

export interface LiquidationTerms {
  /** The maximum debt to pay back, in atoms. The largest u64 means all of it. */
  readonly debt: bigint;
  /** The result of `computeMinimumCollateralPerDebt`. 0 accepts any price. */
  readonly collateralPerDebt: bigint;
  /** Whether to take absorbed debt first. */
  readonly absorb: boolean;
}

/**
 * Pays back debt of positions above the liquidation threshold, in exchange for collateral and a penalty. Source: the
 * public IDL `vaults`.
 *
 * @param signer - Pays the debt from its associated account.
 * @param to - Receives the collateral in its associated account. With the address of the system program, the
 *   liquidation is a dry run, which fails with VaultLiquidationResult and logs the amounts.
 */
export function liquidate(
  vault: OperateVault,
  signer: Address,
  to: Address,
  accounts: LiquidationAccounts,
  { debt, collateralPerDebt, absorb }: LiquidationTerms,
): Instruction {
  const { vaultId } = vault.config;
  const { oracleSources } = vault;
  const { branches, ticks, arrays } = accounts;
  const data = new ByteWriter(64).bytes(TAG).u64(debt).u128(collateralPerDebt).bool(absorb);
  data.u8(1).u8(TRANSFER_DIRECT);
  data.u32(4).u8(oracleSources.length).u8(branches.length).u8(ticks.length).u8(arrays.length);
  return {
    programAddress: VAULTS_PROGRAM,
    accounts: [
      ...ownAccounts(vault, signer, to, accounts.newBranchId),
      ...oracleSources.map(readonly),
      ...branches.map((id) => writable(deriveBranchAddress(vaultId, id).address)),
      ...ticks.map((tick) => writable(deriveTickAddress(vaultId, tick).address)),
      ...arrays.map((index) => writable(deriveTickHasDebtAddress(vaultId, index).address)),
    ],
    data: data.finish(),
  };
}

function ownAccounts(
  { config, supplyTokenProgram, borrowTokenProgram }: OperateVault,
  signer: Address,
  to: Address,
  newBranchId: number,
): AccountMeta[] {
  const { vaultId, supplyToken, borrowToken } = config;
  const protocol = deriveVaultConfigAddress(vaultId).address;
  return [
    writableSigner(signer),
    writable(deriveAssociatedTokenAddress(signer, borrowToken, borrowTokenProgram)),
    readonly(to),
    writable(deriveAssociatedTokenAddress(to, supplyToken, supplyTokenProgram)),
    readonly(protocol),
    writable(deriveVaultStateAddress(vaultId).address),
    readonly(supplyToken),
    readonly(borrowToken),
    readonly(config.oracle),
    writable(deriveBranchAddress(vaultId, newBranchId).address),
    writable(deriveReserveAddress(supplyToken)),
    writable(deriveReserveAddress(borrowToken)),
    writable(deriveSupplyPositionAddress(supplyToken, protocol)),
    writable(deriveBorrowPositionAddress(borrowToken, protocol)),
    readonly(deriveRateModelAddress(supplyToken)),
    readonly(deriveRateModelAddress(borrowToken)),
    // Collateral is paid out at once and leaves no claim, but the public SDK lists this account anyway.
    writable(deriveClaimAddress(protocol, supplyToken)),
    readonly(LIQUIDITY.address),
    readonly(config.liquidityProgram),
    writable(deriveReserveVaultAddress(supplyToken, supplyTokenProgram)),
    writable(deriveReserveVaultAddress(borrowToken, borrowTokenProgram)),
    readonly(supplyTokenProgram),
    readonly(borrowTokenProgram),
    readonly(SYSTEM_PROGRAM),
    readonly(ASSOCIATED_TOKEN_PROGRAM),
    readonly(config.oracleProgram),
  ];
}

const RESULT = /VaultLiquidationResult: \[(\d+), (\d+), (-?\d+)\]/;

/** The amounts that a liquidation would move, in atoms. */
export interface SimulatedLiquidation {
  readonly collateral: bigint;
  readonly debt: bigint;
}

/**
 * Reads the result from the logs of a dry run: see `liquidate`.
 *
 * Returns null when the logs have no result, or nothing can be liquidated.
 */
export function parseLiquidationResult(logs: readonly string[]): SimulatedLiquidation | null {
  for (const line of logs) {
    const found = RESULT.exec(line);
    if (found === null) continue;
    const [, collateral = '0', debt = '0'] = found;
    if (BigInt(debt) === 0n || BigInt(collateral) === 0n) return null;
    return { collateral: BigInt(collateral), debt: BigInt(debt) };
  }
  return null;
}
