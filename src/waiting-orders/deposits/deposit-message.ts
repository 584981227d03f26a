import type { Address } from '../../solana/address.ts';
import { addSigner, type Instruction } from '../../solana/messages/instruction.ts';
import { computeOutputSeed } from '../../custody/checks/output-account.ts';
import { deriveAssociatedTokenAddress, deriveSeededAddress } from '../../solana/pda.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { createAccountWithSeed, transferLamports } from '../../solana/programs/system.ts';
import {
  computeAccountSize,
  computeAssociatedAccountSize,
} from '../../solana/programs/token/associated-size.ts';
import { initializeAccount, syncNative, transferChecked } from '../../solana/programs/token/instructions.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import type { TransactionPlan } from '../../transactions/build/build-transaction.ts';
import { listWritableAccounts } from '../../transactions/build/transaction-message.ts';
import type { OrderMint } from '../landing/order-mint.ts';
import type { DepositKind } from './order-request.ts';

export interface DepositParties {
  readonly wallet: Address;
  readonly vault: Address;
  /** The key of the service that signs too, so that only Sluice can land the deposit. */
  readonly coSigner: Address;
}

/** What a deposit is to do. */
export interface DepositedTokens {
  readonly input: OrderMint;
  readonly output: OrderMint;
  /** Atoms of the input. */
  readonly amount: bigint;
  readonly kind: DepositKind;
}

/** A deposit whose accounts are known. */
export interface PlannedDeposit {
  /** The token account of the vault that the deposit creates and pays into. */
  readonly account: Address;
  /** The second one, for what an `otoco` order buys; null for others. */
  readonly outputAccount: Address | null;
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
 * A recurring order leaves its account open, so that no rent is left to open an account of the wallet for the output. The deposit
 * opens it if it is missing.
 *
 * @param seed - 32 hexadecimal digits that no other account of the vault has. Those of the second account follow from the first.
 */
export function planDeposit(
  parties: DepositParties,
  { input, output, amount, kind }: DepositedTokens,
  seed: string,
): PlannedDeposit {
  const { wallet } = parties;
  const { mint, tokenProgram, facts } = input;
  const held = planVaultAccount(parties, input, seed);
  const outputSeed = computeOutputSeed(held.account);
  const bought = kind === 'otoco' ? planVaultAccount(parties, output, outputSeed) : null;
  const paid =
    kind === 'recurring' && output.mint !== WRAPPED_SOL_MINT ? planPaidAccount(wallet, output) : null;
  const { account } = held;
  const source = deriveAssociatedTokenAddress(wallet, mint, tokenProgram);
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
  const opened = [held, ...(bought === null ? [] : [bought])];
  const wrapped = planPaidAccount(wallet, input);
  return {
    account,
    outputAccount: bought?.account ?? null,
    plan: {
      feePayer: wallet,
      instructions: ({ missing }) => [
        ...(isWrapped ? wrapSol(wallet, source, tokenProgram, amount) : []),
        ...(paid !== null && missing.has(paid.account) ? [paid.create] : []),
        ...opened.flatMap(({ instructions }) => instructions),
        transfer,
      ],
      lookupTables: null,
      version: 'legacy',
      creations: [
        ...(isWrapped ? [wrapped.creation] : []),
        ...(paid === null ? [] : [paid.creation]),
        ...opened.map(({ creation }) => creation),
      ],
      spends: [{ wallet, amount, tokenAccount: isWrapped ? null : source }],
      tip: 0n,
      priority: { asked: null, competesFor: listWritableAccounts(transfer), isSponsored: false },
      serial: 0,
    },
  };
}

/** A new token account of the vault, which has no address before its seed is chosen. */
function planVaultAccount(
  { wallet, vault }: DepositParties,
  { mint, tokenProgram, facts }: OrderMint,
  seed: string,
) {
  const account = deriveSeededAddress(vault, seed, tokenProgram);
  const size = computeAccountSize(tokenProgram, facts);
  const rent = computeRentExemptMinimum(size);
  const created = { payer: wallet, account, base: vault, seed, lamports: rent, space: BigInt(size) };
  return {
    account,
    instructions: [
      createAccountWithSeed({ ...created, owner: tokenProgram }),
      initializeAccount(tokenProgram, { account, mint, owner: vault }),
    ],
    creation: { account, rent: () => rent, isReturned: false },
  };
}

/** The wallet's associated account of a token. */
function planPaidAccount(wallet: Address, { mint, tokenProgram, facts }: OrderMint) {
  const account = deriveAssociatedTokenAddress(wallet, mint, tokenProgram);
  const rent = computeRentExemptMinimum(computeAssociatedAccountSize(tokenProgram, facts));
  return {
    account,
    create: createAssociatedTokenIdempotent({ payer: wallet, owner: wallet, mint, tokenProgram }, account),
    creation: { account, rent: () => rent, isReturned: false },
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
