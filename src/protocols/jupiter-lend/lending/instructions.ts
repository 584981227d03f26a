import type { Address } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import {
  type Instruction,
  readonly,
  writable,
  writableSigner,
} from '../../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import {
  deriveClaimAddress,
  LIQUIDITY,
  deriveRateModelAddress,
  deriveReserveAddress,
  deriveReserveVaultAddress,
  deriveSupplyPositionAddress,
} from '../liquidity/addresses.ts';
import { LENDING_PROGRAM, LIQUIDITY_PROGRAM } from '../lending-base/programs.ts';
import { LENDING_ADMIN, deriveLendingAddress, deriveReceiptMintAddress } from './addresses.ts';
import { deriveRewardsAddress } from '../lending-reward-rate-model/addresses.ts';

/** The four instructions by which users move assets, with the discriminators of the public IDL. */
const DISCRIMINATORS = {
  deposit: 'f223c68952e1f2b6',
  mint: '3339e12fb69289a6',
  withdraw: 'b712469c946da122',
  redeem: 'b80c569546c461e1',
} as const;

export type EarnAction = keyof typeof DISCRIMINATORS;

/** The signer and the token. */
export interface EarnParties {
  readonly signer: Address;
  /** The token that is deposited. */
  readonly mint: Address;
  /** The program that owns the mint, and with it the receipt mint. */
  readonly tokenProgram: Address;
  /** The signer's account of the receipt token; absent for the associated one. */
  readonly receiptAccount?: Address;
}

/**
 * Returns an instruction of the lending program that deposits or withdraws.
 *
 * @param action - `deposit` and `withdraw` count atoms of the token, `mint` and `redeem` atoms of the receipt token.
 * @param amount - Atoms. 2^64 - 1 means the whole balance of the signer.
 *
 * @example
 * ```ts
 * import { type EarnParties, createEarnInstruction } from './instructions.ts';
 *
 * export const depositAll = (parties: EarnParties) => createEarnInstruction('deposit', parties, (1n << 64n) - 1n);
 * ```
 */
export function createEarnInstruction(action: EarnAction, parties: EarnParties, amount: bigint): Instruction {
  const deposits = action === 'deposit' || action === 'mint';
  return {
    programAddress: LENDING_PROGRAM,
    accounts: deposits ? depositAccounts(parties) : withdrawAccounts(parties),
    data: new ByteWriter(16).bytes(Buffer.from(DISCRIMINATORS[action], 'hex')).u64(amount).finish(),
  };
}

function depositAccounts(parties: EarnParties): Instruction['accounts'] {
  const { signer, mint, tokenProgram } = parties;
  return [
    writableSigner(signer),
    writable(deriveAssociatedTokenAddress(signer, mint, tokenProgram)),
    writable(getReceiptAccount(parties)),
    readonly(mint),
    readonly(LENDING_ADMIN.address),
    writable(deriveLendingAddress(mint).address),
    writable(deriveReceiptMintAddress(mint)),
    ...reserveAccounts(parties),
    writable(LIQUIDITY.address),
    ...programAccounts(parties),
  ];
}

function withdrawAccounts(parties: EarnParties): Instruction['accounts'] {
  const { signer, mint, tokenProgram } = parties;
  return [
    writableSigner(signer),
    writable(getReceiptAccount(parties)),
    writable(deriveAssociatedTokenAddress(signer, mint, tokenProgram)),
    readonly(LENDING_ADMIN.address),
    writable(deriveLendingAddress(mint).address),
    readonly(mint),
    writable(deriveReceiptMintAddress(mint)),
    ...reserveAccounts(parties),
    writable(deriveClaimAddress(LENDING_ADMIN.address, mint)),
    writable(LIQUIDITY.address),
    ...programAccounts(parties),
  ];
}

function getReceiptAccount({ signer, mint, tokenProgram, receiptAccount }: EarnParties): Address {
  return receiptAccount ?? deriveAssociatedTokenAddress(signer, deriveReceiptMintAddress(mint), tokenProgram);
}

function reserveAccounts({ mint, tokenProgram }: EarnParties): Instruction['accounts'] {
  return [
    writable(deriveReserveAddress(mint)),
    writable(deriveSupplyPositionAddress(mint, deriveLendingAddress(mint).address)),
    readonly(deriveRateModelAddress(mint)),
    writable(deriveReserveVaultAddress(mint, tokenProgram)),
  ];
}

function programAccounts({ mint, tokenProgram }: EarnParties): Instruction['accounts'] {
  return [
    readonly(LIQUIDITY_PROGRAM),
    readonly(deriveRewardsAddress(mint).address),
    readonly(tokenProgram),
    readonly(ASSOCIATED_TOKEN_PROGRAM),
    readonly(SYSTEM_PROGRAM),
  ];
}
