import type { Account } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { isPaidOutOnClosing, TOKEN_2022_PROGRAM } from '../../solana/program-addresses.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { TOKEN_ACCOUNT_SIZE } from '../../solana/programs/token/account.ts';
import { computeAssociatedAccountSize } from '../../solana/programs/token/associated-size.ts';
import { closeAccount } from '../../solana/programs/token/instructions.ts';
import { decodeMint } from '../../solana/programs/token/mint.ts';
import { harvestWithheldFees, findTransferFeeConfig } from '../../solana/programs/token/transfer-fee.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';

/**
 * How a token account that the swap passes through is closed again, in favour of whoever paid its rent. It is done only
 * if the transaction itself creates the account: what the taker had before stays as it is.
 */
export interface ClosingInstructions {
  readonly account: Address;
  readonly instructions: readonly Instruction[];
}

/** A token account of the taker's that is empty after the swap if the swap has created it. */
export interface EmptiedAccount {
  readonly account: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  /** Whether transfers into the account withhold fees, with which it cannot be closed. Default: no. */
  readonly withholdsFees?: boolean;
}

export interface ClosingParties {
  readonly taker: Address;
  readonly payer: Address;
  /** Whether SOL that others have sent into the account is the payer's, and not the taker's. Default: no. */
  readonly payerKeepsRest?: boolean;
}

/** Rent of an account of wrapped SOL or any other mint of the token program. */
export const TOKEN_ACCOUNT_RENT = computeRentExemptMinimum(TOKEN_ACCOUNT_SIZE);

export function createClosingInstructions(
  { taker, payer, payerKeepsRest = false }: ClosingParties,
  { account, mint, tokenProgram, withholdsFees = false }: EmptiedAccount,
): ClosingInstructions {
  const close = (destination: Address) =>
    closeAccount(tokenProgram, { account, destination, authority: taker });
  if (isPaidOutOnClosing(mint) && payer !== taker && !payerKeepsRest) {
    // Closing pays out tokens as well, and those that somebody has sent in the meantime are the taker's.
    const rent = computeRentExemptMinimum(computeAssociatedAccountSize(tokenProgram, { extensions: [] }));
    return { account, instructions: [close(taker), transferLamports(taker, payer, rent)] };
  }
  const harvests = withholdsFees ? [harvestWithheldFees(mint, [account])] : [];
  return { account, instructions: [...harvests, close(payer)] };
}

/** Whether transfers of a mint withhold fees in the accounts that they go to. */
export function withholdsFees(mint: Pick<Account, 'owner' | 'data'> | null): boolean {
  if (mint?.owner !== TOKEN_2022_PROGRAM) return false;
  return findTransferFeeConfig(decodeMint(mint.data).extensions) !== null;
}
