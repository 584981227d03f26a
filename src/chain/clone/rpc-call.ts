import { OperatorError } from '../../common/operator-error.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { asRecord } from '../account-json.ts';
import { type PostLimits, postJson } from '../../common/bounded-post.ts';
import { parseAccountJson } from '../exact-json.ts';

/**
 * The result of one JSON-RPC call; in it, the numbers of accounts are texts (see `parseAccountJson`).
 *
 * @throws OperatorError when no answer comes, or one that is no result
 */
export async function callRpc(
  url: URL,
  method: string,
  params: readonly unknown[],
  limits: PostLimits,
): Promise<unknown> {
  const { origin } = url;
  const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const { status, text } = await postJson(url, request, limits);
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
  const { error, result } = asRecord(json, `the answer of ${origin} to ${method}`);
  if (error !== undefined)
    throw new OperatorError(`${origin} refused ${method}: ${formatForError(error, 300)}`);
  if (result === undefined) throw new OperatorError(`${origin} answered ${method} without a result`);
  return result;
}
