import type { Address } from '../../../solana/address.ts';
import { refuseStudioField } from '../../../studio/studio-refused.ts';
import { readAddress } from '../../parameters/kinds.ts';

/** @throws StudioRefused if the field is not an address */
export function readStudioAddress(text: string, field: string): Address {
  return readAddress(text, field, (sentence) => refuseStudioField(field, sentence));
}
