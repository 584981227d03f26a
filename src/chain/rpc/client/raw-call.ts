import { requireBoundedDepth } from '../../../common/bounded-json.ts';
import { ChainUnavailable } from '../../chain.ts';
import { redactUrl } from './redact-url.ts';
import { type CallPolicy, type RpcClient, RpcRefusal } from './rpc-client.ts';

/** For a page that a person looks at: a second attempt is a click. */
const RAW: CallPolicy = { attempts: 1, timeoutMs: 10_000, maxBytes: 1024 * 1024, urgent: false };
/** The code of a refusal that has none. JSON-RPC leaves it to servers. */
const NO_CODE = -32_000;
const MAX_MESSAGE = 300;

/**
 * Makes a call, and returns the answer as the node wrote it. A refusal is returned as such, without what the URL of the RPC could
 * tell.
 *
 * @throws ChainUnavailable when there is no answer that is JSON, or none in time, or a larger one than 1 MiB.
 */
export async function callRaw(
  client: Pick<RpcClient, 'call'>,
  url: URL,
  method: string,
  params: readonly unknown[],
): Promise<string> {
  let answer = '';
  try {
    await client.call(
      method,
      params,
      () => null,
      RAW,
      (text) => {
        requireBoundedDepth(text);
        answer = text;
        return JSON.parse(text);
      },
    );
    return answer;
  } catch (error) {
    if (error instanceof ChainUnavailable)
      throw new ChainUnavailable(redactUrl(error.message, url).slice(0, MAX_MESSAGE), error.kind);
    if (!(error instanceof RpcRefusal)) throw error;
    const code = Number.isSafeInteger(error.code) ? error.code : NO_CODE;
    const message = redactUrl(error.message, url).slice(0, MAX_MESSAGE);
    return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
  }
}
