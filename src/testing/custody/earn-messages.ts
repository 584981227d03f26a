import { addLastAccount } from '../../custody/checks/checked-message.ts';
import { deriveReceiptMintAddress } from '../../protocols/jupiter-lend/lending/addresses.ts';
import { createEarnInstruction } from '../../protocols/jupiter-lend/lending/instructions.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { setComputeUnitLimit, setComputeUnitPrice } from '../../solana/programs/compute-budget.ts';
import {
  Authority,
  closeAccount,
  initializeAccount,
  setAuthority,
} from '../../solana/programs/token/instructions.ts';
import { U64_MAX } from '../../solana/units.ts';
import {
  AMOUNT,
  createWithSeed,
  deriveOrderAccount,
  nameAddress,
  type TestSigners,
  USDC,
  WALLET,
} from './messages-to-sign.ts';

/** The mint of the shares that USDC is lent out for. */
export const EARN_USDC = deriveReceiptMintAddress(USDC);
/** What the tokens that are lent out are sold for. */
export const EARN_OUTPUT = nameAddress('output of what earns');
const BUDGET = [setComputeUnitLimit(90_000), setComputeUnitPrice(377_694n)];

/** The instructions of a deposit that earns. */
export function listEarnDepositInstructions({ vault }: TestSigners): readonly Instruction[] {
  const account = deriveOrderAccount(vault);
  const earn = { signer: WALLET, mint: USDC, tokenProgram: TOKEN_PROGRAM, receiptAccount: account };
  const authority = Authority.ACCOUNT_OWNER;
  const output = { payer: WALLET, owner: WALLET, mint: EARN_OUTPUT, tokenProgram: TOKEN_PROGRAM };
  return [
    ...BUDGET,
    createAssociatedTokenIdempotent(output),
    createWithSeed(vault, account),
    initializeAccount(TOKEN_PROGRAM, { account, mint: EARN_USDC, owner: WALLET }),
    createEarnInstruction('deposit', earn, AMOUNT),
    setAuthority(TOKEN_PROGRAM, { of: account, authority, current: WALLET, next: vault }),
  ];
}

/** The instructions of a withdrawal that redeems. */
export function listEarnWithdrawalInstructions({ vault, coSigner }: TestSigners): readonly Instruction[] {
  const account = deriveOrderAccount(vault);
  const own = { mint: USDC, tokenProgram: TOKEN_PROGRAM };
  const authority = Authority.ACCOUNT_OWNER;
  return [
    ...BUDGET,
    createAssociatedTokenIdempotent({ ...own, payer: WALLET, owner: WALLET }),
    addLastAccount(
      setAuthority(TOKEN_PROGRAM, { of: account, authority, current: vault, next: WALLET }),
      coSigner,
    ),
    createEarnInstruction('redeem', { ...own, signer: WALLET, receiptAccount: account }, U64_MAX),
    closeAccount(TOKEN_PROGRAM, { account, destination: WALLET, authority: WALLET }),
  ];
}
