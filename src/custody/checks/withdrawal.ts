import type { Address } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import {
  isPaidOutOnClosing,
  isTokenProgram,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import {
  Authority,
  closeAccount,
  setAuthority,
  transferChecked,
} from '../../solana/programs/token/instructions.ts';
import { harvestWithheldFees } from '../../solana/programs/token/transfer-fee.ts';
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
import type { SigningAddresses, WithdrawalToSign, WithdrawnTokens } from './message-to-sign.ts';
import { readDecimals, readTransferredAmount } from './token-data.ts';

/**
 * Checks that a withdrawal moves tokens out of accounts of the order to the wallet's associated accounts, closes each of them in
 * the wallet's favour or makes the wallet its owner, and does nothing else. Closing fails while tokens are left, and a new owner
 * has what is left, so everything goes to the wallet; of wrapped SOL, closing itself pays everything out.
 *
 * @throws SigningRefused when it does anything else
 */
export function checkWithdrawal(request: WithdrawalToSign, own: SigningAddresses): void {
  const { wallet, accounts } = request;
  const message = readMessageToSign(request.messageBytes);
  checkForm(message, wallet, [own.vault, own.coSigner]);
  const open = new Map(accounts.map((each) => [each.account, { ...each, wallet, isTransferred: false }]));
  for (const [index, instruction] of message.instructions.entries()) {
    if (isComputeBudget(instruction)) continue;
    if (!takes(open, instruction, own)) {
      refuseToSign(`${describeInstruction(index, instruction)} is no part of a withdrawal`);
    }
  }
  if (open.size < accounts.length) return;
  const names = accounts.map(({ account }) => account).join(' nor ');
  refuseToSign(`the withdrawal neither closes ${names} nor gives it to the wallet`);
}

/** An account that is not given back yet. */
interface OpenAccount extends WithdrawnTokens {
  readonly wallet: Address;
  isTransferred: boolean;
}

/** Whether an instruction is a part of giving one of the open accounts back. One that is closed is taken out. */
function takes(
  open: Map<Address, OpenAccount>,
  instruction: ReadInstruction,
  own: SigningAddresses,
): boolean {
  for (const each of open.values()) {
    if (isClosing(instruction, each, own) || isHandover(instruction, each, own))
      return open.delete(each.account);
    if (!each.isTransferred && isTransfer(instruction, each, own)) {
      each.isTransferred = true;
      return true;
    }
    if (prepares(instruction, each)) return true;
  }
  return false;
}

function isClosing(
  instruction: ReadInstruction,
  { wallet, account }: OpenAccount,
  { vault, coSigner }: SigningAddresses,
): boolean {
  if (!isTokenProgram(instruction.program)) return false;
  const expected = closeAccount(instruction.program, { account, destination: wallet, authority: vault });
  return (
    isSameInstruction(instruction, expected) ||
    isSameInstruction(instruction, addLastAccount(expected, coSigner))
  );
}

/** Whether an instruction makes the wallet the owner of the order's account, with everything that is left in it. */
function isHandover(
  instruction: ReadInstruction,
  { wallet, account }: OpenAccount,
  { vault, coSigner }: SigningAddresses,
): boolean {
  if (!isTokenProgram(instruction.program)) return false;
  const expected = setAuthority(instruction.program, {
    of: account,
    authority: Authority.ACCOUNT_OWNER,
    current: vault,
    next: wallet,
  });
  return (
    isSameInstruction(instruction, expected) ||
    isSameInstruction(instruction, addLastAccount(expected, coSigner))
  );
}

function isTransfer(
  instruction: ReadInstruction,
  { wallet, account, mint }: OpenAccount,
  { vault, coSigner }: SigningAddresses,
): boolean {
  const { program, data } = instruction;
  if (!isTokenProgram(program) || isPaidOutOnClosing(mint)) return false;
  const expected = transferChecked(program, {
    source: account,
    mint,
    destination: deriveAssociatedTokenAddress(wallet, mint, program),
    authority: vault,
    amount: readTransferredAmount(data),
    decimals: readDecimals(data),
  });
  return (
    isSameInstruction(instruction, expected) ||
    isSameInstruction(instruction, addLastAccount(expected, coSigner))
  );
}

/** Whether an instruction, which needs no signature of ours, only prepares the transfer or the closing. */
function prepares(instruction: ReadInstruction, { wallet, account, mint }: OpenAccount): boolean {
  if (isSameInstruction(instruction, harvestWithheldFees(mint, [account]))) return true;
  return [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].some((tokenProgram: Address) => {
    const setup = { payer: wallet, owner: wallet, mint, tokenProgram };
    return isSameInstruction(instruction, createAssociatedTokenIdempotent(setup));
  });
}
