import { findMessage, postJson } from '../../../api/call.ts';
import { callRpc } from '../../../api/network.ts';
import type { ExecuteEndpoint } from './execute-endpoints.ts';
import { formatTransactionError } from './simulate.ts';

/** What became of a transaction that was sent. */
export interface LandingOutcome {
  /** Null where it never reached the network. */
  readonly signature: string | null;
  /** Null: it has succeeded. */
  readonly error: string | null;
  /** What the endpoint answered; null where the network itself was asked. */
  readonly answer: unknown;
}

const POLL_MS = 400;
/** A blockhash of the embedded network lasts for a minute. */
const MAX_POLLS = 200;

/**
 * Sends a signed transaction by the endpoint of its product, or to the network where it has none, and waits until it has
 * landed.
 * @throws ApiError if it is refused
 */
export async function landTransaction(
  signed: string,
  endpoint: ExecuteEndpoint | null,
): Promise<LandingOutcome> {
  if (endpoint !== null) return executeByProduct(endpoint);
  const signature = await callRpc<string>('sendTransaction', [
    signed,
    { encoding: 'base64', preflightCommitment: 'confirmed' },
  ]);
  return { signature, error: await waitForLanding(signature), answer: null };
}

async function executeByProduct({ path, body }: ExecuteEndpoint): Promise<LandingOutcome> {
  const answer = await postJson<Record<string, unknown>>(path, body);
  const signature = typeof answer.signature === 'string' && answer.signature !== '' ? answer.signature : null;
  const isSuccess = answer.status === 'Success';
  return {
    signature,
    error: isSuccess ? null : (findMessage(answer) ?? `The endpoint answered ${String(answer.status)}.`),
    answer,
  };
}

/** Returns the error with which a transaction has landed, or null. @throws Error if it does not land in time */
async function waitForLanding(signature: string): Promise<string | null> {
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const { value } = await callRpc<{
      readonly value: readonly ({ readonly confirmationStatus: string; readonly err: unknown } | null)[];
    }>('getSignatureStatuses', [[signature]]);
    const [status] = value;
    if (status !== null && status !== undefined && status.confirmationStatus !== 'processed')
      return status.err === null ? null : formatTransactionError(status.err);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('The transaction has not landed while its blockhash was valid. Send the request again.');
}
