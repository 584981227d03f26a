import { ApiError, postJson } from './call.ts';

/** Calls a method of the embedded network's RPC. @throws Error with the network's message */
export async function callRpc<Result>(method: string, params: readonly unknown[] = []): Promise<Result> {
  const answer = await postJson<RpcAnswer<Result>>('/portal/data/rpc', {
    jsonrpc: '2.0',
    id: 1,
    method,
    params,
  });
  if (answer.error !== undefined) throw new ApiError(200, answer);
  return answer.result as Result;
}

interface RpcAnswer<Result> {
  readonly result?: Result;
  readonly error?: { readonly code: number; readonly message: string };
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
