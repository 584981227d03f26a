import type { Chain } from '../../chain/chain.ts';
import { visitInTurns, createUnaccountedWork } from '../../common/work/work.ts';
import type { Prices } from '../../market/prices/prices.ts';
import { type LendAsset, describeLendAsset, type StakingAprOf } from '../assets/asset.ts';
import type { BorrowAccounts, Vault, VaultSide } from './borrow-accounts.ts';
import type { MarketName, VaultMarkets } from './markets.ts';
import { findNativeStakeVoteAccount } from './native-stake.ts';
import { type VaultView, computeVaultView } from './vault-view.ts';

export interface BorrowServices {
  readonly chain: Chain;
  readonly prices: Prices;
  readonly stakingAprOf: StakingAprOf;
  readonly accounts: BorrowAccounts;
  readonly markets: VaultMarkets;
}

/** A vault as a market lists it. */
export interface ListedVault {
  /** The market's id. */
  readonly id: number;
  readonly market: MarketName;
  readonly view: VaultView;
  readonly supplyToken: LendAsset;
  readonly borrowToken: LendAsset;
}

/** The lists that were computed from one state of the accounts. Requests in the same second share them. */
interface KeptLists {
  readonly version: number;
  readonly changes: number;
  readonly time: bigint;
  readonly byMarket: Map<MarketName, Promise<readonly ListedVault[]>>;
}

const kept = new WeakMap<BorrowServices, KeptLists>();

/**
 * Lists the vaults of a market by their ids, with interest up to now. They are computed in turns that no caller accounts for,
 * because all callers of that second share them.
 * Returns the same array until something changes or a second passes.
 */
export function listVaults(services: BorrowServices, market: MarketName): Promise<readonly ListedVault[]> {
  const { byMarket } = getCurrentLists(services);
  let list = byMarket.get(market);
  if (list === undefined) {
    list = computeVaults(services, market);
    byMarket.set(market, list);
    // What failed is computed again for the next caller.
    list.catch(() => byMarket.delete(market));
  }
  return list;
}

function getCurrentLists(services: BorrowServices): KeptLists {
  const { accounts, prices, chain } = services;
  const time = chain.clock().unixTimestamp;
  const last = kept.get(services);
  if (last?.version === accounts.version && last.changes === prices.changes && last.time === time)
    return last;
  const lists = { version: accounts.version, changes: prices.changes, time, byMarket: new Map() };
  kept.set(services, lists);
  return lists;
}

async function computeVaults(services: BorrowServices, market: MarketName): Promise<readonly ListedVault[]> {
  const { accounts, markets, chain } = services;
  const clock = chain.clock();
  const listed: ListedVault[] = [];
  await visitInTurns(createUnaccountedWork(), accounts.vaults().values(), (vault) => {
    const place = markets.placeOf(vault.id);
    const view = place.market === market ? computeVaultView(vault, accounts.read, clock) : null;
    if (view === null) return;
    const supplyToken = describeVaultSide(services, vault, vault.supply);
    const borrowToken = describeVaultSide(services, vault, vault.borrow);
    listed.push({ id: place.id, market, view, supplyToken, borrowToken });
  });
  return listed.sort((one, other) => one.id - other.id);
}

function describeVaultSide(
  services: BorrowServices,
  { oracle }: Vault,
  { mint, decimals }: VaultSide,
): LendAsset {
  const { read } = services.accounts;
  const nativeStake = findNativeStakeVoteAccount(mint, oracle, read);
  return describeLendAsset(services, {
    mint,
    decimals,
    account: read(mint),
    nativeStakeVoteAccount: nativeStake,
  });
}
