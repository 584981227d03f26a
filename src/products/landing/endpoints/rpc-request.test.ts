import { describe, expect, it } from 'vitest';
import { RpcCode, readRpcRequest } from './rpc-request.ts';

describe('readRpcRequest', () => {
  it('returns the id as it came, and refuses one that cannot be sent back', () => {
    const withId = (id: string) =>
      readRpcRequest(JSON.parse(`{"jsonrpc":"2.0","id":${id},"method":"sendTransaction","params":["AQ=="]}`));
    for (const id of ['0', '-1.5', 'null', '"a"', '""']) {
      expect(withId(id)).toEqual({ ok: true, id: JSON.parse(id), transaction: 'AQ==' });
    }
    for (const id of [
      '1e400',
      '-1e400',
      `1${'0'.repeat(40)}`,
      `-1${'0'.repeat(50)}`,
      '{}',
      '[]',
      'true',
      `"${'a'.repeat(257)}"`,
    ]) {
      expect(withId(id)).toMatchObject({ ok: false, id: null, error: { code: RpcCode.INVALID_REQUEST } });
    }
  });
});
