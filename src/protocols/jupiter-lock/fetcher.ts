import { toAddressBytes } from '../../solana/address.ts';
import { toLockedUntilMs, type MultipleElement, type TokenAsset } from '../../protocol/positions/element.ts';
import { type FoundAccount, type PositionFetcher, readEach } from '../../protocol/positions/fetcher.ts';
import {
  decodeVestingEscrow,
  ESCROW_SIZE,
  LOCK_PROGRAM,
  RECIPIENT_AT,
  type VestingEscrow,
} from './layout.ts';
import { JUPITER_EXCHANGE_PLATFORM } from '../jupiter-exchange/platform.ts';

const PLATFORM = JUPITER_EXCHANGE_PLATFORM.id;

/** Finds the tokens that the lock program holds for the wallet. Each escrow that was not cancelled is one element. */
export const jupiterLock: PositionFetcher = {
  id: `${PLATFORM}-lock`,
  platformId: PLATFORM,
  fetch: async (wallet) => {
    const memcmp = { offset: RECIPIENT_AT, bytes: toAddressBytes(wallet.owner) };
    const found = await wallet.programAccounts(LOCK_PROGRAM, { dataSize: ESCROW_SIZE, memcmp });
    const { positions, unreadable } = readEach(found, createLockElement);
    return { elements: positions, unreadable };
  },
};

function createLockElement({ address, account }: FoundAccount): MultipleElement | null {
  const escrow = decodeVestingEscrow(account.data);
  const assets = listVestingAssets(escrow).filter(({ amount }) => amount > 0n);
  if (escrow.cancelledAt !== 0n || assets.length === 0) return null;
  return {
    type: 'multiple',
    label: 'Vesting',
    name: 'Lock',
    assets,
    ref: address,
    link: `https://lock.jup.ag/token/${escrow.mint}`,
  };
}

/** Returns the part of the cliff and the parts after it before the first claim, and the rest as one asset afterwards. */
export function listVestingAssets(escrow: VestingEscrow): TokenAsset[] {
  const { mint, cliffTime, frequency, periods, amountPerPeriod, cliffUnlockAmount, claimed } = escrow;
  const after = amountPerPeriod * periods;
  const end = cliffTime + frequency * periods;
  const locked = (amount: bigint, until: bigint): TokenAsset => ({
    type: 'token',
    mint,
    amount,
    attributes: { lockedUntil: toLockedUntilMs(until) },
  });
  if (claimed === 0n) return [locked(cliffUnlockAmount, cliffTime), locked(after, end)];
  return [locked(cliffUnlockAmount + after - claimed, end)];
}
