import { OperatorError } from '../../../common/operator-error.ts';
import type { Address } from '../../../solana/address.ts';
import { parseSignature } from '../../../solana/messages/signature.ts';
import { requireRecord } from '../../records/account-json.ts';
import { requireInContext, requireList, requireText } from '../client/read-json.ts';

/** Nodes end the logs of a transaction with this line when they exceed 10 kB. */
const TRUNCATED = 'Log truncated';

/** A transaction that a notification of `logsSubscribe` reports. */
export interface LogsNotification {
  readonly slot: bigint;
  readonly signature: string;
  /** Whether it was successful and called the program, as far as its logs show. */
  readonly mayCall: boolean;
}

/**
 * Reads a notification of `logsSubscribe`. The runtime writes the line of a call, and programs cannot: their own lines
 * begin with `Program log:`. So a transaction is only read if it really called the program, and not if it mentions it.
 *
 * @throws OperatorError when it is malformed
 */
export function readLogs(result: unknown, program: Address): LogsNotification {
  const { slot, value } = requireInContext(result);
  const { signature, err, logs } = requireRecord(value, 'result.value');
  const text = requireText(signature, 'result.value.signature');
  if (text.length > 88 || parseSignature(text) === null) {
    throw new OperatorError('result.value.signature must be 64 bytes in base58');
  }
  const hasFailed = (err ?? null) !== null;
  return { slot, signature: text, mayCall: !hasFailed && mayHaveCalled(program, logs) };
}

/** Some nodes report transactions without logs. */
function mayHaveCalled(program: Address, logs: unknown): boolean {
  if (logs === null || logs === undefined) return true;
  const call = `Program ${program} invoke [`;
  const lines = requireList(logs, 'result.value.logs', requireText);
  return lines.some((line) => line === TRUNCATED || line.startsWith(call));
}
