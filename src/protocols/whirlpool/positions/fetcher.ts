import type { LiquidityElement, TokenAsset } from '../../../protocol/positions/element.ts';
import {
  type FoundAccount,
  type PositionFetcher,
  readEach,
  type WalletReader,
} from '../../../protocol/positions/fetcher.ts';
import type { Address } from '../../../solana/address.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import { deriveTickArrayAddress } from '../program/addresses.ts';
import { decodeWhirlpool, type Whirlpool } from '../program/layout.ts';
import { WHIRLPOOL_PROGRAM } from '../program/program.ts';
import { computeTickArrayStart } from '../program/tick-array.ts';
import { findHeldPositionAccounts, readBundledPositions } from './held-accounts.ts';
import { computeWithdrawalAmounts, computeWhirlpoolEarned, isOutOfRange } from './holdings.ts';
import { decodePositionWithRewards, type PositionWithRewards, readTickGrowth } from './layout.ts';
import { readRewardVaults, type RewardVaults } from './reward-vaults.ts';
import { ORCA_PLATFORM } from './platform.ts';

const PLATFORM = ORCA_PLATFORM.id;

/**
 * Positions of Whirlpools whose token, of either token program, is in the wallet, and those of bundles whose token is: one
 * element for each.
 */
export const whirlpoolPositions: PositionFetcher = {
  id: `${PLATFORM}-whirlpools`,
  platformId: PLATFORM,
  claims: async (wallet) => {
    const { positions, bundles } = await findHeldPositionAccounts(wallet);
    return new Set([...positions, ...bundles].map(({ mint }) => mint));
  },
  fetch: async (wallet) => {
    const held = await findHeldPositionAccounts(wallet);
    const bundled = await readBundledPositions(wallet, held.bundles);
    const { positions, unreadable } = readEach(
      [...held.positions, ...bundled.found],
      ({ address, data }) => ({
        address,
        ...decodePositionWithRewards(data),
      }),
    );
    const poolAddresses = [...new Set(positions.map(({ whirlpool }) => whirlpool))];
    const poolAccounts = await wallet.accounts(poolAddresses);
    const pools = new Map<Address, Whirlpool>();
    const poolsFound = poolAddresses.flatMap((address, index) => {
      const account = poolAccounts[index] ?? null;
      return account?.owner === WHIRLPOOL_PROGRAM ? [{ address, account }] : [];
    });
    // A position whose pool cannot be read says so itself.
    for (const { address, pool } of readEach(poolsFound, decodePool).positions) pools.set(address, pool);
    const [arrays, vaults, { unixTimestamp }] = await Promise.all([
      readArrays(wallet, positions, pools),
      readRewardVaults(wallet, pools),
      wallet.clock(),
    ]);
    const valued = readEach(positions, (position) =>
      createWhirlpoolElement(position, pools.get(position.whirlpool), { arrays, vaults, now: unixTimestamp }),
    );
    return {
      elements: valued.positions,
      unreadable: [...bundled.unreadable, ...unreadable, ...valued.unreadable],
    };
  },
};

function decodePool({ address, account }: FoundAccount) {
  return { address, pool: decodeWhirlpool(account.data) };
}

/** Reads the tick arrays with the ends of the positions. */
async function readArrays(
  wallet: WalletReader,
  positions: readonly PositionWithRewards[],
  pools: ReadonlyMap<Address, Whirlpool>,
): Promise<ReadonlyMap<Address, Uint8Array>> {
  const addresses = positions.flatMap(({ whirlpool, lowerTick, upperTick }) => {
    const spacing = pools.get(whirlpool)?.tickSpacing;
    if (spacing === undefined || spacing === 0) return [];
    return [lowerTick, upperTick].map((tick) =>
      deriveTickArrayAddress(whirlpool, computeTickArrayStart(tick, spacing)),
    );
  });
  const accounts = await wallet.accounts(addresses);
  return new Map(
    addresses.flatMap((address, index): [Address, Uint8Array][] => {
      const account = accounts[index];
      return account?.owner === WHIRLPOOL_PROGRAM ? [[address, account.data]] : [];
    }),
  );
}

function createWhirlpoolElement(
  position: PositionWithRewards & { readonly address: Address },
  pool: Whirlpool | undefined,
  {
    arrays,
    vaults,
    now,
  }: {
    readonly arrays: ReadonlyMap<Address, Uint8Array>;
    readonly vaults: RewardVaults;
    readonly now: bigint;
  },
): LiquidityElement {
  const { address, whirlpool, lowerTick, upperTick } = position;
  if (pool === undefined || pool.tickSpacing === 0)
    throw new LayoutInvalid(`its pool ${whirlpool} cannot be read`);
  const amounts = computeWithdrawalAmounts(pool, position);
  if (amounts === null) throw new LayoutInvalid('its liquidity is worth more than 64 bits');
  const tick = (index: number) => {
    const data = arrays.get(
      deriveTickArrayAddress(whirlpool, computeTickArrayStart(index, pool.tickSpacing)),
    );
    return data === undefined ? null : readTickGrowth(data, index, pool.tickSpacing);
  };
  const { fees, rewards } = computeWhirlpoolEarned(pool, position, [tick(lowerTick), tick(upperTick)], now);
  const rewardAssets = [
    ...pool.mints.map((mint, side) => asset(mint, fees[side as 0 | 1])),
    ...pool.rewards.map(({ mint, vault }, index) =>
      asset(mint, vaults.take(vault, rewards[index as 0 | 1 | 2])),
    ),
  ].filter(({ mint }) => mint !== SYSTEM_PROGRAM);
  return {
    type: 'liquidity',
    label: 'LiquidityPool',
    name: 'Whirlpool',
    tags: ['Concentrated', ...(isOutOfRange(pool, position) ? ['Out Of Range'] : [])],
    liquidities: [
      {
        assets: pool.mints.map((mint, side) => asset(mint, amounts[side as 0 | 1])),
        rewardAssets,
        contract: WHIRLPOOL_PROGRAM,
        ref: address,
        sourceRefs: [{ address: whirlpool, name: 'Pool' }],
        link: `https://www.orca.so/pools/${whirlpool}`,
      },
    ],
  };
}

function asset(mint: Address, amount: bigint): TokenAsset {
  return {
    type: 'token',
    mint,
    amount,
  };
}
