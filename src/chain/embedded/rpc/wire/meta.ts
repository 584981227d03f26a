import type { Address } from '../../../../solana/address.ts';
import type { CompiledInstruction } from '../../../../solana/messages/message.ts';
import type {
  InnerInstruction,
  InnerInstructions,
  ReturnData,
  TokenBalance,
} from '../../../records/records.ts';
import { toBase64 } from '../encoding/base64.ts';
import { toUiTokenAmount } from '../../../../solana/programs/token/display-amount.ts';
import { encodeInstruction, encodeParsedInstruction } from './message.ts';

/** Encodes inner instructions: parsed when the transaction's accounts are given, otherwise with indexes. */
export function encodeInnerInstructions(
  groups: readonly InnerInstructions[],
  accounts: readonly Address[] | null,
) {
  return groups.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((inner) =>
      accounts === null
        ? encodeInstruction(compiled(inner), inner.stackHeight)
        : encodeParsedInstruction(compiled(inner), accounts, inner.stackHeight),
    ),
  }));
}

function compiled({ programIdIndex, accounts, data }: InnerInstruction): CompiledInstruction {
  return { programIndex: programIdIndex, accounts, data };
}

export function encodeTokenBalances(balances: readonly TokenBalance[]) {
  return balances.map(({ accountIndex, mint, owner, tokenProgram, amount, decimals }) => ({
    accountIndex,
    mint,
    uiTokenAmount: toUiTokenAmount(amount, { decimals, scale: null }),
    owner,
    programId: tokenProgram,
  }));
}

export function encodeReturnData(returnData: ReturnData | null) {
  if (returnData === null) return null;
  return { programId: returnData.programId, data: [toBase64(returnData.data), 'base64'] };
}
