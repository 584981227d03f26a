import { describe, expect, it } from 'vitest';
import { openSwapGateway } from '../../../testing/genesis-market/gateway.ts';
import { SOL, USDC } from '../../../testing/genesis-market/makers.ts';
import { openTestSwap } from '../../../testing/genesis-market/swap.ts';

describe('the refusals of swaps over HTTP', () => {
  it('name the parameters of the endpoint', async () => {
    const swap = await openTestSwap();
    const gateway = await openSwapGateway(swap);
    const taker = swap.wallet.address;
    const get = async (url: string, query: object) => {
      const answer = await gateway.inject({ url, query: { ...query } });
      return [answer.statusCode, answer.json()];
    };
    const post = async (url: string, payload: object) => {
      const answer = await gateway.inject({ method: 'POST', url, payload });
      return [answer.statusCode, answer.json()];
    };
    expect(await get('/swap/v2/order', { ...OF_UNKNOWN, taker })).toEqual([
      400,
      { requestId: 'request 1', error: 'Failed to get quotes', details: NO_POOL },
    ]);
    expect(await get('/swap/v2/build', { ...OF_UNKNOWN, taker })).toEqual([
      400,
      { error: 'No routes found', errorCode: 'TOKEN_NOT_TRADABLE', details: NO_POOL },
    ]);
    expect(await get('/swap/v1/quote', OF_UNKNOWN)).toEqual([
      400,
      { error: NO_POOL, errorCode: 'TOKEN_NOT_TRADABLE' },
    ]);
    const [, quote] = await get('/swap/v1/quote', QUERY);
    const quoteResponse = { ...quote, outputMint: UNKNOWN };
    for (const url of ['/swap/v1/swap', '/swap/v1/swap-instructions']) {
      expect(await post(url, { userPublicKey: taker, quoteResponse })).toEqual([
        400,
        { error: `no pool trades ${UNKNOWN} of quoteResponse`, errorCode: 'TOKEN_NOT_TRADABLE' },
      ]);
    }
    await gateway.close();
  });
});

const UNKNOWN = 'So11111111111111111111111111111111111111113';
const QUERY = { inputMint: SOL.mint, outputMint: USDC.mint, amount: '1000000' };
const OF_UNKNOWN = { ...QUERY, outputMint: UNKNOWN };
const NO_POOL = `no pool trades outputMint ${UNKNOWN}`;
