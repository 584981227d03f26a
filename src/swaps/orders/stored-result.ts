import type { Address } from '../../solana/address.ts';
import { Code, type ExecutionResult } from './execution-result.ts';
import { NOTHING_SWAPPED, type SwappedAmounts } from './swapped-amounts.ts';

/**
 * A result as fill records and the shared state store it. This form must not change: records outlive the version that
 * wrote them, and during an upgrade, instances of two versions read each other's results. It is independent of the
 * answer of `/execute`, so that a change of that answer cannot make stored results unreadable.
 */
type StoredResult = StoredSuccess | (StoredSuccess & StoredAmounts) | StoredFailure;

interface StoredSuccess {
  readonly status: 'Success';
  readonly signature: string;
  readonly slot: string;
  readonly code: number;
}

/** A failure with a slot also has amounts, all of which are 0. */
interface StoredFailure {
  readonly status: 'Failed';
  readonly code: number;
  readonly error: string;
  readonly signature?: string;
  readonly slot?: string;
}

interface StoredAmounts {
  readonly totalInputAmount: string;
  readonly totalOutputAmount: string;
  readonly inputAmountResult: string;
  readonly outputAmountResult: string;
  readonly swapEvents: readonly StoredStep[];
}

interface StoredStep {
  readonly inputMint: string;
  readonly inputAmount: string;
  readonly outputMint: string;
  readonly outputAmount: string;
}

/**
 * Encodes a result for fill records and for the state that instances share.
 * Returns a text from which `readResult` restores the result, also in other versions of Sluice.
 */
export function writeResult(result: ExecutionResult): string {
  return JSON.stringify(toStoredResult(result));
}

/**
 * @param text - Written by `writeResult`, in this process or another.
 * @throws SyntaxError when it is not JSON
 */
export function readResult(text: string): ExecutionResult {
  const stored = JSON.parse(text) as StoredResult;
  if (stored.status === 'Failed') {
    const { code, error, signature = null, slot } = stored;
    return { kind: 'failed', code, reason: error, signature, slot: slot === undefined ? null : BigInt(slot) };
  }
  return {
    kind: 'succeeded',
    signature: stored.signature,
    slot: BigInt(stored.slot),
    amounts: 'swapEvents' in stored ? toSwappedAmounts(stored) : null,
  };
}

function toStoredResult(result: ExecutionResult): StoredResult {
  if (result.kind === 'succeeded') {
    const { signature, slot, amounts } = result;
    const stored = { status: 'Success', signature, slot: slot.toString(), code: Code.SUCCESS } as const;
    return amounts === null ? stored : { ...stored, ...toStoredAmounts(amounts) };
  }
  const { code, reason, signature, slot } = result;
  const stored = { status: 'Failed', code, error: reason } as const;
  const sent = signature === null ? stored : { ...stored, signature };
  return slot === null ? sent : { ...sent, slot: slot.toString(), ...toStoredAmounts(NOTHING_SWAPPED) };
}

function toStoredAmounts(amounts: SwappedAmounts): StoredAmounts {
  return {
    totalInputAmount: amounts.totalInput.toString(),
    totalOutputAmount: amounts.totalOutput.toString(),
    inputAmountResult: amounts.routeInput.toString(),
    outputAmountResult: amounts.routeOutput.toString(),
    swapEvents: amounts.steps.map((step) => ({
      inputMint: step.inputMint,
      inputAmount: step.inputAmount.toString(),
      outputMint: step.outputMint,
      outputAmount: step.outputAmount.toString(),
    })),
  };
}

function toSwappedAmounts(stored: StoredAmounts): SwappedAmounts {
  return {
    totalInput: BigInt(stored.totalInputAmount),
    totalOutput: BigInt(stored.totalOutputAmount),
    routeInput: BigInt(stored.inputAmountResult),
    routeOutput: BigInt(stored.outputAmountResult),
    steps: stored.swapEvents.map((step) => ({
      inputMint: step.inputMint as Address,
      inputAmount: BigInt(step.inputAmount),
      outputMint: step.outputMint as Address,
      outputAmount: BigInt(step.outputAmount),
    })),
  };
}
