import type { Address } from '../../../../solana/address.ts';
import type { BlockRecord, TransactionRecord } from '../../../records/records.ts';
import { RpcError } from '../errors.ts';
import { toJson } from '../../../json-rpc/json.ts';
import { encodeBlock, MAX_BLOCK_BYTES } from '../wire/block.ts';
import type { BlockTopic } from './topic.ts';

/** Returns the value of a notification, or null when the block contains nothing for the subscription. */
export function blockUpdate(block: BlockRecord, { mentions, format }: BlockTopic): string | null {
  const wanted = mentions === null ? block : mentioning(block, mentions);
  if (mentions !== null && wanted.transactions.length === 0) return null;
  const { slot } = block;
  if (wanted.size > MAX_BLOCK_BYTES) return toJson({ slot, block: null, err: 'BlockStoreError' });
  try {
    return toJson({ slot, block: encodeBlock(wanted, format), err: null });
  } catch (error) {
    // The only possible error is a transaction version that the client does not support.
    if (!(error instanceof RpcError)) throw error;
    return toJson({ slot, block: null, err: { UnsupportedTransactionVersion: 0 } });
  }
}

function mentioning(block: BlockRecord, address: Address): BlockRecord {
  const names = ({ staticAddresses, loadedAddresses: { writable, readonly } }: TransactionRecord) =>
    staticAddresses.includes(address) || writable.includes(address) || readonly.includes(address);
  return { ...block, transactions: block.transactions.filter((each) => names(each.record())) };
}
