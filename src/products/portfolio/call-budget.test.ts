import { describe, expect, it } from 'vitest';
import { openTestMarket } from '../../testing/genesis-market/open.ts';
import type { Account, AccountFilter, AccountUpdate } from '../../chain/accounts.ts';
import type { ChainUnavailable } from '../../chain/chain.ts';
import { CALLS_PER_VIEW, RpcAccountView } from '../../chain/rpc/accounts/account-view.ts';
import type { RpcClient } from '../../chain/rpc/client/rpc-client.ts';
import { POSITION_FETCHERS } from '../../protocols/fetchers.ts';
import { readAllTokenAccounts, TestView } from '../../testing/protocols/wallet-view.ts';
import { type Address, address, toAddress } from '../../solana/address.ts';
import { decodeBase58 } from '../../solana/encoding/base58.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../../testing/token-account.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import { evaluateForTest } from '../../testing/products/evaluated-portfolio.ts';

describe('a wallet with thousands of mints over an outside RPC', () => {
  it('is read within the bound of calls, known tokens first, and the report says what is left out', async () => {
    const [owner, count] = [numbered(1, 0), 3_000];
    const view = new TestView(market.genesis.accounts);
    flood(view, owner, count);
    view.set(numbered(4, 0), TOKEN_PROGRAM, ordinaryTokenAccount({ mint: USDC, owner, amount: 5_000_000n }));
    const { opened, calls } = overRpc(view);
    const { outcomes, elements } = await evaluateForTest(opened, market.pools, owner, FETCHERS);
    expect(calls.length).toBeLessThanOrEqual(CALLS_PER_VIEW);
    const maxMints = opened.maxAccounts / 5;
    expect(
      outcomes
        .filter(({ error, isLeftOut = false }) => error !== null && !isLeftOut)
        .map(({ fetcher, error }) => [fetcher.id, error]),
    ).toEqual(
      BY_TOKENS.map((id) => [
        id,
        `positions could not be read: ${owner}: it has so many token accounts that ${count + 1 - maxMints} of them were not read`,
      ]),
    );
    const assets = elements.flatMap((element) => (element.type === 'multiple' ? element.assets : []));
    expect(assets).toHaveLength(maxMints);
    expect(assets.find(({ asset }) => asset.type === 'token' && asset.mint === USDC)).toMatchObject({
      amount: 5,
    });
  });
});

describe('RpcAccountView', () => {
  it('refuses a long read that the bound has no room for, and keeps calls for short ones', async () => {
    const { opened, calls } = overRpc(new TestView());
    const addresses = Array.from({ length: opened.maxAccounts + 1 }, (_, index) => numbered(5, index));
    const long = opened.getAccounts(addresses);
    const short = opened.getAccounts(addresses.slice(0, 3));
    await expect(long).rejects.toThrow(/^getMultipleAccounts would be call 49 of this request/);
    await expect(long).rejects.toMatchObject({
      name: 'ChainUnavailable',
      kind: 'refused',
    } satisfies Partial<ChainUnavailable>);
    expect((await short).map(({ address: read }) => read)).toEqual(addresses.slice(0, 3));
    expect(await opened.getAccounts([numbered(6, 0)])).toHaveLength(1);
    expect(calls.length).toBeLessThanOrEqual(CALLS_PER_VIEW);
  });

  it('makes no call beyond the bound', async () => {
    const { opened, calls } = overRpc(new TestView());
    for (let index = 0; index < CALLS_PER_VIEW; index++) await opened.getAccounts([numbered(5, index)]);
    await expect(opened.getAccounts([USDC])).rejects.toThrow(/at most 64 may be made/);
    await expect(readAllTokenAccounts(opened, USDC)).rejects.toThrow(
      /getTokenAccountsByOwner would be call 65/,
    );
    expect(calls).toHaveLength(CALLS_PER_VIEW);
  });
});

const FETCHERS = POSITION_FETCHERS;
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
/** The fetchers that find positions by the wallet's tokens, some of which may be left out. */
const BY_TOKENS = [
  'wallet-tokens-solana',
  'wallet-nfts-solana',
  'raydium-cpmm',
  'orca-whirlpools',
  'meteora-cpamm-positions',
  'saber-pools',
  'jupiter-exchange-lend-earn',
  'jupiter-exchange-lend-vaults',
];
/** Accounts that an RPC returns with one call. */
const PER_CALL = 100;

const market = await openTestMarket('without programs');

function numbered(kind: number, index: number): Address {
  const bytes = new Uint8Array(32).fill(kind);
  new DataView(bytes.buffer).setUint32(0, index);
  return toAddress(bytes);
}

/** A view over an RPC that has the accounts of `view`. */
function overRpc(view: TestView): { readonly opened: RpcAccountView; readonly calls: string[] } {
  const calls: string[] = [];
  const client: Pick<RpcClient, 'call'> = {
    call: async (method, params, read) => {
      calls.push(method);
      return read({ context: { slot: '100' }, value: await answerOf(view, method, params) });
    },
  };
  const opened = new RpcAccountView({
    client,
    maxCalls: CALLS_PER_VIEW,
    commitment: 'confirmed',
    slot: 0n,
    requirePlausible: () => undefined,
    programAccounts: null,
    candidates: () => null,
  });
  return { opened, calls };
}

interface SearchJson {
  readonly programId?: Address;
  readonly filters?: readonly {
    readonly dataSize?: number;
    readonly memcmp?: { readonly offset: number; readonly bytes: string };
  }[];
}

async function answerOf(view: TestView, method: string, params: readonly unknown[]): Promise<unknown> {
  const [of, options] = params as [Address & readonly Address[], SearchJson];
  const keyed = (updates: readonly AccountUpdate[]) =>
    updates.map((update) => ({ pubkey: update.address, account: jsonOf(update.account) }));
  if (method === 'getMultipleAccounts') {
    expect(of.length).toBeLessThanOrEqual(PER_CALL);
    return (await view.getAccounts(of)).map(({ account }) => jsonOf(account));
  }
  if (method === 'getTokenAccountsByOwner') {
    const owned = await readAllTokenAccounts(view, of);
    return keyed(owned.filter(({ account }) => account?.owner === options.programId));
  }
  const filter: AccountFilter = Object.assign(
    {},
    ...(options.filters ?? []).map(({ dataSize, memcmp }) =>
      memcmp === undefined
        ? { dataSize }
        : { memcmp: { offset: memcmp.offset, bytes: decodeBase58(memcmp.bytes) } },
    ),
  );
  return keyed(await view.getProgramAccounts(of, filter));
}

function jsonOf(account: Account | null) {
  if (account === null) return null;
  const { lamports, owner, data, executable } = account;
  const base64 = [Buffer.from(data).toString('base64'), 'base64'];
  return { lamports: `${lamports}`, owner, data: base64, executable, rentEpoch: '0' };
}

/** Gives the owner so many tokens, each the only one of a mint, as a position's token or a collectible is. */
function flood(view: TestView, owner: Address, count: number): void {
  const data = encodeMint({
    mintAuthority: null,
    supply: 1n,
    decimals: 0,
    freezeAuthority: null,
    extensions: [],
  });
  for (let index = 0; index < count; index++) {
    const mint = numbered(2, index);
    view.set(mint, TOKEN_PROGRAM, data);
    view.set(numbered(3, index), TOKEN_PROGRAM, ordinaryTokenAccount({ mint, owner, amount: 1n }));
  }
}
