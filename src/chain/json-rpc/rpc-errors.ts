import { ErrorCode } from './error-codes.ts';

/** Thrown by a method to answer with this error. Any other error that a method throws is a defect. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  /** One of `ErrorCode`, or the code of an injected fault. */
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export function invalidRequest(message: string): RpcError {
  return new RpcError(ErrorCode.INVALID_REQUEST, message);
}

export function invalidParams(message: string): RpcError {
  return new RpcError(ErrorCode.INVALID_PARAMS, `Invalid param: ${message}`);
}

export function methodNotFound(): RpcError {
  return new RpcError(ErrorCode.METHOD_NOT_FOUND, 'Method not found');
}

export function nodeUnhealthy(reason: string): RpcError {
  return new RpcError(ErrorCode.NODE_UNHEALTHY, `Node is unhealthy: ${reason}`, { numSlotsBehind: null });
}

export function signatureFailure(): RpcError {
  return new RpcError(ErrorCode.SIGNATURE_VERIFICATION, 'Transaction signature verification failure');
}

export function blockNotAvailable(slot: bigint): RpcError {
  return new RpcError(ErrorCode.BLOCK_NOT_AVAILABLE, `Block not available for slot ${slot}`);
}

export function noSnapshot(): RpcError {
  return new RpcError(ErrorCode.NO_SNAPSHOT, 'No snapshot');
}

export function slotSkipped(slot: bigint): RpcError {
  return new RpcError(ErrorCode.SLOT_SKIPPED, `Slot ${slot} was skipped, or is missing from this ledger`);
}

export function blockCleanedUp(slot: bigint, firstAvailable: bigint): RpcError {
  return new RpcError(
    ErrorCode.BLOCK_CLEANED_UP,
    `Block ${slot} is not kept any more; the first available block is ${firstAvailable}`,
  );
}

export function minContextSlotNotReached(contextSlot: bigint): RpcError {
  return new RpcError(ErrorCode.MIN_CONTEXT_SLOT, 'Minimum context slot has not been reached', {
    contextSlot,
  });
}

export function unsupportedTransactionVersion(version: number): RpcError {
  return new RpcError(
    ErrorCode.UNSUPPORTED_TRANSACTION_VERSION,
    `Transaction version (${version}) is not supported by the requesting client. Ask again with ` +
      `"maxSupportedTransactionVersion": ${version}`,
  );
}
