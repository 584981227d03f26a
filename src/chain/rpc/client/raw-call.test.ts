import { describe, expect, it } from 'vitest';
import { ChainUnavailable } from '../../chain.ts';
import { callRaw } from './raw-call.ts';
import { redactUrl } from './redact-url.ts';
import { RpcRefusal, type RpcClient } from './rpc-client.ts';

describe('callRaw', () => {
  it('returns the answer as the node wrote it, with integers that a double does not hold', async () => {
    const text = '{"jsonrpc":"2.0","id":1,"result":18446744073709551615}';
    expect(await callRaw(createClient(text), SECRET_URL, 'getBalance', [])).toBe(text);
  });

  it('returns a refusal in the words of the RPC, without its host and its key', async () => {
    const refusal = new RpcRefusal(
      `not on the plan of abcdef123456 at rpc.example.com, see https://rpc.example.com/v2/abcdef123456?key=${KEY}`,
      -32_601,
      null,
    );
    const answer = JSON.parse(await callRaw(createClient(refusal), SECRET_URL, 'getBlock', []));
    expect(answer.error.code).toBe(-32_601);
    expect(answer.error.message).toMatch(/^not on the plan of …/);
    expect(answer.error.message).not.toMatch(/example|abcdef|s3cret|user-name|pass/);
  });

  it('cuts a long refusal, and gives one without a code a code', async () => {
    const refusal = new RpcRefusal('x'.repeat(5_000), Number.NaN, null);
    const answer = JSON.parse(await callRaw(createClient(refusal), SECRET_URL, 'getBlock', []));
    expect(answer.error).toEqual({ code: -32_000, message: 'x'.repeat(300) });
  });

  it('says without the key that there is no answer', async () => {
    const client = createClient(new ChainUnavailable(`the RPC answered ${KEY}`));
    await expect(callRaw(client, SECRET_URL, 'getSlot', [])).rejects.toThrow(/^the RPC answered …$/);
  });

  it('refuses what is no JSON, or is nested without end', async () => {
    for (const text of ['not JSON', '', `${'['.repeat(5_000)}${']'.repeat(5_000)}`])
      await expect(callRaw(createClient(text), SECRET_URL, 'getSlot', [])).rejects.toThrow(SyntaxError);
  });
});

describe('redactUrl', () => {
  it('leaves words that are no part of a key', () => {
    expect(redactUrl('v2 is not allowed', SECRET_URL)).toBe('v2 is not allowed');
  });
});

const KEY = 's3cret%20key';
const SECRET_URL = new URL(`https://user-name:pass-word@rpc.example.com/v2/abcdef123456?key=${KEY}`);

/** A client whose node answers a text, or that fails. */
function createClient(outcome: string | Error): Pick<RpcClient, 'call'> {
  return {
    call: async (_method, _params, read, _policy, parse) => {
      if (typeof outcome !== 'string') throw outcome;
      return read(await parse?.(outcome));
    },
  };
}
