import { decodeLookupTable } from '../../../../../solana/messages/lookup-table.ts';
import type { ParsedData } from './parsed-data.ts';

/** Slots are strings, because the deactivation slot of an active table is the largest u64. */
export function parseLookupTable(data: Uint8Array): ParsedData {
  const table = decodeLookupTable(data);
  const info = {
    deactivationSlot: table.deactivationSlot.toString(),
    lastExtendedSlot: table.lastExtendedSlot.toString(),
    lastExtendedSlotStartIndex: table.lastExtendedStartIndex,
    authority: table.authority ?? undefined,
    addresses: table.addresses,
  };
  return { type: 'lookupTable', info };
}
