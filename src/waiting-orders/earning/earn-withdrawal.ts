import type { Address } from '../../solana/address.ts';
import { addSigner } from '../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { computeAssociatedAccountSize } from '../../solana/programs/token/associated-size.ts';
import { Authority, closeAccount, setAuthority } from '../../solana/programs/token/instructions.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import type { TransactionPlan } from '../../transactions/build/build-transaction.ts';
import type { OrderMint } from '../landing/order-mint.ts';
import type { EarnProgram } from './earn-program.ts';

/** What is redeemed, and for whom. */
export interface EarnedAccount {
  readonly wallet: Address;
  readonly vault: Address;
  readonly coSigner: Address;
  /** The token account of the vault that holds the shares. */
  readonly account: Address;
  /** The mint of the input, which is paid out. */
  readonly input: OrderMint;
}

/**
 * Plans the transaction that redeems all shares of an order for its wallet, which pays. It is a legacy message like other
 * withdrawals.
 *
 * The wallet becomes the owner of the account first. Then it redeems what is in there, with everything that it has earned and that
 * strangers have sent, into its associated account, and closes the account, whose rent it gets. The vault signs only that the
 * account is the wallet's, so whatever the program of the lending does, it cannot do to the vault.
 *
 * @param serial - Distinguishes withdrawals that are otherwise alike.
 */
export function planEarnWithdrawal(
  earn: Pick<EarnProgram, 'createRedemption'>,
  { wallet, vault, coSigner, account, input }: EarnedAccount,
  serial: number,
): TransactionPlan {
  const { mint, tokenProgram, facts } = input;
  const destination = deriveAssociatedTokenAddress(wallet, mint, tokenProgram);
  const rent = computeRentExemptMinimum(computeAssociatedAccountSize(tokenProgram, facts));
  const authority = Authority.ACCOUNT_OWNER;
  const handover = setAuthority(tokenProgram, { of: account, authority, current: vault, next: wallet });
  const redemption = earn.createRedemption({ signer: wallet, mint, tokenProgram, receiptAccount: account });
  return {
    feePayer: wallet,
    instructions: ({ missing }) => [
      ...(missing.has(destination)
        ? [createAssociatedTokenIdempotent({ payer: wallet, owner: wallet, mint, tokenProgram })]
        : []),
      addSigner(handover, coSigner),
      redemption,
      closeAccount(tokenProgram, { account, destination: wallet, authority: wallet }),
    ],
    lookupTables: null,
    version: 'legacy',
    creations: [{ account: destination, rent: () => rent, isReturned: false }],
    spends: [],
    tip: 0n,
    priority: { asked: null, competesFor: [account], isSponsored: false },
    serial,
  };
}
