import { minimum } from '../../solana/units.ts';
import { toAddressBytes } from '../../solana/address.ts';
import { STAKE_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import {
  type Delegation,
  decodeStakeAccount,
  STAKE_ACCOUNT_SIZE,
  type StakeAccount,
  WITHDRAWER_AT,
} from '../../solana/programs/stake.ts';
import {
  type AssetAttributes,
  type Element,
  LOCKED_WITHOUT_END,
  toLockedUntilMs,
  type TokenAsset,
} from '../../protocol/positions/element.ts';
import {
  type FoundAccount,
  type PositionFetcher,
  readEach,
  type WalletClock,
} from '../../protocol/positions/fetcher.ts';
import { NATIVE_STAKE_PLATFORM } from './platform.ts';

const PLATFORM = NATIVE_STAKE_PLATFORM.id;
/** The platform under which the payouts of block space auctions to stakers are shown. */
const REWARDS_PLATFORM = 'jito';
/** The maximum number of accounts that are shown separately. More of them are shown as one sum. */
const MAX_SHOWN = 30;
const NEVER = (1n << 64n) - 1n;

interface Stake {
  readonly asset: TokenAsset;
  /** The lamports in addition to rent and stake, such as rewards that were sent to the account. */
  readonly surplus: bigint;
}

/** Finds the stake accounts from which the wallet may withdraw, and the lamports in them that are not staked. */
export const nativeStake: PositionFetcher = {
  id: `${PLATFORM}-solana`,
  platformId: PLATFORM,
  fetch: async (wallet) => {
    const memcmp = { offset: WITHDRAWER_AT, bytes: toAddressBytes(wallet.owner) };
    const [found, clock] = await Promise.all([
      wallet.programAccounts(STAKE_PROGRAM, { dataSize: STAKE_ACCOUNT_SIZE, memcmp }),
      wallet.clock(),
    ]);
    const { positions, unreadable } = readEach(found, (account) => readStake(account, clock));
    const stakes = positions.map(({ asset }) => asset).filter(({ amount }) => amount > 0n);
    const elements: Element[] = [];
    if (stakes.length > 0) elements.push({ type: 'multiple', label: 'Staked', assets: summedIfMany(stakes) });
    const surplus = positions.reduce((sum, stake) => sum + stake.surplus, 0n);
    if (surplus > 0n) elements.push(rewardsElement(surplus));
    return { elements, unreadable };
  },
};

function readStake({ address, account }: FoundAccount, clock: WalletClock): Stake {
  const stake = decodeStakeAccount(account.data);
  const { delegation, rentExemptReserve } = stake;
  const free = account.lamports - rentExemptReserve;
  const delegated = delegation === null ? free : minimum(delegation.stake, free);
  const source = delegation === null ? [] : [{ address: delegation.voter, name: 'Validator' as const }];
  const asset: TokenAsset = {
    type: 'token',
    mint: WRAPPED_SOL_MINT,
    amount: delegated,
    ref: address,
    sourceRefs: source,
    attributes: createStakeAttributes(stake, clock),
  };
  return { asset, surplus: free - delegated };
}

function createStakeAttributes({ delegation, lockup }: StakeAccount, clock: WalletClock): AssetAttributes {
  const tags = [getDelegationState(delegation, clock.epoch)];
  const lockedUntil = findLockedUntil(lockup, clock);
  return {
    tags,
    ...(lockedUntil === null ? {} : { lockedUntil }),
    ...(delegation === null ? {} : { validator: { address: delegation.voter, yields: [] } }),
  };
}

/** Returns the state of a delegation in an epoch, by the names of the wire form. */
export function getDelegationState(delegation: Delegation | null, epoch: bigint): string {
  if (delegation === null) return 'Initialized';
  const { activationEpoch, deactivationEpoch } = delegation;
  if (activationEpoch === deactivationEpoch && activationEpoch <= epoch) return 'Unstaked';
  if (deactivationEpoch < epoch) return 'Inactive';
  if (deactivationEpoch === epoch) return 'Unstaking';
  // Stake of the genesis has been active from the first epoch on.
  if (activationEpoch >= epoch && activationEpoch !== NEVER) return 'Activating';
  return 'Active';
}

/**
 * Returns Unix ms, or null if the account is not locked. The end of a lock that only depends on the epoch is not known.
 */
function findLockedUntil(
  { unixTimestamp, epoch }: StakeAccount['lockup'],
  clock: WalletClock,
): number | null {
  if (unixTimestamp > clock.unixTimestamp) return toLockedUntilMs(unixTimestamp);
  return epoch > clock.epoch ? LOCKED_WITHOUT_END : null;
}

function summedIfMany(stakes: readonly TokenAsset[]): readonly TokenAsset[] {
  if (stakes.length <= MAX_SHOWN) return stakes;
  const amount = stakes.reduce((sum, stake) => sum + stake.amount, 0n);
  return [{ type: 'token', mint: WRAPPED_SOL_MINT, amount, name: `${stakes.length} stake accounts` }];
}

function rewardsElement(amount: bigint): Element {
  return {
    type: 'multiple',
    label: 'Rewards',
    name: 'MEV Rewards',
    platformId: REWARDS_PLATFORM,
    assets: [{ type: 'token', mint: WRAPPED_SOL_MINT, amount, attributes: { isClaimable: true } }],
  };
}
