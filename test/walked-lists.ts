import { ConcurrencyLimit } from '../src/common/collections/concurrency-limit.ts';
import type { Address } from '../src/solana/address.ts';
import { deriveAssociatedTokenAddress } from '../src/solana/pda.ts';
import { TOKEN_PROGRAM } from '../src/solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../src/testing/token-account.ts';
import { CROWDED_WALLET, type Meter, numberedAddress } from './crowded-wallet.ts';

/** Services with the parts that an endpoint uses of them, and what is asked for at worst. */
export interface Walk {
  readonly services: (meter: Meter) => unknown;
  readonly request?: object;
  /** What it looks at in all, at least. */
  readonly total: number;
  /** Whether all callers share the work, so that none of them accounts for it. Default: false. */
  readonly isShared?: boolean;
}

/** The longest lists that the endpoints of tokens and vaults write, and the longest lists of requests. */
const [TOKENS, VAULTS, HOURS, ASKED, CLOSED] = [5_000, 1_000, 720, 100, 200] as const;

const NO_STATS = { '5m': null, '1h': null, '6h': null, '24h': null };
const FACTS = {
  ...{ program: TOKEN_PROGRAM, decimals: 6, supply: 1n, mintAuthority: null, freezeAuthority: null },
  ...{ permanentDelegate: null, nonTransferable: false, transferFee: null, scaled: null, interest: null },
};
const TOKEN = {
  ...{ name: 'a', symbol: 'a', icon: null, details: {}, firstPool: null, facts: FACTS, supply: null },
  ...{ price: null, stats: NO_STATS, creator: null, holders: null, holderChanges: NO_STATS, organicScore: 0 },
  ...{ organicLabel: 'low', isVerified: false, isImitation: false, tags: ['verified'], updatedAt: 0 },
  ...{ creatorMints: null, launch: null },
};
const clock = () => ({ slot: 1n, epoch: 0n, unixTimestamp: 1_800_000_000n });
const mints = (count: number) => Array.from({ length: count }, (_, index) => numberedAddress(3, index));

function tokenServices(meter: Meter) {
  let made = 0;
  const list = (count: number) => meter.items(count, () => ({ ...TOKEN, mint: numberedAddress(3, made++) }));
  const tokens = {
    tagged: async () => list(TOKENS),
    best: async (limit = TOKENS) => list(limit),
    top: async (_category: string, _window: string, limit: number) => list(limit),
    recent: async (limit: number) => list(limit),
    find: async (asked: readonly Address[]) => list(asked.length),
    // A search for one match looks at many tokens.
    search: async (_text: string, limit: number) => {
      for (let looked = 1; limit === 1 && looked < 16; looked++) meter.touch({});
      return list(limit);
    },
  };
  return { tokens, clock, earnRateOf: () => null };
}
function tokenList(total: number, request: object = {}): Walk {
  return { services: tokenServices, request, total };
}
const LONG_TEXT = 'x'.repeat(79);
const manyTexts = Array.from({ length: ASKED }, (_, index) => `${LONG_TEXT.slice(3)}${index}`).join(',');

const PRICE = 10n ** 12n;
const LENDING = {
  ...{ lendingId: 1, decimals: 6, lastUpdateTimestamp: 0n },
  ...{ tokenExchangePrice: PRICE, liquidityExchangePrice: PRICE },
};
const RESERVE = {
  ...{ supplyExchangePrice: PRICE, borrowExchangePrice: PRICE, lastUpdateTimestamp: 0n, borrowRate: 0 },
  ...{ totalSupplyWithInterest: 0n, totalBorrowWithInterest: 0n, feeOnInterest: 0 },
};
const SUPPLY = {
  ...{ withInterest: true, amount: 0n, withdrawalLimit: 0n, lastUpdate: 0n },
  ...{ expandPercent: 0, expandDuration: 1, baseWithdrawalLimit: 0n },
};
const REWARDS = {
  ...{ startTvl: 0n, duration: 0n, startTime: 0n, yearlyReward: 0n, nextDuration: 0n, nextRewardAmount: 0n },
};
const EARN_TOKENS = mints(10).map((mint, index) => ({
  lending: { ...LENDING, mint, fTokenMint: numberedAddress(4, index) },
  ...{ rewards: REWARDS, reserve: RESERVE, supply: SUPPLY, mint: null, tokenProgram: TOKEN_PROGRAM },
  ...{ shares: 0n, held: 0n },
}));
const USERS = Array.from({ length: 50 }, (_, index) => numberedAddress(6, index));

/** What the endpoints look at that write or take a list from memory, and the worst request for it. */
export const WALKED_LISTS: Readonly<Record<string, Walk>> = {
  'GET /tokens/v2/search': tokenList(ASKED, { query: { query: mints(ASKED).join(',') } }),
  'GET /ultra/v1/search': tokenList(16 * ASKED, { query: { query: manyTexts } }),
  'GET /_datapi/v1/assets/search': tokenList(ASKED, { query: { query: LONG_TEXT, limit: '100' } }),
  'GET /tokens/v2/tag': tokenList(TOKENS, { query: { query: 'verified' } }),
  'GET /tokens/v2/:category/:interval': tokenList(ASKED, {
    params: { category: 'toptraded', interval: '24h' },
    query: { limit: '100' },
  }),
  'GET /tokens/v1/tagged/:tag': tokenList(TOKENS, { params: { tag: 'verified' } }),
  'GET /tokens/v1/new': tokenList(ASKED, { query: { limit: '100', offset: '100' } }),
  'GET /tokens/v1/all': tokenList(TOKENS),
  'GET /ultra/v1/shield': {
    services: (meter) => ({
      shield: {
        chain: {
          getAccounts: async (asked: readonly Address[]) =>
            meter.items(asked.length, (index) => ({ address: asked[index], slot: 1n, account: null })),
          clock,
        },
        tokens: tokenServices(meter).tokens,
        pools: { knows: () => false },
      },
    }),
    request: { query: { mints: mints(ASKED) } },
    total: 2 * ASKED,
  },
  'POST /ultra/v1/reclaim/craft': {
    services: (meter) => {
      const held = new Map(
        mints(CLOSED).map((mint) => {
          const data = () => ordinaryTokenAccount({ mint, owner: CROWDED_WALLET, amount: 5n });
          const address = deriveAssociatedTokenAddress(CROWDED_WALLET, mint, TOKEN_PROGRAM);
          return [address, meter.account(TOKEN_PROGRAM, data)];
        }),
      );
      const getAccounts = async (asked: readonly Address[]) =>
        asked.map((address) => ({ address, slot: 1n, account: held.get(address) ?? null }));
      return {
        turns: new ConcurrencyLimit(1, 1, () => new Error('full')),
        wallets: {
          chain: { getAccounts, blockHeight: () => 1n },
          tokens: { isVerified: () => false },
          marketData: { price: () => null },
          timers: { now: () => 0 },
        },
      };
    },
    request: { body: { owner: CROWDED_WALLET, mints: mints(CLOSED) } },
    total: CLOSED,
  },
  'GET /portfolio/v1/history/:address': {
    services: (meter) => ({
      values: {
        since: async () => 0,
        values: async () => meter.items(HOURS, (hour) => ({ hour, value: 1 })),
      },
      now: () => 0,
    }),
    request: { params: { address: CROWDED_WALLET }, caller: { kind: 'network', id: 'n' } },
    total: HOURS,
  },
  'GET /lend/v1/earn/positions': {
    services: (meter) => {
      const getAssociatedAccounts = async (owners: readonly Address[], held: readonly { mint: Address }[]) =>
        owners.map((owner) =>
          held.map(({ mint }, index) => ({
            ...{ address: numberedAddress(2, index), slot: 1n },
            account: meter.account(TOKEN_PROGRAM, () => ordinaryTokenAccount({ mint, owner, amount: 5n })),
          })),
        );
      return {
        earn: {
          chain: { clock, openView: () => ({ maxAccounts: null, getAssociatedAccounts }) },
          markets: { list: () => EARN_TOKENS },
          prices: { dollarsPerAtom: () => null },
          stakingAprOf: () => null,
        },
      };
    },
    request: { query: { users: USERS } },
    total: 2 * USERS.length * EARN_TOKENS.length,
  },
  'GET /lend/v1/borrow/vaults': {
    // None of them is of the market, so that what is looked at is each of them.
    services: (meter) => ({
      borrow: {
        chain: { clock },
        accounts: {
          version: 1,
          vaults: () => new Map(meter.items(VAULTS, (id) => ({ id })).map((vault, index) => [index, vault])),
        },
        prices: { changes: 1 },
        markets: { placeOf: (id: number) => ({ market: 'other', id }) },
      },
    }),
    total: VAULTS,
    isShared: true,
  },
};
