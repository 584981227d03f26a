import { describe, expect, it } from 'vitest';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
import { ChainUnavailable } from '../../../chain/chain.ts';
import type { Element, TokenAsset } from '../../../protocol/positions/element.ts';
import type { PositionFetcher } from '../../../protocol/positions/fetcher.ts';
import { TestView } from '../../../testing/protocols/wallet-view.ts';
import { type Address, toAddress } from '../../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { encodeMint } from '../../../solana/programs/token/mint.ts';
import { evaluate } from './evaluate.ts';

describe('evaluate, of positions with a mint that cannot be read', () => {
  it('shows the others of the same element, each with its own yield, and reports the mint', async () => {
    const { parts, elements, errors } = await shown(
      fetcherOf('tokens', multiple(ABSENT, KNOWN)),
      fetcherOf('pools', liquidity(OTHER, ABSENT)),
      fetcherOf('nothing', multiple(ABSENT)),
    );
    expect(parts).toEqual([
      ['tokens', KNOWN],
      ['pools', OTHER],
    ]);
    expect(elements[0]).toMatchObject({ assetsYields: [[{ apy: 1 }]] });
    const reported = `positions name ${ABSENT}, which could not be read as a mint`;
    expect(errors).toEqual([reported, reported, reported]);
  });

  it('shows what the other fetchers found when the call for the mints of one fails', async () => {
    const { parts, errors } = await shown(
      fetcherOf('unlucky', multiple(FAILING)),
      fetcherOf('tokens', multiple(KNOWN)),
    );
    expect(parts).toEqual([['tokens', KNOWN]]);
    expect(errors).toEqual([`positions name ${FAILING}, which could not be read as a mint`, null]);
  });
});

const named = (byte: number): Address => toAddress(new Uint8Array(32).fill(byte));
const [OWNER, KNOWN, OTHER, ABSENT, FAILING] = [named(1), named(2), named(3), named(4), named(5)];

/** A view in which two mints exist, and the call for another one fails. */
function openView(): TestView {
  const view = new TestView();
  const mint = { mintAuthority: null, supply: 9n, decimals: 0, freezeAuthority: null, extensions: [] };
  for (const address of [KNOWN, OTHER]) view.set(address, TOKEN_PROGRAM, encodeMint(mint));
  const read = view.getAccounts.bind(view);
  view.getAccounts = async (addresses) => {
    if (addresses.includes(FAILING)) throw new ChainUnavailable('the node hung up');
    return read(addresses);
  };
  return view;
}

const token = (mint: Address): TokenAsset => ({ type: 'token', mint, amount: 1n });
const fetcherOf = (id: string, ...elements: Element[]): PositionFetcher => ({
  id,
  platformId: 'test',
  fetch: async () => ({ elements }),
});
const multiple = (...mints: Address[]): Element => ({
  type: 'multiple',
  label: 'Wallet',
  assets: mints.map(token),
  assetsYields: mints.map((_, index) => [{ apy: index, apr: index }]),
});
const liquidity = (...mints: Address[]): Element => ({
  type: 'liquidity',
  label: 'LiquidityPool',
  liquidities: mints.map((mint) => ({ assets: [token(mint)], rewardAssets: [] })),
});

async function shown(...fetchers: PositionFetcher[]) {
  const request = { owner: OWNER, fetchers, platforms: null, hideSpam: false };
  const { elements, outcomes } = await evaluate(openView(), request, {
    timers: SYSTEM_TIMERS,
    deadlineMs: 60_000,
    dollarsPerAtom: () => 1,
    collectionOf: () => null,
    yieldsOf: () => [],
    listed: () => null,
    onDefect: (_, error) => {
      throw error;
    },
  });
  const parts = elements.flatMap((element): [string, Address | null][] => {
    if (element.type === 'liquidity')
      return element.liquidities.map(({ assets: [asset] }) => [element.fetcherId, asset?.asset.mint ?? null]);
    if (element.type !== 'multiple') return [];
    return element.assets.map(({ asset }) => [element.fetcherId, asset.type === 'token' ? asset.mint : null]);
  });
  return { parts, elements, errors: outcomes.map(({ error }) => error) };
}
