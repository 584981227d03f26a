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
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_INSTRUCTIONS,
  SYSVAR_RENT,
  TOKEN_PROGRAM,
} from '../../../solana/program-addresses.ts';
import {
  deriveBorrowPositionAddress,
  LIQUIDITY,
  deriveRateModelAddress,
  deriveReserveAddress,
  deriveReserveVaultAddress,
  deriveSupplyPositionAddress,
} from '../liquidity/addresses.ts';
import { TOKEN_METADATA_PROGRAM } from '../../../solana/programs/token-metadata/program.ts';
import { VAULTS_PROGRAM } from '../lending-base/programs.ts';
import {
  deriveBranchAddress,
  deriveVaultPositionAddress,
  deriveVaultPositionMetadataAddress,
  deriveVaultPositionMintAddress,
  deriveVaultPositionTokenAddress,
  deriveTickAddress,
  deriveTickHasDebtAddress,
  deriveTickIdLiquidationAddress,
  VAULT_ADMIN,
  deriveVaultConfigAddress,
  deriveVaultStateAddress,
} from './state/addresses.ts';
import type { VaultConfig } from './state/layouts.ts';
import type { OperateAccounts, OperateParties, TickId } from './state/operate-accounts.ts';
import type { OperateAmounts } from './model/predict-operate.ts';

// The instructions of the vaults program for owners of positions. Source: the public IDL `vaults`.

const TAG = {
  initPosition: 'c5140a0161a0b15b',
  initTick: '160d3e8d4959b21d',
  initBranch: 'a25b3917e45d6f15',
  initTickIdLiquidation: '386e79a998f156b7',
  operate: 'd96ad06374972a87',
} as const;

/** Tokens go straight to the recipient's account. */
export const TRANSFER_DIRECT = 1;

/**
 * Creates an empty position. The signer receives its token.
 *
 * @param positionId - The vault's next one: the program refuses any other.
 */
export function initPosition(signer: Address, vaultId: number, positionId: number): Instruction {
  const accounts = [
    writableSigner(signer),
    readonly(VAULT_ADMIN.address),
    writable(deriveVaultStateAddress(vaultId).address),
    writable(deriveVaultPositionAddress(vaultId, positionId).address),
    writable(deriveVaultPositionMintAddress(vaultId, positionId).address),
    writable(deriveVaultPositionTokenAddress(vaultId, positionId, signer)),
    writable(deriveVaultPositionMetadataAddress(vaultId, positionId)),
    readonly(TOKEN_PROGRAM),
    readonly(ASSOCIATED_TOKEN_PROGRAM),
    readonly(SYSTEM_PROGRAM),
    readonly(SYSVAR_INSTRUCTIONS),
    readonly(TOKEN_METADATA_PROGRAM),
    readonly(SYSVAR_RENT),
  ];
  return instruction(TAG.initPosition, accounts, (to) => to.u16(vaultId).u32(positionId));
}

/** Creates the account of a tick. */
export function initTick(signer: Address, vaultId: number, tick: number): Instruction {
  const accounts = [
    writableSigner(signer),
    readonly(deriveVaultConfigAddress(vaultId).address),
    writable(deriveTickAddress(vaultId, tick).address),
    readonly(SYSTEM_PROGRAM),
  ];
  return instruction(TAG.initTick, accounts, (to) => to.u16(vaultId).i32(tick));
}

/** Creates the account of a branch. */
export function initBranch(signer: Address, vaultId: number, branchId: number): Instruction {
  const accounts = [
    writableSigner(signer),
    readonly(deriveVaultConfigAddress(vaultId).address),
    writable(deriveBranchAddress(vaultId, branchId).address),
    readonly(SYSTEM_PROGRAM),
  ];
  return instruction(TAG.initBranch, accounts, (to) => to.u16(vaultId).u32(branchId));
}

/** Creates the account for a life of a tick. The program accepts only the tick's current life. */
export function initTickIdLiquidation(signer: Address, vaultId: number, { tick, id }: TickId): Instruction {
  const accounts = [
    writableSigner(signer),
    readonly(deriveTickAddress(vaultId, tick).address),
    writable(deriveTickIdLiquidationAddress(vaultId, tick, id).address),
    readonly(SYSTEM_PROGRAM),
  ];
  return instruction(TAG.initTickIdLiquidation, accounts, (to) => to.u16(vaultId).i32(tick).u32(id));
}

/** The parts of a vault that every operation needs. */
export interface OperateVault {
  readonly config: VaultConfig;
  /** The token program of the collateral, like the next one of the debt. */
  readonly supplyTokenProgram: Address;
  readonly borrowTokenProgram: Address;
  /** The accounts from which the oracle computes its rate, in its order. */
  readonly oracleSources: readonly Address[];
}

/**
 * Deposits, withdraws, borrows and pays back, in any combination. The signer pays and receives the tokens.
 *
 * @param amounts - The requested amounts in atoms, or `MIN_I128` for everything.
 */
export function createOperateInstruction(
  vault: OperateVault,
  parties: OperateParties,
  positionId: number,
  accounts: OperateAccounts,
  amounts: OperateAmounts,
): Instruction {
  const { vaultId } = vault.config;
  const { oracleSources } = vault;
  const { branches, arrays } = accounts;
  return instruction(
    TAG.operate,
    [
      ...partyAccounts(vault, parties),
      ...positionAccounts(vault, parties, positionId, accounts),
      ...liquidityAccounts(vault),
      ...oracleSources.map(readonly),
      ...branches.map((id) => writable(deriveBranchAddress(vaultId, id).address)),
      ...arrays.map((index) => writable(deriveTickHasDebtAddress(vaultId, index).address)),
    ],
    (to) => {
      to.i128(amounts.collateral).i128(amounts.debt).u8(1).u8(TRANSFER_DIRECT);
      return to.u32(3).u8(oracleSources.length).u8(branches.length).u8(arrays.length);
    },
  );
}

function partyAccounts(vault: OperateVault, { signer }: OperateParties): AccountMeta[] {
  const { config, supplyTokenProgram, borrowTokenProgram } = vault;
  return [
    writableSigner(signer),
    writable(deriveAssociatedTokenAddress(signer, config.supplyToken, supplyTokenProgram)),
    writable(deriveAssociatedTokenAddress(signer, config.borrowToken, borrowTokenProgram)),
    // Without the accounts of a recipient, the signer receives the tokens.
    ABSENT,
    ABSENT,
    ABSENT,
  ];
}

function positionAccounts(
  { config }: OperateVault,
  { positionOwner }: OperateParties,
  positionId: number,
  accounts: OperateAccounts,
): AccountMeta[] {
  const { vaultId } = config;
  const { currentTickId, finalTickId } = accounts;
  return [
    readonly(deriveVaultConfigAddress(vaultId).address),
    writable(deriveVaultStateAddress(vaultId).address),
    readonly(config.supplyToken),
    readonly(config.borrowToken),
    readonly(config.oracle),
    writable(deriveVaultPositionAddress(vaultId, positionId).address),
    readonly(deriveVaultPositionTokenAddress(vaultId, positionId, positionOwner)),
    writable(deriveTickAddress(vaultId, accounts.currentTick).address),
    writable(deriveTickAddress(vaultId, accounts.finalTick).address),
    readonly(deriveTickIdLiquidationAddress(vaultId, currentTickId.tick, currentTickId.id).address),
    writable(deriveTickIdLiquidationAddress(vaultId, finalTickId.tick, finalTickId.id).address),
    writable(deriveBranchAddress(vaultId, accounts.newBranchId).address),
  ];
}

function liquidityAccounts({ config, supplyTokenProgram, borrowTokenProgram }: OperateVault): AccountMeta[] {
  const { supplyToken, borrowToken } = config;
  const protocol = deriveVaultConfigAddress(config.vaultId).address;
  return [
    writable(deriveReserveAddress(supplyToken)),
    writable(deriveReserveAddress(borrowToken)),
    writable(deriveSupplyPositionAddress(supplyToken, protocol)),
    writable(deriveBorrowPositionAddress(borrowToken, protocol)),
    readonly(deriveRateModelAddress(supplyToken)),
    readonly(deriveRateModelAddress(borrowToken)),
    writable(deriveReserveVaultAddress(supplyToken, supplyTokenProgram)),
    writable(deriveReserveVaultAddress(borrowToken, borrowTokenProgram)),
    ABSENT,
    ABSENT,
    readonly(LIQUIDITY.address),
    readonly(config.liquidityProgram),
    readonly(config.oracleProgram),
    readonly(supplyTokenProgram),
    readonly(borrowTokenProgram),
    readonly(ASSOCIATED_TOKEN_PROGRAM),
    readonly(SYSTEM_PROGRAM),
  ];
}

/** The placeholder for an optional account, as in all Anchor programs. */
const ABSENT: AccountMeta = readonly(VAULTS_PROGRAM);

function instruction(
  tag: string,
  accounts: AccountMeta[],
  write: (to: ByteWriter) => ByteWriter,
): Instruction {
  const data = write(new ByteWriter(64).bytes(Buffer.from(tag, 'hex'))).finish();
  return { programAddress: VAULTS_PROGRAM, accounts, data };
}
