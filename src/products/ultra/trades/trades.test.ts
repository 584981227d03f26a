import { describe, expect, it } from 'vitest';
import type {
  LandedInnerCall,
  LandedTokenBalance,
  LandedTransaction,
} from '../../../chain/landed-transactions.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import type { Address } from '../../../solana/address.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { encodeMint } from '../../../solana/programs/token/mint.ts';
import { transfer } from '../../../solana/programs/token/instructions.ts';
import type { TokenCandle } from '../../../market-data/series/bars.ts';
import { createNumberedAddress } from '../../../testing/products/signing-wallets.ts';
import { type TradeHistoryDependencies, readTrades } from './trade-history.ts';
import { findWalletSwap } from './wallet-swap.ts';

describe('findWalletSwap', () => {
  it('reads what was paid and received, whatever else the transaction paid for', () => {
    expect(swapOf()).toEqual(usdcFor(BONK, 70n));
    // A tip, and the rent of an account that the swap opened.
    expect(swapOf({ postBalances: [900_000n, RENT, RENT, 0n, 1n, 1n] })).toEqual(usdcFor(BONK, 70n));
  });

  it('counts SOL and wrapped SOL as the same, without rent and the fee of the network', () => {
    const sold = { preTokenBalances: [held(USDC_ACCOUNT, USDC, 9n)] };
    const toWallet = { ...sold, postTokenBalances: [held(USDC_ACCOUNT, USDC, 4n)] };
    const postBalances = [995_000n + 333n, RENT, 0n, 0n, 1n, 1n];
    const preBalances = [1_000_000n, RENT, 0n, 0n, 1n, 1n];
    expect(swapOf({ ...toWallet, preBalances, postBalances })).toEqual(usdcFor(WRAPPED_SOL_MINT, 333n));
    const toAccount = [held(USDC_ACCOUNT, USDC, 4n), held(SOL_ACCOUNT, WRAPPED_SOL_MINT, 333n)];
    const opened = {
      preBalances: [1_000_000n + RENT, RENT, 0n, 0n, 1n, 1n],
      postBalances: [995_000n, RENT, 0n, RENT + 333n, 1n, 1n],
    };
    expect(swapOf({ ...sold, postTokenBalances: toAccount, ...opened })).toEqual(
      usdcFor(WRAPPED_SOL_MINT, 333n),
    );
    // Somebody else pays the fee.
    const accounts = [STRANGER, USDC_ACCOUNT, WALLET, SOL_ACCOUNT, POOL, VENUE];
    const sponsored = {
      accounts,
      preBalances: [9n, RENT, 0n, 0n, 1n, 1n],
      postBalances: [9n, RENT, 333n, 0n, 1n, 1n],
    };
    expect(swapOf({ ...toWallet, ...sponsored })).toEqual(usdcFor(WRAPPED_SOL_MINT, 333n));
  });

  it('cannot be forged by somebody who sends tokens, or takes them by an authority of the token', () => {
    expect(swapOf({ calls: [call(STRANGER)] })).toBeNull();
    expect(
      swapOf({ postTokenBalances: [held(USDC_ACCOUNT, USDC, 9n), held(BONK_ACCOUNT, BONK, 70n)] }),
    ).toBeNull();
  });

  it('finds no swap in a failed transaction, in a transfer, and in a deposit of two tokens', () => {
    expect(swapOf({ error: { InstructionError: [0, { Custom: 1 }] } })).toBeNull();
    expect(
      swapOf({ accounts: [WALLET, USDC_ACCOUNT, BONK_ACCOUNT, SOL_ACCOUNT, POOL, STRANGER] }),
    ).toBeNull();
    const deposit = [held(USDC_ACCOUNT, USDC, 4n), held(BONK_ACCOUNT, BONK, 0n)];
    expect(
      swapOf({
        preTokenBalances: [
          ...deposit.slice(1),
          held(USDC_ACCOUNT, USDC, 9n),
          held(createNumberedAddress(20), createNumberedAddress(21), 3n),
        ],
        postTokenBalances: [
          ...deposit,
          held(createNumberedAddress(20), createNumberedAddress(21), 1n),
          held(createNumberedAddress(22), createNumberedAddress(23), 7n),
        ],
      }),
    ).toBeNull();
  });
});

/** A wallet with transactions, the newest first, of which the given ones are swaps. */
function history(count: number, isSwap: (index: number) => boolean) {
  const reads: string[] = [];
  const signatures = Array.from({ length: count }, (_, index) => `s${index}`);
  const plain = { mintAuthority: null, supply: 1n, freezeAuthority: null, extensions: [] };
  const account = (decimals: number) => ({
    owner: TOKEN_PROGRAM,
    data: encodeMint({ ...plain, decimals }),
    lamports: 1n,
    executable: false,
    rentEpoch: 0n,
  });
  const dependencies: TradeHistoryDependencies = {
    chain: {
      unhealthy: () => null,
      clock: () => ({ slot: 1n, epoch: 0n, unixTimestamp: BigInt(NOW) }),
      getAccounts: async (mints) =>
        mints.map((address) => ({ address, slot: 1n, account: account(address === USDC ? 0 : 1) })),
      signaturesOf: async (_, { limit, before }) => {
        const from = before === undefined ? 0 : signatures.indexOf(before) + 1;
        return signatures.slice(from, from + limit).map((signature) => ({ signature, slot: 1n }));
      },
      transaction: async (signature) => {
        reads.push(signature);
        const index = Number(signature.slice(1));
        const accounts = isSwap(index) ? {} : { accounts: [WALLET] };
        return landed({ signature, blockTime: BigInt(NOW - index * 10), ...accounts });
      },
    },
    marketData: { candles: async (mint) => (mint === USDC ? [{ close: 2 } as TokenCandle] : []) },
    programs: PROGRAMS,
  };
  const all = { wallet: WALLET, mint: null, from: null, to: null, before: null, limit: 15 };
  const ask = (changes: Partial<typeof all> | object = {}) =>
    readTrades(dependencies, { ...all, ...changes });
  return { ask, reads };
}

const signaturesOf = ({ trades }: { trades: readonly { signature: string }[] }) =>
  trades.map(({ signature }) => signature);

describe('readTrades', () => {
  it('values both sides by the price of one, and states whole tokens', async () => {
    const { ask } = history(1, () => true);
    expect(await ask()).toEqual({
      trades: [
        {
          signature: 's0',
          time: NOW,
          sides: [
            { kind: 'sell', mint: USDC, amount: 5, price: 2, dollars: 10 },
            { kind: 'buy', mint: BONK, amount: 7, price: 10 / 7, dollars: 10 },
          ],
        },
      ],
      next: null,
    });
  });

  it('pages through everything, once', async () => {
    const { ask } = history(250, (index) => index % 50 === 7);
    const found: string[] = [];
    for (let before: string | null = null, pages = 0; ; pages++) {
      expect(pages).toBeLessThan(10);
      const page = await ask({ before, limit: 2 });
      found.push(...signaturesOf(page));
      before = page.next;
      if (before === null) break;
    }
    expect(found).toEqual(['s7', 's57', 's107', 's157', 's207']);
  });

  it('reads a bounded number of transactions, however many the wallet has', async () => {
    const { ask, reads } = history(5_000, () => false);
    expect(await ask()).toEqual({ trades: [], next: 's99' });
    expect(reads).toHaveLength(100);
  });

  it('ends with the last swap of exactly one page', async () => {
    const { ask } = history(2, () => true);
    expect(await ask({ limit: 2 })).toMatchObject({ next: null });
    expect(await ask({ limit: 1 })).toMatchObject({ next: 's0' });
  });

  it('keeps to a token and to times', async () => {
    const { ask } = history(60, () => true);
    expect((await ask({ mint: WRAPPED_SOL_MINT })).trades).toEqual([]);
    expect((await ask({ mint: BONK })).trades).toHaveLength(15);
    const page = await ask({ from: NOW - 40, to: NOW - 20 });
    expect([signaturesOf(page), page.next]).toEqual([['s2', 's3', 's4'], null]);
  });
});

const [WALLET, STRANGER, POOL, VENUE] = [
  createNumberedAddress(1),
  createNumberedAddress(2),
  createNumberedAddress(3),
  createNumberedAddress(4),
];
const [USDC, BONK] = [getGenesisToken('USDC').mint, getGenesisToken('BONK').mint];
const [USDC_ACCOUNT, BONK_ACCOUNT, SOL_ACCOUNT] = [
  createNumberedAddress(11),
  createNumberedAddress(12),
  createNumberedAddress(13),
];
const PROGRAMS = new Set([VENUE]);
const NOW = 1_800_000_000;
const RENT = 2_039_280n;

const call = (authority: Address): LandedInnerCall => {
  const { programAddress, accounts, data } = transfer(TOKEN_PROGRAM, {
    source: USDC_ACCOUNT,
    destination: POOL,
    authority,
    amount: 5n,
  });
  return {
    instruction: 0,
    depth: 2,
    call: { program: programAddress, accounts: accounts.map(({ address }) => address), data },
  };
};

const held = (account: Address, mint: Address, amount: bigint, owner = WALLET): LandedTokenBalance => ({
  account,
  mint,
  owner,
  amount,
});

/** The wallet pays 5 USDC atoms and receives 70 BONK atoms. */
function landed(changes: Partial<LandedTransaction> = {}): LandedTransaction {
  return {
    signature: 'signature',
    slot: 5n,
    wire: new Uint8Array(),
    blockTime: BigInt(NOW - 100),
    error: null,
    fee: 5_000n,
    unitsConsumed: 1n,
    logs: [],
    accounts: [WALLET, USDC_ACCOUNT, BONK_ACCOUNT, SOL_ACCOUNT, POOL, VENUE],
    preBalances: [1_000_000n, RENT, RENT, 0n, 1n, 1n],
    postBalances: [995_000n, RENT, RENT, 0n, 1n, 1n],
    preTokenBalances: [held(USDC_ACCOUNT, USDC, 9n), held(BONK_ACCOUNT, BONK, 0n)],
    postTokenBalances: [held(USDC_ACCOUNT, USDC, 4n), held(BONK_ACCOUNT, BONK, 70n)],
    instructions: [],
    calls: [call(WALLET)],
    ...changes,
  };
}

const swapOf = (changes: Partial<LandedTransaction> = {}) =>
  findWalletSwap(landed(changes), WALLET, PROGRAMS);
const usdcFor = (mint: Address, amount: bigint) => ({
  paid: { mint: USDC, amount: 5n },
  received: { mint, amount },
});
