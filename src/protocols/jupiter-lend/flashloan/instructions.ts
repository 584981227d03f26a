import { divideUp } from '../../../solana/units.ts';
import type { Address } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import {
  type Instruction,
  readonly,
  writable,
  writableSigner,
} from '../../../solana/messages/instruction.ts';
import {
  deriveAssociatedTokenAddress,
  findProgramAddress,
  type ProgramAddress,
} from '../../../solana/pda.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_INSTRUCTIONS,
} from '../../../solana/program-addresses.ts';
import { WHOLE } from '../lending-base/amounts.ts';
import {
  deriveBorrowPositionAddress,
  LIQUIDITY,
  deriveRateModelAddress,
  deriveReserveAddress,
  deriveReserveVaultAddress,
} from '../liquidity/addresses.ts';
import { FLASHLOAN_PROGRAM, LIQUIDITY_PROGRAM } from '../lending-base/programs.ts';

// The instructions of the flashloan program. Source: the public IDL `flashloan`.

/** The account with the state and the fee of flash loans. It is the protocol that borrows from the liquidity program. */
export const FLASHLOAN_ADMIN: ProgramAddress = findProgramAddress(FLASHLOAN_PROGRAM, [
  Buffer.from('flashloan_admin'),
]);

const TAG = { borrow: '67134e18f009873f', payback: 'd52f998954f35ee8' } as const;

/** A token that is lent for the length of one transaction. */
export interface FlashloanToken {
  readonly mint: Address;
  /** The program of the mint. */
  readonly tokenProgram: Address;
}

/**
 * Lends tokens to the signer's associated account. The transaction must pay them back by a top-level instruction.
 *
 * @param amount - Atoms; the program refuses fewer than 1,000.
 */
export function flashloanBorrow(signer: Address, token: FlashloanToken, amount: bigint): Instruction {
  return instruction(TAG.borrow, signer, token, amount);
}

/**
 * Pays a loan of the same transaction back, from the signer's associated account.
 *
 * @param amount - Atoms, exactly what was borrowed. The program takes the fee in addition: `computeFlashloanPayback`.
 */
export function flashloanPayback(signer: Address, token: FlashloanToken, amount: bigint): Instruction {
  return instruction(TAG.payback, signer, token, amount);
}

/**
 * Computes the amount with which a loan is paid back.
 *
 * @param fee - Basis points. The fee is rounded up.
 */
export function computeFlashloanPayback(amount: bigint, fee: bigint): bigint {
  return amount + divideUp(amount * fee, WHOLE);
}

function instruction(
  tag: string,
  signer: Address,
  { mint, tokenProgram }: FlashloanToken,
  amount: bigint,
): Instruction {
  const accounts = [
    writableSigner(signer),
    writable(FLASHLOAN_ADMIN.address),
    writable(deriveAssociatedTokenAddress(signer, mint, tokenProgram)),
    readonly(mint),
    writable(deriveReserveAddress(mint)),
    writable(deriveBorrowPositionAddress(mint, FLASHLOAN_ADMIN.address)),
    readonly(deriveRateModelAddress(mint)),
    writable(deriveReserveVaultAddress(mint, tokenProgram)),
    readonly(LIQUIDITY.address),
    readonly(LIQUIDITY_PROGRAM),
    readonly(tokenProgram),
    readonly(ASSOCIATED_TOKEN_PROGRAM),
    readonly(SYSTEM_PROGRAM),
    readonly(SYSVAR_INSTRUCTIONS),
  ];
  const data = new ByteWriter(16).bytes(Buffer.from(tag, 'hex')).u64(amount).finish();
  return { programAddress: FLASHLOAN_PROGRAM, accounts, data };
}
