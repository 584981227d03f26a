import type { Address } from '../../../solana/address.ts';
import { SYSVAR_OWNER } from '../../../solana/program-addresses.ts';
import { U64_MAX } from '../../../solana/units.ts';
import type { Account } from '../../accounts.ts';
import { MAX_ACCOUNT_DATA } from '../../records/account-json.ts';
import type { OpenBlock } from '../blocks/blocks.ts';
import { type AccountWrite, NetworkRefused, type TravelTarget } from '../ledger/bank.ts';

const MAX_WARP_SLOTS = 100_000_000;
/** A hundred years. */
const MAX_WARP_SECONDS = 3_155_760_000;
const MAX_ACCOUNTS = 1_000;

/**
 * Checks how far the clock is moved.
 *
 * @throws NetworkRefused when the slots or seconds are not whole numbers, negative, or too many.
 */
export function requireWarpRange({ slots, seconds }: { slots: number; seconds: number }): void {
  requireRange('slots', slots, MAX_WARP_SLOTS);
  requireRange('seconds', seconds, MAX_WARP_SECONDS);
}

/**
 * Returns the slots and seconds from the open slot to the target.
 *
 * @throws NetworkRefused when the target is not after the open slot, or too far away.
 */
export function computeTravelDistance(
  to: TravelTarget,
  open: OpenBlock,
  slotMs: number,
): { slots: number; seconds: number } {
  if ('slot' in to) {
    if (to.slot <= open.slot) throw isPast('slot', to.slot, open.slot);
    const slots = requireTravelSlots(Number(to.slot - open.slot));
    return { slots, seconds: Math.floor((slots * slotMs) / 1000) };
  }
  if (to.unixTimestamp <= open.time) throw isPast('time', to.unixTimestamp, open.time);
  const seconds = Number(to.unixTimestamp - open.time);
  const slots = requireTravelSlots(Math.max(1, Math.floor((seconds * 1000) / slotMs)));
  return { slots, seconds };
}

function requireTravelSlots(slots: number): number {
  return requireRange('the slots to travel', slots, MAX_WARP_SLOTS);
}

function isPast(what: string, target: bigint, current: bigint): NetworkRefused {
  return new NetworkRefused(
    'request',
    `the clock only moves forward: the ${what} must be after ${current}, got ${target}; restore a snapshot to go back`,
  );
}

function requireRange(name: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new NetworkRefused('request', `${name} must be a whole number from 0 to ${most}, got ${value}`);
}

/**
 * Checks that accounts can be written.
 *
 * @param accountAt - Returns the current state of an account.
 * @throws NetworkRefused for sysvars, impossible balances, too much data, and too many accounts.
 */
export function requireWritable(
  writes: readonly AccountWrite[],
  accountAt: (address: Address) => Account | null,
): void {
  if (writes.length > MAX_ACCOUNTS) {
    throw new NetworkRefused(
      'request',
      `at most ${MAX_ACCOUNTS} accounts can be written at once, got ${writes.length}`,
    );
  }
  for (const { address, account } of writes) {
    if (account?.owner === SYSVAR_OWNER || accountAt(address)?.owner === SYSVAR_OWNER) {
      throw new NetworkRefused(
        'request',
        `${address} is a sysvar, which only the runtime writes; to move the clock, call POST /admin/v1/network/clock`,
      );
    }
    if (account === null) continue;
    if (account.lamports <= 0n || account.lamports > U64_MAX) {
      throw new NetworkRefused(
        'request',
        `${address} must have from 1 to ${U64_MAX} lamports, got ${account.lamports}`,
      );
    }
    if (account.data.length > MAX_ACCOUNT_DATA) {
      throw new NetworkRefused(
        'request',
        `${address} can have ${MAX_ACCOUNT_DATA} bytes, got ${account.data.length}`,
      );
    }
  }
}
