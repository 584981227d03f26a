import type { Address } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';

/** What the settings of a multisig say. */
export interface SettingsPlan {
  readonly threshold?: number;
  /** Seconds. */
  readonly timeLock?: number;
  /** Whether the account names an authority of archives. */
  readonly archival?: boolean;
  readonly members: readonly { readonly signer: Address; readonly permissions: number }[];
}

/** Returns the data of a settings account of the multisig program, in which everything else is zero. */
export function encodeSmartAccountSettings({
  threshold = 1,
  timeLock = 0,
  archival = true,
  members,
}: SettingsPlan): Uint8Array {
  const to = new ByteWriter().bytes(Uint8Array.of(223, 179, 163, 190, 177, 224, 67, 173));
  to.zeros(16 + 32)
    .u16(threshold)
    .u32(timeLock)
    .zeros(8 + 8);
  to.u8(archival ? 1 : 0)
    .zeros(archival ? 32 : 0)
    .zeros(8 + 1);
  to.u32(members.length);
  for (const { signer, permissions } of members) to.address(signer).u8(permissions);
  return to.zeros(11).finish();
}
