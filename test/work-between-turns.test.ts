import { describe, expect, it } from 'vitest';
import { PRODUCTS } from '../src/app/products.ts';
import type { RpcContext } from '../src/chain/embedded/rpc/calls/context.ts';
import { createRpcMethods } from '../src/chain/embedded/rpc/methods/index.ts';
import { ConcurrencyLimit } from '../src/common/collections/concurrency-limit.ts';
import { UNITS_PER_TURN, type Work } from '../src/common/work/work.ts';
import { SYSTEM_TURNS, WorkShares } from '../src/gateway/limits/work-shares.ts';
import { VaultIndex } from '../src/lend/borrow/vault-index.ts';
import { EventStream } from '../src/products/endpoint.ts';
import { Portfolios } from '../src/products/portfolio/evaluation/portfolios.ts';
import { PortfolioFollower } from '../src/products/portfolio/stream/follow.ts';
import { walletTokens } from '../src/protocols/wallet/tokens.ts';
import { openWalletReader } from '../src/protocol/positions/wallet-reader.ts';
import type { Address } from '../src/solana/address.ts';
import { TOKEN_PROGRAM } from '../src/solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../src/testing/token-account.ts';
import { encodeMint } from '../src/solana/programs/token/mint.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import { CROWDED_WALLET, crowdedChain, Meter, numberedAddress } from './crowded-wallet.ts';
import { type Walk, WALKED_LISTS } from './walked-lists.ts';
import { WALKED_PROGRAM_ORDERS } from './walked-program-orders.ts';

// How much of an account list, or of another list, an endpoint or a method looks at before the thread has its next turn.

/** The token accounts of a flooded wallet. What is done in a turn does not grow with more of them. */
const ACCOUNTS = 6_000;

describe('the work of endpoints between two turns', () => {
  it('is stated for each of them', () => {
    const stated = [...Object.keys(WALKED), ...Object.values(SHORT).flat()];
    expect(stated.sort()).toEqual([...ENDPOINTS.keys()].sort());
  });

  it.each(Object.entries(WALKED))(
    'is 64 accounts or items at most: %s',
    async (name, { services, request, total, isShared = false }) => {
      const meter = new Meter();
      const shares = new WorkShares({
        ...SYSTEM_TURNS,
        after: SYSTEM_TIMERS.after,
        onRefused: () => undefined,
      });
      const work = shares.workOf('organisation', 'o');
      let counted = 0;
      const beginWork = (): Work => ({
        take: (units) => {
          counted += units;
          return work.take(units);
        },
      });
      const plain = { id: 'r', query: {}, params: {}, body: null, headers: {} };
      const asked = { ...plain, ...request, work: beginWork(), beginWork };
      await meter.during(firstAnswer(handleOf(name)(services(meter), asked)));
      if (!isShared) expect(counted).toBeGreaterThanOrEqual(total);
      expect(meter.total).toBeGreaterThanOrEqual(total);
      expect(meter.most).toBeLessThanOrEqual(UNITS_PER_TURN);
    },
  );

  /** Waits for an answer, or for the first event of a stream. */
  async function firstAnswer(answering: unknown): Promise<void> {
    const answer = await answering;
    if (!(answer instanceof EventStream)) return;
    const events = answer.events(new AbortController().signal)[Symbol.asyncIterator]();
    await events.next();
    await events.return?.();
  }
});

describe('the tokens of a wallet that fetchers select from', () => {
  it('are looked at in turns once, for all fetchers', async () => {
    let counted = 0;
    const work: Work = {
      take: (units) => {
        counted += units;
        return null;
      },
    };
    const view = crowdedChain(new Meter(), ACCOUNTS).openView();
    const reader = openWalletReader(
      view,
      CROWDED_WALLET,
      [],
      () => undefined,
      SYSTEM_TIMERS,
      undefined,
      work,
    );
    const held = (await reader.tokens()).length;
    const before = counted;
    const found = await Promise.all([reader.heldTokens(), reader.heldTokens(), reader.singleTokens()]);
    expect(found.map(({ length }) => length)).toEqual([held, held, 0]);
    expect(counted - before).toBe(2 * held);
  });
});

describe('the work of RPC methods between two turns', () => {
  /** The calls whose lists have no bound. */
  const CALLS: readonly (readonly [method: string, params: readonly unknown[]])[] = [
    ['getTokenAccountsByOwner', [CROWDED_WALLET, { programId: TOKEN_PROGRAM }, { encoding: 'base64' }]],
    ['getTokenAccountsByDelegate', [CROWDED_WALLET, { programId: TOKEN_PROGRAM }, { encoding: 'base64' }]],
    ['getProgramAccounts', [TOKEN_PROGRAM, { encoding: 'base64' }]],
    ['getTokenLargestAccounts', [numberedAddress(3, 0)]],
  ];

  it.each(CALLS)('is 64 accounts at most: %s', async (method, params) => {
    const meter = new Meter();
    const data = ordinaryTokenAccount({ mint: numberedAddress(3, 0), owner: CROWDED_WALLET, amount: 5n });
    const accounts = Array.from({ length: ITEMS }, (_, index) => ({
      address: numberedAddress(2, index),
      account: meter.account(TOKEN_PROGRAM, () => data),
    }));
    const mint = meter.account(TOKEN_PROGRAM, () =>
      encodeMint({ mintAuthority: null, supply: 9n, decimals: 0, freezeAuthority: null, extensions: [] }),
    );
    const bank = {
      slot: () => 7n,
      blockTime: () => 1n,
      getAccount: () => mint,
      eachTokenAccount: () => ({ slot: 7n, value: accounts }),
      eachProgramAccount: () => ({ slot: 7n, value: accounts }),
    } as unknown as RpcContext['bank'];
    const context = { bank, version: '1', endpoints: () => ({ rpc: '', pubsub: '' }) };
    const handler = createRpcMethods(context, () => undefined, true)(null).get(method);
    await meter.during(Promise.resolve(handler?.([...params])));
    expect(meter.total).toBeGreaterThanOrEqual(ITEMS);
    // One more: the mint, by which amounts are displayed.
    expect(meter.most).toBeLessThanOrEqual(UNITS_PER_TURN + 1);
  });
});

/** The longest of other lists. */
const ITEMS = 5_000;
const CANDLES = 1_000;
const BAR = {
  ...{ open: 1, high: 1, low: 1, close: 1, liquidity: 1, hasAllTrades: true },
  ...{ buyVolume: 1, sellVolume: 1, buys: 1, sells: 1 },
};

const turns = new ConcurrencyLimit(1, 1, () => new Error('full'));
const holdings: Walk = {
  services: (meter) => ({
    holdings: { chain: crowdedChain(meter, ACCOUNTS), isVerified: () => false },
    turns,
  }),
  request: { params: { address: CROWDED_WALLET } },
  total: ACCOUNTS,
};

function crowdedPortfolios(meter: Meter): Portfolios {
  return new Portfolios({
    chain: crowdedChain(meter, ACCOUNTS),
    fetchers: [walletTokens],
    timers: SYSTEM_TIMERS,
    deadlineMs: 600_000,
    dollarsPerAtom: () => null,
    yieldsOf: () => [],
    collectionOf: () => null,
    listed: () => ({ name: 'a', symbol: 'a', tags: [], logoURI: null }),
    onDefect: (_: string, error: unknown) => {
      throw error;
    },
  });
}

const portfolio: Walk = {
  services: (meter) => ({ portfolios: crowdedPortfolios(meter) }),
  request: { params: { address: CROWDED_WALLET }, query: { wallet: CROWDED_WALLET } },
  total: ACCOUNTS,
};
const portfolioStream: Walk = {
  services: (meter) => ({
    follower: new PortfolioFollower({
      chain: { slot: () => 1n, watchAccounts: () => () => undefined },
      portfolios: crowdedPortfolios(meter),
      timers: SYSTEM_TIMERS,
    }),
  }),
  request: { params: { address: CROWDED_WALLET } },
  total: ACCOUNTS,
};
const pools: Walk = {
  services: (meter) => ({
    pools: { all: () => meter.items(ITEMS, (index) => ({ pool: { mints: [numberedAddress(5, index)] } })) },
  }),
  total: ITEMS,
};

/** What the endpoints look at that is longer than a turn, and the worst request for it. */
const WALKED: Readonly<Record<string, Walk>> = {
  ...WALKED_LISTS,
  ...WALKED_PROGRAM_ORDERS,
  'GET /ultra/v1/holdings/:address': holdings,
  'GET /ultra/v1/balances/:address': holdings,
  'GET /portfolio/v1/positions/:address': portfolio,
  'GET /portfolio/v1/positions': portfolio,
  'GET /portfolio/v1/positions/:address/stream': portfolioStream,
  'GET /tokens/v1/mints/tradable': pools,
  'GET /price/v3/candles': {
    services: (meter) => ({
      marketData: { candles: async () => meter.items(CANDLES, (start) => ({ start, ...BAR })) },
      clock: () => 1_800_000_000,
    }),
    request: { query: { mint: numberedAddress(3, 0), interval: '1m' } },
    total: CANDLES,
  },
  'GET /price/v2': {
    services: (meter) => ({
      now: () => 0,
      marketData: { price: (mint: Address) => ({ mint, usdPrice: 1, at: 0 }) },
      // The searches for a route of one mint are a turn.
      extraInfo: () => {
        for (let search = 0; search < UNITS_PER_TURN; search++) meter.touch({});
        return { swapped: { buy: null, sell: null }, quotes: null, quotedAt: 0 };
      },
    }),
    request: {
      query: {
        ids: Array.from({ length: 10 }, (_, index) => numberedAddress(3, index)).join(','),
        showExtraInfo: 'true',
      },
    },
    total: 10 * UNITS_PER_TURN,
  },
  'GET /lend/v1/borrow/positions': {
    services: (meter) => ({
      borrow: {
        chain: crowdedChain(meter, ACCOUNTS),
        accounts: { index: new VaultIndex(), version: 1, vaults: () => [] },
        prices: { changes: 1 },
        markets: { idsOf: () => [], vaultsOf: () => [] },
      },
    }),
    request: { query: { users: [CROWDED_WALLET] } },
    total: ACCOUNTS,
  },
};

/** The longest list of the other endpoints: a list of a request, or of an answer, whose items cost next to nothing. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  'at most one wallet, token or transaction': [
    'GET /swap/v2/build',
    'GET /swap/v2/order',
    'POST /swap/v2/execute',
    'GET /swap/v2/quote',
    'POST /swap/v2/swap',
    'POST /swap/v2/swap-instructions',
    'GET /swap/v2/squads/v5/order',
    'POST /swap/v2/squads/v5/execute',
    'GET /swap/v1/quote',
    'POST /swap/v1/swap',
    'POST /swap/v1/swap-instructions',
    ...['deposit', 'withdraw', 'mint', 'redeem'].flatMap((action) => [
      `POST /lend/v1/earn/${action}`,
      `POST /lend/v1/earn/${action}-instructions`,
    ]),
    'POST /lend/v1/borrow/operate',
    'POST /lend/v1/borrow/operate-instructions',
    'GET /portfolio/v1/staked-jup/:address',
    'GET /portfolio/v1/staked-jup',
    'GET /tokens/v2/verify/express/check-eligibility',
    'GET /tokens/v2/verify/express/craft-txn',
    'POST /tokens/v2/verify/express/execute',
    'GET /tokens/v1/token/:mint',
    'GET /tokens/v1/market/:market/mints',
    'GET /ultra/v1/holdings/:address/native',
    'GET /ultra/v1/transfer/craft-native',
    'GET /ultra/v1/transfer/craft-token',
    'POST /ultra/v1/transfer/execute',
    'POST /ultra/v1/reclaim/execute',
    'POST /trigger/v1/createOrder',
    'POST /trigger/v1/execute',
    'POST /recurring/v1/createOrder',
    'POST /recurring/v1/cancelOrder',
    'POST /recurring/v1/execute',
    'POST /recurring/v1/priceDeposit',
    'POST /recurring/v1/priceWithdraw',
    'POST /send/v1/craft-send',
    'POST /send/v1/craft-clawback',
    'POST /send/v1/craft-claim',
    'POST /tx/v1',
    'POST /tx/v1/submit',
    'GET /tx/v1/reports/:signature',
    'POST /studio/v1/dbc-pool/create-tx',
    'POST /studio/v1/dbc-pool/submit',
    'GET /studio/v1/dbc-pool/addresses/:mint',
    'GET /studio/v1/dbc-pool/page/:mint',
    'GET /studio/v1/dbc-pool/curve/:mint',
    'POST /studio/v1/dbc/fee',
    'POST /studio/v1/dbc/fee/create-tx',
    'POST /prediction/v1/orders',
    'POST /prediction/v1/execute',
    'POST /prediction/v1/positions/:positionPubkey/claim',
    'DELETE /prediction/v1/positions/:positionPubkey',
    'GET /prediction/v1/positions/:positionPubkey',
    'GET /prediction/v1/orders/:orderPubkey',
    'GET /prediction/v1/orders/status/:orderPubkey',
    'GET /prediction/v1/trading-status',
    'GET /prediction/v1/vault-info',
  ],
  'an event with its markets, or the prices of one market': [
    'GET /prediction/v1/events/:eventId',
    'GET /prediction/v1/events/:eventId/markets',
    'GET /prediction/v1/events/:eventId/markets/:marketId',
    'GET /prediction/v1/markets/:marketId',
    'GET /prediction/v1/orderbook/:marketId',
  ],
  'at most 20 events, found in memory': [
    'GET /prediction/v1/events/search',
    'GET /prediction/v1/events/suggested/:pubkey',
  ],
  'a page of at most 1,000 events, orders, positions or steps, which are written in turns': [
    'GET /prediction/v1/events',
    'GET /prediction/v1/events/crypto/timed',
    'GET /prediction/v1/orders',
    'GET /prediction/v1/positions',
    'GET /prediction/v1/profiles/:ownerPubkey/positions',
    'GET /prediction/v1/history',
  ],
  'at most 100 traders, trades or scores, and at most 1,000 points of a profit': [
    'GET /prediction/v1/leaderboards',
    'GET /prediction/v1/trades',
    'GET /prediction/v1/events/scores',
    'GET /prediction/v1/events/:eventId/score',
    'GET /prediction/v1/profiles/:ownerPubkey/pnl-history',
  ],
  'the positions of a wallet, which are added up in memory': ['GET /prediction/v1/profiles/:ownerPubkey'],
  'the newest points of a market, which are written in turns': ['GET /prediction/v1/forecast'],
  'the positions of a wallet, at most 50 of which are built, one after another': [
    'DELETE /prediction/v1/positions',
  ],
  'a file, which is read and written by other threads, and sent in pieces': [
    'PUT /images/:mint',
    'GET /images/:mint',
    'PUT /metadata/:mint.json',
    'GET /metadata/:mint.json',
    'GET /headers/:mint',
  ],
  'a list of the build, or at most 64 items': [
    'GET /swap/v2/program-id-to-label',
    'GET /swap/v1/program-id-to-label',
    'GET /_cache/reference-fees',
    'GET /lend/v1/earn/tokens',
    'GET /lend/v1/earn/earnings',
    'GET /portfolio/v1/platforms',
    'GET /price/v3',
    'GET /price/v3/stream',
    'GET /tokens/v2/recent',
    'GET /ultra/v1/order/routers',
    'GET /_datapi/v1/txs/users',
  ],
  'a page of at most 200 orders, which another thread reads, or what that thread adds up': [
    'GET /market-making/v1/orders',
    'GET /market-making/v1/statistics',
  ],
  'the books of one maker, which are pairs of at most 64 mints, at most 200 with five levels each; or its last 50 changes':
    ['GET /market-making/v1/books', 'GET /market-making/v1/status'],
  'a few rows, or the open challenges of a wallet, at most 50': [
    'POST /trigger/v2/auth/challenge',
    'POST /trigger/v2/auth/verify',
    'GET /trigger/v2/vault',
    'POST /trigger/v2/vault/register',
    'GET /trigger/v2/vault/register',
    'POST /trigger/v2/deposit/craft',
    'POST /trigger/v2/orders/price',
    'POST /trigger/v2/orders/price/cancel/:id',
    'POST /trigger/v2/orders/price/confirm-cancel/:id',
    'PATCH /trigger/v2/orders/price/:id',
    'POST /trigger/v2/orders/dca',
    'POST /trigger/v2/orders/dca/cancel/:id',
    'POST /trigger/v2/orders/dca/confirm-cancel/:id',
  ],
  'a page of at most 20 invites': [
    'GET /send/v1/pending-invites',
    'GET /send/v1/pending-invites/:address',
    'GET /send/v1/invite-history',
    'GET /send/v1/invite-history/:address',
  ],
  'a page of at most 100 orders with some of their transactions, which are written in turns': [
    'GET /trigger/v2/orders/history',
    'GET /trigger/v2/orders/history/:id',
    'GET /trigger/v2/orders/history/dca',
    'GET /trigger/v2/orders/history/dca/:id',
  ],
};

const ENDPOINTS = new Map(
  PRODUCTS.flatMap(({ endpoints }) => endpoints).map(
    (each) => [`${each.method} ${each.path}`, each] as const,
  ),
);
type Handle = (services: unknown, request: unknown) => unknown;
const handleOf = (name: string): Handle =>
  (ENDPOINTS.get(name as never) as unknown as { readonly handle: Handle }).handle;
