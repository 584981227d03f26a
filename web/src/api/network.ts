import { ApiError, findMessage, postJson, UnreadableError } from './call.ts';

/** What a message of an RPC is cut to. Nodes have been seen to answer pages of HTML. */
const MAX_REFUSAL = 300;

/**
 * Calls a method of the RPC: of the embedded network's, or of an outside one, of which pages may read single things.
 *
 * @throws ApiError with the words of the RPC if it refuses, or with those of Sluice
 */
export async function callRpc<Result>(method: string, params: readonly unknown[] = []): Promise<Result> {
  const answer = await postJson<RpcAnswer<Result>>('/portal/data/rpc', {
    jsonrpc: '2.0',
    id: 1,
    method,
    params,
  });
  if (typeof answer !== 'object' || answer === null) throw new UnreadableError(method);
  if (answer.error !== undefined) throw new ApiError(200, { message: describeRefusal(method, answer.error) });
  return answer.result as Result;
}

function describeRefusal(method: string, error: unknown): string {
  const said = findMessage({ error });
  const words = said === null ? 'without a reason' : said.slice(0, MAX_REFUSAL);
  return `The network refused ${method}: ${words}`;
}

interface RpcAnswer<Result> {
  readonly result?: Result;
  readonly error?: unknown;
}

/** What the faucet has sent. */
export interface FaucetGift {
  readonly signatures: readonly string[];
  readonly lamports: string;
  readonly tokens: readonly { readonly mint: string; readonly amount: string }[];
}

/** Asks the embedded network for SOL and USDC. @throws ApiError if it refuses */
export function requestFaucet(address: string): Promise<FaucetGift> {
  return postJson('/portal/data/faucet', { address });
}
