import { describe, expect, it } from 'vitest';
import { openTestMarket } from '../../testing/genesis-market/open.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { yieldToOtherWork } from '../../testing/waits.ts';
import { ChainUnavailable } from '../../chain/chain.ts';
import type { PositionFetcher } from '../../protocol/positions/fetcher.ts';
import { PLATFORM_FETCHERS } from '../../testing/protocols/platform-fetchers.ts';
import { jupiterLock } from '../../protocols/jupiter-lock/fetcher.ts';
import { encodeVestingEscrow, LOCK_PROGRAM } from '../../protocols/jupiter-lock/layout.ts';
import { walletTokens } from '../../protocols/wallet/tokens.ts';
import { walletNative } from '../../protocols/wallet/native.ts';
import { TestView } from '../../testing/protocols/wallet-view.ts';
import { MAX_TOKEN_ACCOUNTS } from '../../protocol/positions/wallet-reader.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../../testing/token-account.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import { findTokenByMint } from '../../solana/known-tokens.ts';
import { evaluate } from './evaluation/evaluate.ts';
import { evaluateForTest } from '../../testing/products/evaluated-portfolio.ts';
import { Portfolios } from './evaluation/portfolios.ts';
import { createPricing } from './pricing.ts';

describe('a wallet that somebody floods', () => {
  it('shows its known tokens, however many accounts others opened for it, and says what is left out', async () => {
    const [owner, spam] = [numbered(1, 0), numbered(2, 0)];
    const view = new TestView(market.genesis.accounts);
    const mint = {
      mintAuthority: null,
      supply: 1n << 40n,
      decimals: 6,
      freezeAuthority: null,
      extensions: [],
    };
    view.set(spam, TOKEN_PROGRAM, encodeMint(mint));
    for (let index = 0; index < MAX_TOKEN_ACCOUNTS + BEYOND - 1; index++) {
      view.set(numbered(3, index), TOKEN_PROGRAM, tokenAccount(owner, spam, 1n));
    }
    view.set(numbered(4, 0), TOKEN_PROGRAM, tokenAccount(owner, USDC, 5_000_000n));
    const { outcomes, elements } = await evaluateForTest(view, market.pools, owner, [walletTokens]);
    expect(outcomes[0]?.error).toBe(
      `positions could not be read: ${owner}: it has so many token accounts that ${BEYOND} of them were not read`,
    );
    const assets = elements.flatMap((element) => (element.type === 'multiple' ? element.assets : []));
    expect(assets).toHaveLength(MAX_TOKEN_ACCOUNTS);
    const usdc = assets.find(({ asset }) => asset.type === 'token' && asset.mint === USDC);
    expect(usdc).toMatchObject({ amount: 5 });
  });

  function tokenAccount(owner: Address, mint: Address, amount: bigint): Uint8Array {
    return ordinaryTokenAccount({ mint, owner, amount });
  }
});

describe('a token that somebody locks for a wallet', () => {
  it('is spam unless something speaks for it, as one that was sent to the wallet', async () => {
    const [owner, spam] = [numbered(1, 0), numbered(2, 0)];
    const view = new TestView(market.genesis.accounts);
    const [mintAuthority, freezeAuthority] = [null, null];
    const mint = { mintAuthority, supply: 1n << 40n, decimals: 6, freezeAuthority, extensions: [] };
    view.set(spam, TOKEN_PROGRAM, encodeMint(mint));
    for (const [index, locked] of [spam, USDC].entries()) {
      const data = encodeVestingEscrow({
        recipient: owner,
        mint: locked,
        creator: numbered(5, 0),
        base: numbered(6, 0),
        tokenProgramFlag: 0,
        updateRecipientMode: 0,
        cancelMode: 0,
        vestingStartTime: 1_900_000_000n,
        cliffTime: 1_900_000_000n,
        frequency: 1n,
        cliffUnlockAmount: 7_000_000n,
        amountPerPeriod: 0n,
        periods: 0n,
        claimed: 0n,
        cancelledAt: 0n,
      });
      view.set(numbered(7, index), LOCK_PROGRAM, data);
    }
    const shown = async (hideSpam: boolean) => {
      const { elements } = await evaluateForTest(view, market.pools, owner, [jupiterLock], { hideSpam });
      return elements.flatMap((element) =>
        element.type === 'multiple'
          ? element.assets.map(({ asset, attributes: { tags } }) => ['mint' in asset && asset.mint, tags])
          : [],
      );
    };
    expect(await shown(false)).toEqual([
      [USDC, undefined],
      [spam, ['Spam']],
    ]);
    expect(await shown(true)).toEqual([[USDC, undefined]]);
  });
});

describe('a fetcher that hangs', () => {
  it('is reported when its time is over, and costs the others nothing', async () => {
    const timers = new ManualTimers();
    const view = new TestView(market.genesis.accounts);
    const hanging: PositionFetcher = {
      id: 'test-hanging',
      platformId: 'test',
      claims: async () => new Set(),
      fetch: () => new Promise(() => undefined),
    };
    let fetched: () => void = () => undefined;
    const othersFetched = new Promise<void>((resolve) => {
      fetched = resolve;
    });
    const prompt: PositionFetcher = {
      ...walletNative,
      fetch: (wallet) => walletNative.fetch(wallet).finally(fetched),
    };
    const request = {
      owner: market.wallet,
      fetchers: [hanging, prompt],
      platforms: null,
      hideSpam: false,
    };
    const dependencies = {
      ...createPricing(market.pools, market.prices, []),
      listed: findTokenByMint,
      timers,
      deadlineMs: 8_000,
    };
    const answer = evaluate(view, request, {
      ...dependencies,
      onDefect: (_, error) => {
        throw error;
      },
    });
    await othersFetched;
    await yieldToOtherWork();
    timers.advance(7_999);
    await yieldToOtherWork();
    expect(await Promise.race([answer, 'waiting'])).toBe('waiting');
    timers.advance(1);
    const { outcomes, elements } = await answer;
    expect(outcomes.map(({ error }) => error)).toEqual(['Fetcher timed out: test-hanging', null]);
    expect(elements.map(({ fetcherId }) => fetcherId)).toEqual(['wallet-tokens-solana-native']);
  });
});

describe('Portfolios', () => {
  it('never answers a wallet with another one, nor a question with the answer to another', async () => {
    const { portfolios, state } = open();
    const asked = Array.from({ length: 60 }, (_, index) => ({
      owner: numbered(1, index % 20),
      platforms: index < 20 ? null : new Set(index < 40 ? ['wallet-tokens'] : ['native-stake']),
      hideSpam: false,
    }));
    const answers = await Promise.all(asked.map((request) => portfolios.of(request)));
    for (const [index, answer] of answers.entries()) {
      expect(answer.owner).toBe(asked[index]?.owner);
      expect(lamportsOf(answer)).toEqual(index < 40 ? [(index % 20) + 1] : []);
    }
    expect(state.views).toBe(60);
    await Promise.all(asked.map((request) => portfolios.of(request)));
    expect(state.views).toBe(60);
    state.slot++;
    await portfolios.of({ owner: numbered(1, 0), platforms: null, hideSpam: false });
    expect(state.views).toBe(61);
  });

  it('keeps no more answers than the bound of accounts allows, whichever platforms are asked for', async () => {
    const request = (platform: string) => ({
      owner: numbered(1, 0),
      platforms: new Set([platform]),
      hideSpam: false,
    });
    const { accounts } = await open().portfolios.of(request('native-stake'));
    const { portfolios, state } = open(2 * accounts.length);
    for (const platform of ['native-stake', 'native-stake', 'jito', 'native-stake']) {
      await portfolios.of(request(platform));
    }
    expect(state.views).toBe(2);
    // A third answer is one too many.
    await portfolios.of({ ...request('native-stake'), owner: numbered(1, 1) });
    await portfolios.of({ ...request('native-stake'), owner: numbered(1, 2) });
    expect(state.views).toBe(4);
    await portfolios.of(request('native-stake'));
    expect(state.views).toBe(5);
  });

  it('does not answer from memory while the network cannot be relied on', async () => {
    const { portfolios, state } = open();
    const request = { owner: numbered(1, 0), platforms: null, hideSpam: false };
    await portfolios.of(request);
    state.unhealthy = 'it has been silent';
    await expect(portfolios.of(request)).rejects.toThrow(ChainUnavailable);
  });

  /** Wallets of one lamport more each. */
  function open(maxKeptAccounts?: number) {
    const view = new TestView(market.genesis.accounts);
    for (let index = 0; index < 20; index++) {
      view.set(numbered(1, index), SYSTEM_PROGRAM, new Uint8Array(0), 1_000_000_000n * BigInt(index + 1));
    }
    const state = { slot: 1n, unhealthy: null as string | null, views: 0 };
    const portfolios = new Portfolios({
      chain: {
        slot: () => state.slot,
        unhealthy: () => state.unhealthy,
        openView: () => {
          state.views++;
          return view;
        },
      },
      fetchers: PLATFORM_FETCHERS,
      ...(maxKeptAccounts === undefined ? {} : { maxKeptAccounts }),
      timers: new ManualTimers(),
      deadlineMs: 8_000,
      ...createPricing(market.pools, market.prices, []),
      listed: findTokenByMint,
      onDefect: (_, error) => {
        throw error;
      },
    });
    return { portfolios, state };
  }

  const lamportsOf = (portfolio: Awaited<ReturnType<Portfolios['of']>>) =>
    portfolio.elements.flatMap((element) =>
      element.type === 'multiple'
        ? element.assets.map((asset) => ('amount' in asset ? asset.amount : null))
        : [],
    );
});

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
/** Token accounts beyond those that are read. */
const BEYOND = 40;

const market = await openTestMarket('without programs');

function numbered(kind: number, index: number): Address {
  const bytes = new Uint8Array(32).fill(kind);
  new DataView(bytes.buffer).setUint32(0, index);
  return toAddress(bytes);
}
