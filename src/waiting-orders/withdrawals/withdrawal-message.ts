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

/** What is withdrawn, and by whom. */
export interface WithdrawnAccount {
  readonly wallet: Address;
  readonly vault: Address;
  readonly coSigner: Address;
  /** The token account of the vault. */
  readonly account: Address;
  readonly mint: OrderMint;
  /** All atoms that the account holds. */
  readonly balance: bigint;
}

/**
 * How an account is given back. `close`: its tokens are moved to the wallet's associated account, and it is closed. `hand-over`:
 * they are moved, and the wallet becomes the owner of the account with what came in the meantime. `hand-over-whole`: the wallet
 * becomes the owner, and nothing is moved, because its associated account cannot take tokens or is not its own any more.
 */
export type WithdrawalWay = 'close' | 'hand-over' | 'hand-over-whole';

/**
 * Plans the transaction that moves everything out of an order's account to the wallet, which pays. Its form is the recorded one
 * of the public service: a legacy message with a transfer to the wallet's associated account, and the closing of the order's
 * account, whose rent goes to the wallet. Wrapped SOL is paid out as SOL by closing alone.
 *
 * Closing fails if somebody has sent tokens to the account after its balance was read. A stranger could do that each time, so
 * the wallet can be made the owner of the account instead, which nobody can prevent.
 *
 * @param serial - Distinguishes withdrawals that are otherwise alike.
 */
export function planWithdrawal(
  withdrawn: WithdrawnAccount,
  way: WithdrawalWay,
  serial: number,
): TransactionPlan {
  const { wallet, vault, coSigner, account, mint } = withdrawn;
  const { tokenProgram } = mint;
  const isWrapped = isPaidOutOnClosing(mint.mint);
  const destination = deriveAssociatedTokenAddress(wallet, mint.mint, tokenProgram);
  const rent = computeRentExemptMinimum(computeAssociatedAccountSize(tokenProgram, mint.facts));
  const moves = !isWrapped && way !== 'hand-over-whole';
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
    feePayer: wallet,
    instructions: ({ missing }) => [
      ...(missing.has(destination) ? [createDestination(withdrawn, destination)] : []),
      ...(moves && withdrawn.balance > 0n ? [moveAll(withdrawn, destination)] : []),
      ...(withholdsFees(mint) && way === 'close' ? [harvestWithheldFees(mint.mint, [account])] : []),
      addSigner(end, coSigner),
    ],
    lookupTables: null,
    version: 'legacy',
    creations: !moves ? [] : [{ account: destination, rent: () => rent, isReturned: false }],
    spends: [],
    tip: 0n,
    priority: { asked: null, competesFor: [account], isSponsored: false },
    serial,
  };
}

function createDestination({ wallet, mint }: WithdrawnAccount, destination: Address): Instruction {
  const setup = { payer: wallet, owner: wallet, mint: mint.mint, tokenProgram: mint.tokenProgram };
  return createAssociatedTokenIdempotent(setup, destination);
}

/** Moves the balance. The co-signer is named at the end, as in the recorded form; the program does not look at it. */
function moveAll(withdrawn: WithdrawnAccount, destination: Address): Instruction {
  const { vault, coSigner, account, mint, balance } = withdrawn;
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
