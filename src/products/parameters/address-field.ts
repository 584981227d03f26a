import { RequestRefused } from '../../common/request-refused.ts';
import type { Address } from '../../solana/address.ts';
import { readAddress } from './kinds.ts';

/** @throws RequestRefused if the field is not an address */
export function readAddressField(text: string, field: string): Address {
  return readAddress(text, field, (sentence) => {
    throw new RequestRefused(sentence);
  });
}
