import type { Address } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  writable,
  writableSigner,
} from '../../solana/messages/instruction.ts';
import { associatedTokenAddress } from '../../solana/pda.ts';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import {
  borrowPositionAddress,
  claimAddress,
  LIQUIDITY,
  rateModelAddress,
  reserveAddress,
  reserveVaultAddress,
  supplyPositionAddress,
} from '../liquidity/addresses.ts';
import { VAULTS_PROGRAM } from '../programs.ts';
import {
  branchAddress,
  tickAddress,
  tickHasDebtAddress,
  vaultConfigAddress,
  vaultStateAddress,
} from '../vaults/addresses.ts';
import type { OperateVault } from '../vaults/instructions.ts';

const TAG = Buffer.from('dfb3e27d302e274a', 'hex');
/** Tokens go straight to the recipient's account. */
const TRANSFER_DIRECT = 1;

/** Which accounts of a vault a liquidation names behind the instruction's own. */
export interface LiquidationAccounts {
  /** The branch that becomes the current one if the vault's branch was liquidated before. */
  readonly newBranchId: number;
  /** What `branchesOf` returns. */
  readonly branches: readonly number[];
  readonly ticks: readonly number[];
  /** Of the bits that say which ticks have debt. */
  readonly arrays: readonly number[];
}

export interface LiquidationTerms {
  /** The most debt to pay back, in atoms. The largest u64 stands for all. */
  readonly debt: bigint;
  /** What `leastCollateralPerDebt` returns; 0 accepts anything. */
  readonly collateralPerDebt: bigint;
  /** Whether to take absorbed debt first. */
  readonly absorb: boolean;
}

/**
 * Pays back debt of positions above the liquidation threshold for their collateral and the penalty. Source: the public IDL
 * `vaults`.
 *
 * @param signer - Pays the debt from its associated account.
 * @param to - Gets the collateral into its associated account. The system program asks only for the result: the
 *   liquidation then ends in the error VaultLiquidationResult and logs the amounts.
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
      ...branches.map((id) => writable(branchAddress(vaultId, id).address)),
      ...ticks.map((tick) => writable(tickAddress(vaultId, tick).address)),
      ...arrays.map((index) => writable(tickHasDebtAddress(vaultId, index).address)),
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
  const protocol = vaultConfigAddress(vaultId).address;
  return [
    writableSigner(signer),
    writable(associatedTokenAddress(signer, borrowToken, borrowTokenProgram)),
    readonly(to),
    writable(associatedTokenAddress(to, supplyToken, supplyTokenProgram)),
    readonly(protocol),
    writable(vaultStateAddress(vaultId).address),
    readonly(supplyToken),
    readonly(borrowToken),
    readonly(config.oracle),
    writable(branchAddress(vaultId, newBranchId).address),
    writable(reserveAddress(supplyToken)),
    writable(reserveAddress(borrowToken)),
    writable(supplyPositionAddress(supplyToken, protocol)),
    writable(borrowPositionAddress(borrowToken, protocol)),
    readonly(rateModelAddress(supplyToken)),
    readonly(rateModelAddress(borrowToken)),
    // Collateral is paid out at once and leaves no claim. The public SDK names this account all the same.
    writable(claimAddress(protocol, supplyToken)),
    readonly(LIQUIDITY.address),
    readonly(config.liquidityProgram),
    writable(reserveVaultAddress(supplyToken, supplyTokenProgram)),
    writable(reserveVaultAddress(borrowToken, borrowTokenProgram)),
    readonly(supplyTokenProgram),
    readonly(borrowTokenProgram),
    readonly(SYSTEM_PROGRAM),
    readonly(ASSOCIATED_TOKEN_PROGRAM),
    readonly(config.oracleProgram),
  ];
}

const RESULT = /VaultLiquidationResult: \[(\d+), (\d+), (-?\d+)\]/;

/** What a liquidation would move, in atoms. */
export interface LiquidationResult {
  readonly collateral: bigint;
  readonly debt: bigint;
}

/**
 * Reads what a liquidation to the system program's address logged.
 *
 * @returns Null when the logs have no result, or nothing can be liquidated.
 */
export function liquidationResult(logs: readonly string[]): LiquidationResult | null {
  for (const line of logs) {
    const found = RESULT.exec(line);
    if (found === null) continue;
    const [, collateral = '0', debt = '0'] = found;
    if (BigInt(debt) === 0n || BigInt(collateral) === 0n) return null;
    return { collateral: BigInt(collateral), debt: BigInt(debt) };
  }
  return null;
}
