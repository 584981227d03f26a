import type { Address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';

const TAG = Uint8Array.of(0x87, 0xa2, 0x5b, 0x18, 0x9c, 0x5e, 0xc1, 0x68);
/** The account has room for that many keepers. */
const MAX_KEEPERS = 8;

/** Who may fill orders, and who may withdraw the collected fees. */
export interface DcaFeeAuthority {
  readonly admin: Address;
  readonly keepers: readonly Address[];
}

/**
 * Encodes the account at `DCA_FEE_AUTHORITY`. It is ours: the public program knows its keepers and its admin by heart, and
 * has no data there.
 *
 * @throws RangeError for more than 8 keepers.
 */
export function encodeDcaFeeAuthority({ admin, keepers }: DcaFeeAuthority): Uint8Array {
  if (keepers.length > MAX_KEEPERS) {
    throw new RangeError(`there is room for ${MAX_KEEPERS} keepers, got ${keepers.length}`);
  }
  const to = new ByteWriter().bytes(TAG).address(admin).u32(keepers.length);
  for (const keeper of keepers) to.address(keeper);
  return to.zeros((MAX_KEEPERS - keepers.length) * 32).finish();
}

/**
 * Decodes the account at `DCA_FEE_AUTHORITY`.
 *
 * @throws LayoutInvalid when the data is not the account's.
 */
export function decodeDcaFeeAuthority(data: Uint8Array): DcaFeeAuthority {
  const from = new ByteReader(data, 'fee authority of DCA orders');
  from.expect(TAG, 'discriminator');
  const admin = from.address();
  const count = from.u32();
  if (count > MAX_KEEPERS) from.fail(`there is room for ${MAX_KEEPERS} keepers, got ${count}`);
  return { admin, keepers: Array.from({ length: count }, () => from.address()) };
}
