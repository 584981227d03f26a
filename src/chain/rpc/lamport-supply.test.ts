import { describe, expect, it } from 'vitest';
import { ChainUnavailable } from '../chain.ts';
import { type RpcClient, RpcRefusal } from './client/rpc-client.ts';
import { lamportSupply } from './lamport-supply.ts';

describe('lamportSupply', () => {
  it('reads more lamports than a double holds exactly', async () => {
    const client = answeredWith(answer('613456789123456789', '553456789123456789'));
    expect(await lamportSupply(client)).toEqual({
      total: 613_456_789_123_456_789n,
      circulating: 553_456_789_123_456_789n,
    });
  });

  it('does not believe that more circulate than there are', async () => {
    expect(await lamportSupply(answeredWith(answer('5', '6')))).toEqual({ total: 5n, circulating: 5n });
  });

  it.each(['-1', '1.5', '"many"', 'null'])('refuses %s as a number of lamports', async (total) => {
    await expect(lamportSupply(answeredWith(answer(total, '1')))).rejects.toThrow('result.value.total');
  });

  it('tells a node that does not count lamports from one that does not answer', async () => {
    for (const [error, expected] of [
      [new RpcRefusal('Method not found', -32601, null), 'refused'],
      [new ChainUnavailable('the RPC does not answer'), 'unanswered'],
    ] as const) {
      const client = { call: () => Promise.reject(error) };
      const refused = await lamportSupply(client).catch((caught: unknown) => caught);
      expect((refused as Error).constructor).toBe(ChainUnavailable);
      expect(refused).toMatchObject({ kind: expected });
    }
  });
});

/** A client that is answered with this text, as a node writes it. */
function answeredWith(text: string): Pick<RpcClient, 'call'> {
  return {
    call: async (_method, _params, read, _policy, parse = JSON.parse) => read(parse(text)),
  };
}

const answer = (total: string, circulating: string) =>
  `{"context":{"slot":1},"value":{"circulating":${circulating},"nonCirculating":1,"nonCirculatingAccounts":[],"total":${total}}}`;
