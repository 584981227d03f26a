import { describe, expect, it, vi } from 'vitest';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { openForEach } from '../../../testing/opened.ts';
import { RecurringDesk } from '../../../testing/products/recurring-desk.ts';

const desk = openForEach(() => RecurringDesk.open(), 'close');

describe('POST execute', () => {
  it('lands a transaction once, however often it is asked to', async () => {
    const handedOut = await desk.create();
    const first = await desk.execute(handedOut);
    expect(await desk.execute(handedOut)).toEqual(first);
    expect(await desk.execute(handedOut)).toEqual(first);
    expect(desk.wallets.market.chain.sent).toBe(1);
  });

  it('lands it once when several clients ask at the same time, and answers all of them', async () => {
    const handedOut = await desk.create();
    const answers = await Promise.all([1, 2, 3, 4].map(() => desk.execute(handedOut)));
    expect(answers[0]?.json).toMatchObject({ status: 'Success' });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(desk.wallets.market.chain.sent).toBe(1);
  });

  it('does not pay out twice when an order was cancelled by two transactions', async () => {
    const usdc = desk.held(desk.user, USDC);
    const order = await desk.openOrder();
    const body = { order, user: desk.user, recurringType: 'time' };
    const [one, other] = [await desk.post('cancelOrder', body), await desk.post('cancelOrder', body)];
    expect((await desk.execute(one.json)).json).toMatchObject({ status: 'Success' });
    expect((await desk.execute(other.json)).json).toMatchObject({ status: 'Failed', order: null });
    expect(desk.held(desk.user, USDC)).toBe(usdc);
    expect(desk.wallets.market.chain.sent).toBe(2);
  });

  it('answers a failure with 200, and says why nothing happened', async () => {
    const handedOut = await desk.create();
    desk.wallets.change(deriveAssociatedTokenAddress(desk.user, USDC, TOKEN_PROGRAM), { amount: 5n });
    const { status, json } = await desk.execute(handedOut);
    expect(status).toBe(200);
    expect(json).toEqual({
      signature: expect.any(String),
      status: 'Failed',
      order: null,
      code: 6014,
      error: expect.stringContaining('was not sent'),
    });
    expect(desk.wallets.market.chain.sent).toBe(0);
  });

  it('tells a transaction that can no longer land from one that landed', async () => {
    const handedOut = await desk.create();
    const { chain } = desk.wallets.market;
    chain.losing = Number.POSITIVE_INFINITY;
    const executing = desk.execute(handedOut);
    await vi.waitUntil(() => chain.sent === 1);
    chain.pass(151n);
    const expected = {
      status: 'Failed',
      order: null,
      code: -1_000,
      error: expect.stringContaining('in time'),
    };
    expect(await executing).toMatchObject({ status: 200, json: expected });
  });

  it('answers 500 while the outcome is unknown', async () => {
    const handedOut = await desk.create();
    const result = { kind: 'unknown', signature: 'sent', error: 'send the same request again' } as const;
    vi.spyOn(desk.services.transactions.runs, 'executeOnce').mockResolvedValue(result);
    expect(await desk.execute(handedOut)).toEqual({
      status: 500,
      json: {
        code: 500,
        error: 'send the same request again',
        status: 'Internal Server Error',
        signature: 'sent',
      },
    });
  });
});

const USDC = getGenesisToken('USDC').mint;
