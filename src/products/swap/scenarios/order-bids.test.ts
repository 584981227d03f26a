import { describe, expect, it } from 'vitest';
import type { MakerBid } from '../../../swaps/engines/maker-bid.ts';
import type { GivenOrder } from '../../../swaps/ledger/given-order.ts';
import {
  createMaker,
  createMakerAccount,
  fundMaker,
  SOL,
  USDC,
} from '../../../testing/genesis-market/makers.ts';
import { DEPTH, HELD, MAKER_ID, openOneMakerSwap, SELL } from '../../../testing/genesis-market/one-maker.ts';
import { openWebhookSwap } from '../../../testing/genesis-market/webhooks.ts';
import type { TestSwap } from '../../../testing/genesis-market/swap.ts';
import { openForEach } from '../../../testing/opened.ts';

describe('the makers that are noted of an order', () => {
  const hooked = openForEach(() => openWebhookSwap({ count: 6 }), 'close');
  const streamed = openForEach(openOneMakerSwap);

  it('are those that were asked by webhook, with why each lost', async () => {
    const [first, second, third, fourth, fifth, sixth] = hooked.makers;
    for (const maker of hooked.makers.slice(1)) maker.rate -= 1_000n;
    if (third !== undefined) third.onQuote = () => ({ status: 404, body: { message: 'not this pair' } });
    if (fourth !== undefined) fourth.onQuote = () => ({ body: { amountOut: '1' } });
    if (fifth !== undefined) fifth.onQuote = () => ({ status: 500, body: {} });
    if (sixth === undefined || first === undefined) throw new Error('six makers were asked for');
    sixth.rate = first.rate + 1_000n;
    fundMaker(hooked.market, sixth.keypair, USDC, 5n);
    const given = noteOrders(hooked.swap);
    const counted: unknown[] = [];
    const ordered = (all: readonly string[], winner: string | null) =>
      counted.push([[...all].sort(), winner]);
    Object.assign(hooked.swap.composed, { trades: { ordered } });
    const order = await hooked.swap.order(SELL);
    expect(order).toMatchObject({ router: 'jupiterz', maker: first.keypair.address });
    expect(given.map(({ requestId, router, makerId }) => ({ requestId, router, makerId }))).toEqual([
      { requestId: order.requestId, router: 'jupiterz', makerId: 'maker-0' },
    ]);
    expect(counted).toEqual([[['maker-0', 'maker-1', 'maker-5'], 'maker-0']]);
    const quoted = { inAmount: 1_000_000_000n, outAmount: (second?.rate ?? 0n) * 1_000n };
    expect(bidsOf(given)).toEqual([
      { makerId: 'maker-0', lost: null, quoted: { ...quoted, outAmount: 400_000_000n }, detail: null },
      { makerId: 'maker-1', lost: null, quoted, detail: null },
      { makerId: 'maker-2', lost: 'no-quote', quoted: null, detail: null },
      { makerId: 'maker-3', lost: 'invalid', quoted: null, detail: expect.any(String) },
      { makerId: 'maker-4', lost: 'failed', quoted: null, detail: 'the answer has the status 500' },
      {
        makerId: 'maker-5',
        lost: 'balance',
        quoted: expect.any(Object),
        detail: `the maker holds 5 of the 401000000 atoms in ${createMakerAccount(sixth.keypair, USDC, 5n).address}`,
      },
    ]);
    const [rich, poor] = [0, 5].map((index) => hooked.webhooks.find(`maker-${index}`)?.obstacle);
    expect([rich, poor]).toEqual([null, expect.stringContaining('the maker holds 5 of the 401000000 atoms')]);
  });

  it('are those whose books are of the pair, with why each lost', async () => {
    const { swap, makers } = streamed;
    const stream = (name: string, price: bigint, volume: bigint) => {
      const maker = createMaker(name);
      for (const token of [SOL, USDC]) fundMaker(swap.market, maker, token, HELD);
      makers.stream(maker, { base: SOL, quote: USDC }, [{ price, volume }], []);
      return `of ${maker.address}`;
    };
    const dear = stream('dear', 300_000_000n, DEPTH);
    const small = stream('small', 500_000_000n, 1n);
    const given = noteOrders(swap);
    const order = await swap.order(SELL);
    expect(given[0]).toMatchObject({ requestId: order.requestId, router: 'metis', makerId: MAKER_ID });
    const all = bidsOf(given).map(({ makerId, lost }) => [makerId, lost]);
    expect(new Map(all as [string, unknown][])).toEqual(
      new Map<string, unknown>([
        [MAKER_ID, null],
        [dear, null],
        [small, 'volume'],
      ]),
    );
    // What the losing book would have paid for 1 SOL was estimated for the search, and is the price that it streams.
    const { bids = [] } = given[0] ?? {};
    const estimated = new Map(bids.map((bid) => [bid.makerId, bid.estimatedOut]));
    expect(estimated.get(dear)).toBeCloseTo((Number(SELL.amount) * 300_000_000) / 1e9, -1);
    expect(estimated.get(small)).toBeNull();
  });

  it('are of no order without a transaction', async () => {
    const given = noteOrders(streamed.swap);
    await streamed.swap.order({ ...SELL, taker: undefined });
    expect(given).toEqual([]);
  });
});

type NotedOrder = GivenOrder & { readonly bids: readonly MakerBid[] };

/** The orders that are noted from now on. */
function noteOrders({ composed }: TestSwap): NotedOrder[] {
  const given: NotedOrder[] = [];
  const ledger = { ordered: (order: GivenOrder) => given.push({ ...order, bids: [...order.bids] }) };
  Object.assign(composed, { ledger });
  return given;
}

function bidsOf(given: readonly NotedOrder[]) {
  return [...(given[0]?.bids ?? [])]
    .sort((one, other) => (one.makerId < other.makerId ? -1 : 1))
    .map(({ makerId, lost, quoted, detail }) => ({ makerId, lost, quoted, detail }));
}
