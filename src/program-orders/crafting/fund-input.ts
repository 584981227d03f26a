import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { closeAccount, syncNative } from '../../solana/programs/token/instructions.ts';
import { TOKEN_ACCOUNT_RENT } from '../../transactions/build/closings.ts';
import type { CreatedAccount, Rents, WalletSpending } from '../../transactions/build/costs.ts';

/** What a wallet deposits into an order. */
export interface OrderInput {
  readonly wallet: Address;
  /** Pays the rent of an account that is created. */
  readonly payer: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  /** Atoms. */
  readonly amount: bigint;
  /** Whether SOL is wrapped for the order. It changes nothing for other tokens. */
  readonly wrapsSol: boolean;
}

/** How the input of an order gets into the wallet's associated account, from which the program takes it. */
export interface InputFunding {
  readonly account: Address;
  readonly creations: readonly CreatedAccount[];
  readonly spends: readonly WalletSpending[];
  /** Instructions before that of the program. */
  readonly before: (rents: Rents) => readonly Instruction[];
  /** Instructions after it. */
  readonly after: (rents: Rents) => readonly Instruction[];
}

/**
 * Finds how the input of an order is funded. SOL is wrapped, in an account that is closed again unless the wallet had it
 * before; other tokens lie in the wallet's associated account already. When the account is closed, the wallet gets what it
 * holds and its rent, also if the payer has paid that rent.
 */
export function createInputFunding({
  wallet,
  payer,
  mint,
  tokenProgram,
  amount,
  wrapsSol,
}: OrderInput): InputFunding {
  const account = deriveAssociatedTokenAddress(wallet, mint, tokenProgram);
  if (mint !== WRAPPED_SOL_MINT || !wrapsSol) {
    const spends = [{ wallet, amount, tokenAccount: account }];
    return { account, creations: [], spends, before: () => [], after: () => [] };
  }
  const create = createAssociatedTokenIdempotent({ payer, owner: wallet, mint, tokenProgram }, account);
  const close = closeAccount(TOKEN_PROGRAM, { account, destination: wallet, authority: wallet });
  return {
    account,
    creations: [{ account, rent: () => TOKEN_ACCOUNT_RENT, isReturned: payer === wallet, paidBy: payer }],
    spends: [{ wallet, amount, tokenAccount: null }],
    before: () => [create, transferLamports(wallet, account, amount), syncNative(TOKEN_PROGRAM, account)],
    after: ({ missing }) => (missing.has(account) ? [close] : []),
  };
}
