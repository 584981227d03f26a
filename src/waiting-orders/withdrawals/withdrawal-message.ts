import type { Address } from '../../solana/address.ts';
import { addSigner, type Instruction } from '../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { isPaidOutOnClosing } from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { computeAssociatedAccountSize } from '../../solana/programs/token/associated-size.ts';
import {
  Authority,
  closeAccount,
  setAuthority,
  transferChecked,
} from '../../solana/programs/token/instructions.ts';
import { findTransferFeeConfig, harvestWithheldFees } from '../../solana/programs/token/transfer-fee.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import type { TransactionPlan } from '../../transactions/build/build-transaction.ts';
import type { OrderMint } from '../landing/order-mint.ts';

export interface WithdrawalParties {
  readonly wallet: Address;
  readonly vault: Address;
  readonly coSigner: Address;
}

/** What is withdrawn, and how. */
export interface WithdrawnAccount {
  /** The token account of the vault. */
  readonly account: Address;
  readonly mint: OrderMint;
  /** All atoms that the account holds. */
  readonly balance: bigint;
  readonly way: WithdrawalWay;
}

/**
 * How an account is given back. `close`: its tokens are moved to the wallet's associated account, and it is closed. `hand-over`:
 * they are moved, and the wallet becomes the owner of the account with what came in the meantime. `hand-over-whole`: the wallet
 * becomes the owner, and nothing is moved, because its associated account cannot take tokens or is not its own any more.
 */
export type WithdrawalWay = 'close' | 'hand-over' | 'hand-over-whole';

/**
 * Plans the transaction that moves everything out of an order's accounts to the wallet, which pays. Its form is the recorded one
 * of the public service: a legacy message with a transfer to the wallet's associated account, and the closing of the order's
 * account, whose rent goes to the wallet. Wrapped SOL is paid out as SOL by closing alone.
 *
 * Closing fails if somebody has sent tokens to the account after its balance was read. A stranger could do that each time, so
 * the wallet can be made the owner of the account instead, which nobody can prevent.
 *
 * @param serial - Distinguishes withdrawals that are otherwise alike.
 */
export function planWithdrawal(
  parties: WithdrawalParties,
  withdrawn: readonly WithdrawnAccount[],
  serial: number,
): TransactionPlan {
  const parts = withdrawn.map((each) => planPart(parties, each));
  return {
    feePayer: parties.wallet,
    instructions: ({ missing }) => parts.flatMap(({ instructions }) => instructions(missing)),
    lookupTables: null,
    version: 'legacy',
    creations: parts.flatMap(({ creations }) => creations),
    spends: [],
    tip: 0n,
    priority: {
      asked: null,
      competesFor: withdrawn.map(({ account }) => account),
      isSponsored: false,
    },
    serial,
  };
}

/** The part of a withdrawal that is about one account. */
function planPart(parties: WithdrawalParties, withdrawn: WithdrawnAccount) {
  const { wallet, vault, coSigner } = parties;
  const { account, mint, balance, way } = withdrawn;
  const { tokenProgram } = mint;
  const destination = deriveAssociatedTokenAddress(wallet, mint.mint, tokenProgram);
  const rent = computeRentExemptMinimum(computeAssociatedAccountSize(tokenProgram, mint.facts));
  const moves = !isPaidOutOnClosing(mint.mint) && way !== 'hand-over-whole' && balance > 0n;
  const end =
    way !== 'close'
      ? setAuthority(tokenProgram, {
          of: account,
          authority: Authority.ACCOUNT_OWNER,
          current: vault,
          next: wallet,
        })
      : closeAccount(tokenProgram, { account, destination: wallet, authority: vault });
  return {
    creations: moves ? [{ account: destination, rent: () => rent, isReturned: false }] : [],
    instructions: (missing: ReadonlySet<Address>): readonly Instruction[] => [
      ...(moves && missing.has(destination) ? [createDestination(wallet, mint, destination)] : []),
      ...(moves ? [moveAll(parties, withdrawn, destination)] : []),
      ...(withholdsFees(mint) && way === 'close' ? [harvestWithheldFees(mint.mint, [account])] : []),
      addSigner(end, coSigner),
    ],
  };
}

function createDestination(
  wallet: Address,
  { mint, tokenProgram }: OrderMint,
  destination: Address,
): Instruction {
  return createAssociatedTokenIdempotent({ payer: wallet, owner: wallet, mint, tokenProgram }, destination);
}

/** Moves the balance. The co-signer is named at the end, as in the recorded form; the program does not look at it. */
function moveAll(
  { vault, coSigner }: WithdrawalParties,
  { account, mint, balance }: WithdrawnAccount,
  destination: Address,
): Instruction {
  const transfer = transferChecked(mint.tokenProgram, {
    source: account,
    mint: mint.mint,
    destination,
    authority: vault,
    amount: balance,
    decimals: mint.facts.decimals,
  });
  return addSigner(transfer, coSigner);
}

/** Whether transfers leave withheld fees in the accounts that they go to, with which those cannot be closed. */
function withholdsFees({ facts }: OrderMint): boolean {
  return findTransferFeeConfig(facts.extensions) !== null;
}
