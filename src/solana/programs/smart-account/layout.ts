import type { Address } from '../../address.ts';
import { ByteReader } from '../../codec/byte-reader.ts';
import { ByteWriter } from '../../codec/byte-writer.ts';

const SETTINGS_TAG = Uint8Array.of(223, 179, 163, 190, 177, 224, 67, 173);
const CONFIG_TAG = Uint8Array.of(196, 210, 90, 231, 144, 149, 140, 63);
const CONFIG_SIZE = 160;
/** An address and what it may do. */
const SIGNER_BYTES = 33;

/** What a signer may do, as bits. Executing at once takes all three, of all signers together. */
export const Permission = { INITIATE: 1, VOTE: 2, EXECUTE: 4 } as const;

/** Who may move what the vaults of a smart account hold. */
export interface SmartAccountSettings {
  /** The number of signatures that it takes. */
  readonly threshold: number;
  /** Seconds between a vote and its execution. Nothing is executed at once unless it is 0. */
  readonly timeLock: number;
  /** What each signer may do, as bits of `Permission`. */
  readonly permissions: ReadonlyMap<Address, number>;
}

/**
 * Decodes `Settings` of the public program.
 * @throws LayoutInvalid when the data is not a smart account's
 */
export function decodeSmartAccountSettings(data: Uint8Array): SmartAccountSettings {
  const from = new ByteReader(data, 'settings of a smart account');
  from.expect(SETTINGS_TAG, 'discriminator');
  from.skip(16 + 32);
  const threshold = from.u16();
  const timeLock = from.u32();
  from.skip(8 + 8);
  if (from.u8() !== 0) from.skip(32);
  from.skip(8 + 1);
  const signers = new ByteReader(from.bytes(SIGNER_BYTES * from.u32()), 'signers of a smart account');
  const permissions = new Map<Address, number>();
  while (signers.remaining > 0) permissions.set(signers.address(), signers.u8());
  return { threshold, timeLock, permissions };
}

/** The program's own configuration: creating a smart account is free, and none exists yet. */
export function encodeSmartAccountConfig(authority: Address): Uint8Array {
  const to = new ByteWriter(CONFIG_SIZE).bytes(CONFIG_TAG);
  to.zeros(16).address(authority).u64(0n).address(authority);
  return to.zeros(CONFIG_SIZE - to.length).finish();
}
