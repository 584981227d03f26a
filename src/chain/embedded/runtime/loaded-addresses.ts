import type { Address } from '../../../solana/address.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { decodeLookupTable } from '../../../solana/messages/lookup-table.ts';
import { loadAddresses, type Message } from '../../../solana/messages/message.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '../../../solana/program-addresses.ts';
import type { Account } from '../../accounts.ts';
import type { RecordedAddresses } from '../../records/records.ts';
import { TransactionInvalid } from '../../../solana/messages/transaction-invalid.ts';

const NONE: RecordedAddresses = { writable: [], readonly: [] };

/** Keyed by a table's data, which stays the same object until it changes. */
const addressesOfData = new WeakMap<Uint8Array, readonly Address[]>();

/** Resolves the lookups of a message. Returns null, as the runtime would refuse it, when a table or an index is missing. */
export function loadedAddresses(
  message: Message,
  accountAt: (address: Address) => Account | null,
): RecordedAddresses | null {
  if (message.lookups.length === 0) return NONE;
  try {
    return loadAddresses(message, (table) => tableAddresses(accountAt(table)));
  } catch (error) {
    if (error instanceof TransactionInvalid || error instanceof LayoutInvalid) return null;
    throw error;
  }
}

function tableAddresses(account: Account | null): readonly Address[] | null {
  if (account === null || account.owner !== ADDRESS_LOOKUP_TABLE_PROGRAM) return null;
  const known = addressesOfData.get(account.data);
  if (known !== undefined) return known;
  const { addresses } = decodeLookupTable(account.data);
  addressesOfData.set(account.data, addresses);
  return addresses;
}
