import type { Chain } from '../../../chain/chain.ts';
import type { Pools } from '../../../market/pools/pools.ts';
import type { Position } from '../../../lending/vaults/layouts.ts';
import type { Address } from '../../../solana/address.ts';
import { type Asset, assetOf } from '../asset.ts';
import type { BorrowAccounts, VaultSide } from './borrow-accounts.ts';
import type { MarketName, VaultMarkets } from './markets.ts';
import { type PositionView, positionsAmong, positionView } from './positions.ts';
import { type VaultView, vaultViewAt } from './vault-view.ts';

/** What the borrow endpoints work with. */
export interface BorrowServices {
  readonly chain: Chain;
  /** For prices in US dollars. */
  readonly pools: Pools;
  readonly accounts: BorrowAccounts;
  readonly markets: VaultMarkets;
}

/** A vault as a market lists it. */
export interface ListedVault {
  /** The market's id. */
  readonly id: number;
  readonly market: MarketName;
  readonly view: VaultView;
  readonly supplyToken: Asset;
  readonly borrowToken: Asset;
}

/** The lists of one state of the accounts, so that requests in the same second share them. */
interface KeptLists {
  readonly version: number;
  readonly changes: number;
  readonly time: bigint;
  readonly byMarket: Map<MarketName, readonly ListedVault[]>;
}

const kept = new WeakMap<BorrowServices, KeptLists>();

/**
 * Lists the vaults of a market by their ids, with interest up to now.
 * @returns the same array until something changes or a second passes
 */
export function listVaults(services: BorrowServices, market: MarketName): readonly ListedVault[] {
  const lists = currentLists(services);
  let list = lists.byMarket.get(market);
  if (list === undefined) {
    list = computeVaults(services, market);
    lists.byMarket.set(market, list);
  }
  return list;
}

function currentLists(services: BorrowServices): KeptLists {
  const { accounts, pools, chain } = services;
  const time = chain.clock().unixTimestamp;
  const last = kept.get(services);
  if (last?.version === accounts.version && last.changes === pools.changes && last.time === time) return last;
  const lists = { version: accounts.version, changes: pools.changes, time, byMarket: new Map() };
  kept.set(services, lists);
  return lists;
}

function computeVaults(services: BorrowServices, market: MarketName): readonly ListedVault[] {
  const { accounts, markets, chain } = services;
  const clock = chain.clock();
  const listed: ListedVault[] = [];
  for (const vault of accounts.vaults().values()) {
    const place = markets.placeOf(vault.id);
    const view = place.market === market ? vaultViewAt(vault, accounts.read, clock) : null;
    if (view === null) continue;
    const supplyToken = assetOfSide(services, vault.supply);
    const borrowToken = assetOfSide(services, vault.borrow);
    listed.push({ id: place.id, market, view, supplyToken, borrowToken });
  }
  return listed.sort((one, other) => one.id - other.id);
}

function assetOfSide({ pools }: BorrowServices, { mint, decimals }: VaultSide): Asset {
  return assetOf(pools, mint, decimals);
}

/** A position with its vault as the market lists it. */
export interface ListedPosition {
  readonly view: PositionView;
  readonly vault: ListedVault;
}

/**
 * Finds the positions that wallets hold in a market, the newest first.
 * @throws ChainUnavailable when the network does not answer
 */
export async function findPositions(
  services: BorrowServices,
  market: MarketName,
  owners: readonly Address[],
): Promise<readonly ListedPosition[]> {
  const state = services.chain.openView('processed');
  const held = await Promise.all(owners.map((owner) => state.getTokenAccounts(owner)));
  const vaults = new Map(listVaults(services, market).map((listed) => [listed.view.vault.id, listed]));
  const found = owners.flatMap((owner, at) => {
    const tokens = (held[at] ?? []).map(({ account }) => account);
    const positions = positionsAmong(services.accounts.index, tokens);
    return positions.flatMap((position) => listedPosition(position, vaults, owner) ?? []);
  });
  return found.sort(byAge);
}

function listedPosition(
  position: Position,
  vaults: ReadonlyMap<number, ListedVault>,
  owner: Address,
): ListedPosition | null {
  const vault = vaults.get(position.vaultId);
  const view = vault === undefined ? null : positionView(position, vault.view, owner);
  return vault === undefined || view === null ? null : { view, vault };
}

function byAge(one: ListedPosition, other: ListedPosition): number {
  return other.view.position.nftId - one.view.position.nftId || other.vault.id - one.vault.id;
}
