import type { Address } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';

/** The administration of the vaults program. */
export interface VaultAdmin {
  readonly authority: Address;
  readonly liquidityProgram: Address;
  /** The id of the next vault. Ids start at 1 and have no gaps. */
  readonly nextVaultId: number;
  readonly auths: readonly Address[];
  readonly bump: number;
}

const DISCRIMINATOR = new Uint8Array(Buffer.from('5861a0756627672c', 'hex'));
/** The maximum number of `auths`, for which the account has room. */
export const MAX_AUTHS = 10;
const SIZE = 8 + 32 + 32 + 2 + 4 + MAX_AUTHS * 32 + 1;

/** Encodes the account with the size that the program allocates. */
export function encodeVaultAdmin(admin: VaultAdmin): Uint8Array {
  const to = new ByteWriter(SIZE).bytes(DISCRIMINATOR);
  to.address(admin.authority).address(admin.liquidityProgram).u16(admin.nextVaultId);
  to.u32(admin.auths.length);
  for (const auth of admin.auths) to.address(auth);
  return to
    .u8(admin.bump)
    .zeros(SIZE - to.length)
    .finish();
}
