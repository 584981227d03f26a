import { createHash } from 'node:crypto';
import type { AccountLedger } from '../../protocol/genesis/account-ledger.ts';
import { type Address, toAddressBytes, toAddress } from '../../solana/address.ts';

/** Where, for whom and relative to which time the accounts of the demo are written. */
export interface DemoContext {
  readonly ledger: AccountLedger;
  readonly owner: Address;
  /** The start of the network in Unix seconds. */
  readonly foundedAt: bigint;
}

/** Returns the address of a demo account. It is a hash, so there is no private key for it. */
export function deriveDemoAddress(name: string, ...of: readonly Address[]): Address {
  const hash = createHash('sha256').update(`sluice demo position\0${name}`);
  for (const each of of) hash.update(toAddressBytes(each));
  return toAddress(hash.digest());
}
