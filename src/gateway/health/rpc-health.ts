import { parseBoundedJson } from '../../common/bounded-json.ts';

const TIMEOUT_MS = 2_000;

/**
 * Asks a Solana RPC for its health.
 * Returns null if it is healthy; otherwise why not.
 * @throws Error if it does not answer within 2 seconds, or answers something other than JSON
 */
export async function findRpcProblem(url: string): Promise<string | null> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = parseBoundedJson(await response.text()) as {
    result?: unknown;
    error?: { message?: unknown };
  };
  return answer.result === 'ok' ? null : String(answer.error?.message ?? `HTTP ${response.status}`);
}
