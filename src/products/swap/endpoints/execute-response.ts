import {
  Code,
  type ExecutionRefused,
  type ExecutionResult,
  type SwapFailed,
} from '../../../swaps/orders/execution-result.ts';
import { NOTHING_SWAPPED, type SwappedAmounts } from '../../../swaps/orders/swapped-amounts.ts';
import type { ExecuteRefusal, ExecuteResponse } from './execute-schema.ts';
import { ORDER_NOT_FOUND } from './known-texts.ts';

/** Maps the result of an execution to the body of `POST /swap/v2/execute`. */
export function toExecuteResponse(result: ExecutionResult): ExecuteResponse {
  if (result.kind === 'succeeded') {
    const { signature, slot, amounts } = result;
    const response = { status: 'Success', signature, slot: slot.toString(), code: Code.SUCCESS } as const;
    return amounts === null ? response : { ...response, ...toAmountFields(amounts) };
  }
  const { code, reason, signature } = result;
  const response = { status: 'Failed', ...toErrorFields(code, reason) } as const;
  const signed = signature === null ? response : { ...response, signature };
  const slot = toSlotText(result);
  return slot === null ? signed : { ...signed, slot, ...toAmountFields(NOTHING_SWAPPED) };
}

/** Maps a refusal to the body of a 400. */
export function toExecuteRefusal({ code, reason }: ExecutionRefused): ExecuteRefusal {
  if (code !== Code.MISSING_ORDER) return toErrorFields(code, reason);
  return { ...toErrorFields(code, ORDER_NOT_FOUND), details: reason };
}

/**
 * Clients read one pair of fields or the other, depending on the version of the public interface that they were
 * written for.
 */
function toErrorFields(code: number, error: string) {
  return { code, error, errorCode: code, errorMessage: error };
}

/** @returns "0" for a swap that did not land; null while it may still land */
function toSlotText({ code, slot }: SwapFailed): string | null {
  if (slot !== null) return slot.toString();
  return code === Code.UNKNOWN || code === Code.MAKER_UNKNOWN ? null : '0';
}

function toAmountFields({ totalInput, totalOutput, routeInput, routeOutput, steps }: SwappedAmounts) {
  return {
    totalInputAmount: totalInput.toString(),
    totalOutputAmount: totalOutput.toString(),
    inputAmountResult: routeInput.toString(),
    outputAmountResult: routeOutput.toString(),
    swapEvents: steps.map(({ inputMint, inputAmount, outputMint, outputAmount }) => ({
      inputMint,
      inputAmount: inputAmount.toString(),
      outputMint,
      outputAmount: outputAmount.toString(),
    })),
  };
}
