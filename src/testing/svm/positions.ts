import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import type { Asset, Element, LiquidityPosition } from '../../protocol/positions/element.ts';
import type { Fetched, PositionFetcher } from '../../protocol/positions/fetcher.ts';
import { openWalletReader } from '../../protocol/positions/wallet-reader.ts';
import type { Address } from '../../solana/address.ts';
import { SvmChain } from './chain.ts';
import type { TestNetwork } from './network.ts';

/** What a fetcher finds in a wallet of a test network. */
export function fetchPositions(
  network: TestNetwork,
  owner: Address,
  fetcher: PositionFetcher,
): Promise<Fetched> {
  const onClaimFailed = (_: string, error: unknown) => {
    throw error;
  };
  const view = new SvmChain(network).openView();
  return fetcher.fetch(openWalletReader(view, owner, [fetcher], onClaimFailed, SYSTEM_TIMERS));
}

/** All liquidity of the elements. */
export function collectLiquidities(elements: readonly Element[]): readonly LiquidityPosition[] {
  return elements.flatMap((element) => (element.type === 'liquidity' ? element.liquidities : []));
}

/** The amounts of assets, in their order. */
export function collectAmounts(assets: readonly Asset[]): readonly bigint[] {
  return assets.flatMap((asset) => (asset.type === 'generic' ? [] : [asset.amount]));
}
