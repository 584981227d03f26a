import type { Address } from '../../solana/address.ts';
import { addSigner, type Instruction } from '../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress, deriveSeededAddress } from '../../solana/pda.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { createAccountWithSeed, transferLamports } from '../../solana/programs/system.ts';
import { computeAccountSize } from '../../solana/programs/token/associated-size.ts';
import { initializeAccount, syncNative, transferChecked } from '../../solana/programs/token/instructions.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import type { TransactionPlan } from '../../transactions/build/build-transaction.ts';
import { listWritableAccounts } from '../../transactions/build/transaction-message.ts';
import type { OrderMint } from '../landing/order-mint.ts';

export interface DepositParties {
  readonly wallet: Address;
  readonly vault: Address;
  /** The key of the service that signs too, so that only Sluice can land the deposit. */
  readonly coSigner: Address;
}

/** A deposit whose account is known. */
export interface PlannedDeposit {
  /** The token account of the vault that the deposit creates and pays into. */
  readonly account: Address;
  readonly plan: TransactionPlan;
}

/**
 * Plans the transaction that moves tokens of the wallet into a new token account of its vault. Its form is the recorded one
 * of the public service: a legacy message in which the wallet pays, the account is created with a seed of the vault, and the
 * co-signer is named at the end of the transfer.
 *
 * SOL is wrapped in the wallet's associated account first, which stays open if the transaction creates it: public clients
 * accept a transfer out of that account alone, and refuse to sign for closing it.
 *
 * @param seed - 32 hexadecimal digits that no other deposit of the vault has.
 */
export function planDeposit(
  parties: DepositParties,
  deposited: OrderMint,
  amount: bigint,
  seed: string,
): PlannedDeposit {
  const { wallet, vault } = parties;
  const { mint, tokenProgram, facts } = deposited;
  const account = deriveSeededAddress(vault, seed, tokenProgram);
  const source = deriveAssociatedTokenAddress(wallet, mint, tokenProgram);
  const size = computeAccountSize(tokenProgram, facts);
  const rent = computeRentExemptMinimum(size);
  const isWrapped = mint === WRAPPED_SOL_MINT;
  const transfer = addSigner(
    transferChecked(tokenProgram, {
      source,
      mint,
      destination: account,
      authority: wallet,
      amount,
      decimals: facts.decimals,
    }),
    parties.coSigner,
  );
  const instructions = [
    ...(isWrapped ? wrapSol(wallet, source, tokenProgram, amount) : []),
    createAccountWithSeed({
      payer: wallet,
      account,
      base: vault,
      seed,
      lamports: rent,
      space: BigInt(size),
      owner: tokenProgram,
    }),
    initializeAccount(tokenProgram, { account, mint, owner: vault }),
    transfer,
  ];
  const created = { account, rent: () => rent, isReturned: false };
  return {
    account,
    plan: {
      feePayer: wallet,
      instructions: () => instructions,
      lookupTables: null,
      version: 'legacy',
      creations: isWrapped ? [{ ...created, account: source }, created] : [created],
      spends: [{ wallet, amount, tokenAccount: isWrapped ? null : source }],
      tip: 0n,
      priority: { asked: null, competesFor: listWritableAccounts(transfer), isSponsored: false },
      serial: 0,
    },
  };
}

function wrapSol(
  wallet: Address,
  account: Address,
  tokenProgram: Address,
  lamports: bigint,
): readonly Instruction[] {
  const setup = { payer: wallet, owner: wallet, mint: WRAPPED_SOL_MINT, tokenProgram };
  return [
    createAssociatedTokenIdempotent(setup, account),
    transferLamports(wallet, account, lamports),
    syncNative(tokenProgram, account),
  ];
}
