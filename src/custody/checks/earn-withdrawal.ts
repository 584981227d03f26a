import { createEarnInstruction } from '../../protocols/jupiter-lend/lending/instructions.ts';
import { LENDING_PROGRAM } from '../../protocols/jupiter-lend/lending-base/programs.ts';
import type { Address } from '../../solana/address.ts';
import { isTokenProgram, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { Authority, closeAccount, setAuthority } from '../../solana/programs/token/instructions.ts';
import { U64_MAX } from '../../solana/units.ts';
import {
  addLastAccount,
  checkForm,
  describeInstruction,
  isComputeBudget,
  isSameInstruction,
  type ReadInstruction,
  readMessageToSign,
  refuseToSign,
} from './checked-message.ts';
import { checkEarnMint } from './earn-deposit.ts';
import type { SigningAddresses, WithdrawalToSign } from './message-to-sign.ts';
import { checkWithdrawal } from './withdrawal.ts';

/** The instructions of a withdrawal that redeems, each of which it has at most once and in this order. */
const STEPS = ['prepare', 'hand over', 'redeem', 'close'] as const;
type EarnWithdrawalStep = (typeof STEPS)[number];

/**
 * Checks a withdrawal, also one that redeems shares: it makes the wallet the owner of the order's account with all shares in it. What
 * follows is the wallet's alone: it redeems all shares into its own account, and closes the account that is its own by then. A
 * withdrawal without a redemption gives the shares themselves back, as one of any other token does.
 *
 * @throws SigningRefused when it does anything else
 */
export function checkEarnWithdrawal(request: WithdrawalToSign, own: SigningAddresses): void {
  const { wallet, accounts } = request;
  const message = readMessageToSign(request.messageBytes);
  const [held, ...others] = accounts;
  for (const { mint, lentMint } of accounts) if (lentMint !== undefined) checkEarnMint(lentMint, mint);
  const redeems = message.instructions.some(({ program }) => program === LENDING_PROGRAM);
  if (held?.lentMint === undefined || !redeems) {
    checkWithdrawal(request, own);
    return;
  }
  if (others.length > 0) refuseToSign('an order that earns has one account');
  if (wallet === own.vault) refuseToSign('the vault is not the wallet');
  checkForm(message, wallet, [own.vault, own.coSigner]);
  const earned = { wallet, account: held.account, mint: held.lentMint };
  let done = -1;
  for (const [index, instruction] of message.instructions.entries()) {
    if (isComputeBudget(instruction)) continue;
    const step = STEPS.findIndex((each) => isStep(each, instruction, earned, own));
    if (step <= done || (step > 1 && done < 1)) {
      refuseToSign(`${describeInstruction(index, instruction)} is no part of a withdrawal that redeems`);
    }
    done = step;
  }
}

/** An account of shares, and the token that they are redeemed for. */
interface RedeemedAccount {
  readonly wallet: Address;
  readonly account: Address;
  readonly mint: Address;
}

function isStep(
  step: EarnWithdrawalStep,
  instruction: ReadInstruction,
  { wallet, account, mint }: RedeemedAccount,
  { vault, coSigner }: SigningAddresses,
): boolean {
  const { program } = instruction;
  switch (step) {
    case 'prepare':
      return forTokenPrograms((tokenProgram) =>
        createAssociatedTokenIdempotent({ payer: wallet, owner: wallet, mint, tokenProgram }),
      );
    case 'hand over': {
      const authority = Authority.ACCOUNT_OWNER;
      const change = { of: account, authority, current: vault, next: wallet };
      return (
        isTokenProgram(program) &&
        isSameInstruction(instruction, addLastAccount(setAuthority(program, change), coSigner))
      );
    }
    case 'redeem':
      return forTokenPrograms((tokenProgram) =>
        createEarnInstruction(
          'redeem',
          { signer: wallet, mint, tokenProgram, receiptAccount: account },
          U64_MAX,
        ),
      );
    case 'close':
      return (
        isTokenProgram(program) &&
        isSameInstruction(
          instruction,
          closeAccount(program, { account, destination: wallet, authority: wallet }),
        )
      );
  }

  function forTokenPrograms(create: (tokenProgram: Address) => Parameters<typeof isSameInstruction>[1]) {
    return [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].some((tokenProgram) =>
      isSameInstruction(instruction, create(tokenProgram)),
    );
  }
}
