import { OperatorError } from '../../common/operator-error.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { type PostLimits, postJson } from '../../common/bounded-post.ts';
import { parseAccountJson } from '../exact-json.ts';
import { formatCallBody, readOutcome } from '../json-rpc/call.ts';

/**
 * Makes one JSON-RPC call.
 *
 * Returns the result, in which u64 fields of accounts are strings: see `parseAccountJson`.
 * @throws OperatorError when there is no answer, or the answer is not a result.
 */
export async function callRpc(
  url: URL,
  method: string,
  params: readonly unknown[],
  limits: PostLimits,
): Promise<unknown> {
  const { origin } = url;
  const { status, text } = await postJson(url, formatCallBody(method, params), limits);
  if (status !== 200)
    throw new OperatorError(`${origin} answered HTTP ${status}: ${formatForError(text, 200)}`);
  let json: unknown;
  try {
    json = parseAccountJson(text);
  } catch {
    throw new OperatorError(
      `${origin} answered ${method} with something that is not JSON: ${formatForError(text)}`,
    );
  }
  const outcome = readOutcome(json, `the answer of ${origin} to ${method}`);
  if (outcome.kind === 'result') return outcome.result;
  if (outcome.kind === 'empty') throw new OperatorError(`${origin} answered ${method} without a result`);
  throw new OperatorError(`${origin} refused ${method}: ${formatForError(outcome.error, 300)}`);
}
