import { createEarnInstruction } from '../../protocols/jupiter-lend/lending/instructions.ts';
import { deriveReceiptMintAddress } from '../../protocols/jupiter-lend/lending/addresses.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { Authority, initializeAccount, setAuthority } from '../../solana/programs/token/instructions.ts';
import { U64_MAX } from '../../solana/units.ts';
import {
  checkForm,
  describeInstruction,
  isComputeBudget,
  isSameInstruction,
  type ReadInstruction,
  readMessageToSign,
  refuseToSign,
} from './checked-message.ts';
import { readSeededCreation } from './deposit.ts';
import type { DepositToSign } from './message-to-sign.ts';

/**
 * Checks that a deposit opens the order's account for the wallet, that the wallet lends out exactly the amount for shares in that
 * account, and that the account then becomes the vault's. The vault signs as the base of the account's address alone, and nothing
 * that has to do with lending. That signature also keeps everybody but Sluice from landing the deposit, so that there is no co-signer.
 *
 * @throws SigningRefused when it does anything else
 */
export function checkEarnDeposit(request: DepositToSign, earnMint: Address, vault: Address): void {
  const { wallet, mint, account, amount } = request;
  if (wallet === vault) refuseToSign('the vault is not the wallet');
  checkEarnMint(mint, earnMint);
  // To the program, the largest number means the whole balance.
  if (amount <= 0n || amount >= U64_MAX) refuseToSign(`${amount} is no amount that can be lent out`);
  const message = readMessageToSign(request.messageBytes);
  checkForm(message, wallet, [vault]);
  const all = message.instructions.filter((each) => !isComputeBudget(each));
  const [first] = all;
  const [creation, ...others] = first !== undefined && opensOutput(first, request) ? all.slice(1) : all;
  if (creation === undefined) refuseToSign('the deposit does not create the account of the vault');
  const tokenProgram = readSeededCreation(creation, account, wallet, vault);
  const expected = listExpected(request, earnMint, { vault, tokenProgram });
  for (const [index, instruction] of others.entries()) {
    const next = expected[index];
    if (next !== undefined && isSameInstruction(instruction, next)) continue;
    refuseToSign(`${describeInstruction(index + 1, instruction)} is no part of a deposit that earns`);
  }
  if (others.length < expected.length) refuseToSign('the deposit does not lend the tokens out for the vault');
}

/** @throws SigningRefused when the shares are not those that a token is lent out for */
export function checkEarnMint(mint: Address, earnMint: Address): void {
  if (deriveReceiptMintAddress(mint) === earnMint) return;
  refuseToSign(`${earnMint} is not the mint of the shares that ${mint} is lent out for`);
}

/** Whether an instruction only opens the account that the wallet is paid into, at its own cost. */
function opensOutput(instruction: ReadInstruction, { wallet, outputMint: mint }: DepositToSign): boolean {
  return [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].some((tokenProgram) =>
    isSameInstruction(
      instruction,
      createAssociatedTokenIdempotent({ payer: wallet, owner: wallet, mint, tokenProgram }),
    ),
  );
}

function listExpected(
  { wallet, account, mint, amount }: DepositToSign,
  earnMint: Address,
  { vault, tokenProgram }: { readonly vault: Address; readonly tokenProgram: Address },
): readonly Instruction[] {
  const earn = { signer: wallet, mint, tokenProgram, receiptAccount: account };
  const authority = Authority.ACCOUNT_OWNER;
  return [
    initializeAccount(tokenProgram, { account, mint: earnMint, owner: wallet }),
    createEarnInstruction('deposit', earn, amount),
    setAuthority(tokenProgram, { of: account, authority, current: wallet, next: vault }),
  ];
}
