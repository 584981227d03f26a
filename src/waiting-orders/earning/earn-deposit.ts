import type { Address } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress, deriveSeededAddress } from '../../solana/pda.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { createAccountWithSeed } from '../../solana/programs/system.ts';
import {
  computeAccountSize,
  computeAssociatedAccountSize,
} from '../../solana/programs/token/associated-size.ts';
import { Authority, initializeAccount, setAuthority } from '../../solana/programs/token/instructions.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import type { TransactionPlan } from '../../transactions/build/build-transaction.ts';
import { listWritableAccounts } from '../../transactions/build/transaction-message.ts';
import type { OrderMint } from '../landing/order-mint.ts';
import type { EarnProgram } from './earn-program.ts';

/** What is lent out, and by whom. */
export interface EarnDeposit {
  readonly wallet: Address;
  readonly vault: Address;
  readonly input: OrderMint;
  readonly output: OrderMint;
  /** The mint of the shares. */
  readonly shares: OrderMint;
  /** Atoms of the input, at least 1. */
  readonly amount: bigint;
}

/**
 * Plans the transaction that lends tokens of the wallet out, with the shares in a new account of its vault. It is a legacy message
 * like other deposits. Only Sluice can land it, because the vault signs it, so that it needs no co-signer, for which it has no room.
 *
 * The program pays shares to the account of whoever lends. So the new account, whose address follows from the vault, is the wallet's
 * until the shares are in it, and then becomes the vault's. The wallet pays exactly the amount, the vault signs nothing that has to
 * do with lending, and no account is needed in between. Like other deposits for rounds, it opens the wallet's account for the
 * output if that is missing.
 *
 * @param seed - 32 hexadecimal digits that no other deposit of the vault has.
 */
export function planEarnDeposit(
  earn: Pick<EarnProgram, 'createDeposit'>,
  { wallet, vault, input, output, shares, amount }: EarnDeposit,
  seed: string,
): { readonly account: Address; readonly plan: TransactionPlan } {
  const { tokenProgram } = shares;
  const account = deriveSeededAddress(vault, seed, tokenProgram);
  const source = deriveAssociatedTokenAddress(wallet, input.mint, tokenProgram);
  const size = computeAccountSize(tokenProgram, shares.facts);
  const rent = computeRentExemptMinimum(size);
  const deposit = earn.createDeposit(
    { signer: wallet, mint: input.mint, tokenProgram, receiptAccount: account },
    amount,
  );
  const authority = Authority.ACCOUNT_OWNER;
  const handover = setAuthority(tokenProgram, { of: account, authority, current: wallet, next: vault });
  const paid = output.mint === WRAPPED_SOL_MINT ? null : planPaidAccount(wallet, output);
  const instructions = [
    createAccountWithSeed({
      payer: wallet,
      account,
      base: vault,
      seed,
      lamports: rent,
      space: BigInt(size),
      owner: tokenProgram,
    }),
    initializeAccount(tokenProgram, { account, mint: shares.mint, owner: wallet }),
    deposit,
    handover,
  ];
  return {
    account,
    plan: {
      feePayer: wallet,
      instructions: ({ missing }) =>
        paid !== null && missing.has(paid.account) ? [paid.create, ...instructions] : instructions,
      lookupTables: null,
      version: 'legacy',
      creations: [
        ...(paid === null ? [] : [paid.creation]),
        { account, rent: () => rent, isReturned: false },
      ],
      spends: [{ wallet, amount, tokenAccount: source }],
      tip: 0n,
      priority: { asked: null, competesFor: listWritableAccounts(deposit), isSponsored: false },
      serial: 0,
    },
  };
}

/** The wallet's associated account of the output. */
function planPaidAccount(wallet: Address, { mint, tokenProgram, facts }: OrderMint) {
  const account = deriveAssociatedTokenAddress(wallet, mint, tokenProgram);
  const rent = computeRentExemptMinimum(computeAssociatedAccountSize(tokenProgram, facts));
  const setup = { payer: wallet, owner: wallet, mint, tokenProgram };
  return {
    account,
    create: createAssociatedTokenIdempotent(setup, account),
    creation: { account, rent: () => rent, isReturned: false },
  };
}
