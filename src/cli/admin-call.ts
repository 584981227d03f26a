import { asRecord } from '../chain/account-json.ts';
import { type PostLimits, sendJson } from '../bounded-post.ts';
import { OperatorError } from '../operator-error.ts';
import { shown } from '../shown.ts';

export interface AdminCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** After `/admin/v1/`. */
  readonly path: string;
  readonly body?: object;
}

const LIMITS: PostLimits = { timeoutMs: 30_000, maxBytes: 4 * 1024 * 1024 };
const NO_CONTENT = 204;

/**
 * Asks the running instance on this machine.
 * @param who refuses, as the message begins
 * @throws OperatorError when there is none, or it refuses
 */
export async function callAdmin(
  port: number,
  { method, path, body }: AdminCall,
  who = 'the instance',
): Promise<Readonly<Record<string, unknown>>> {
  const url = new URL(`http://127.0.0.1:${port}/admin/v1/${path}`);
  const { status, text } = await sendJson(
    url,
    method,
    body === undefined ? null : JSON.stringify(body),
    LIMITS,
  );
  if (status === NO_CONTENT) return {};
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new OperatorError(`${url.origin} answered HTTP ${status} with no JSON: ${shown(text)}`);
  }
  const answer = asRecord(json, `the answer of ${url.origin}`);
  if (status === 200) return answer;
  throw new OperatorError(`${who} refused: ${String(answer.error ?? answer.message ?? `HTTP ${status}`)}`);
}
