import type { Address } from '../../../../solana/address.ts';
import type { BlockRecord, CommittedTransaction } from '../../../records/records.ts';
import { RpcError } from '../../../json-rpc/rpc-errors.ts';
import { toJson } from '../../../json-rpc/json.ts';
import { encodeBlock, MAX_BLOCK_BYTES } from '../wire/block.ts';
import type { BlockTopic } from './topic.ts';
import { WrittenTexts } from './written-texts.ts';

/** Formats one block for its subscribers: null for those for whom it contains nothing. */
export function createBlockWriter(block: BlockRecord): (topic: BlockTopic) => string | null {
  const texts = new WrittenTexts<string | null>();
  let mentioned: ReadonlyMap<Address, readonly CommittedTransaction[]> | null = null;
  return (topic) => {
    const { mentions } = topic;
    if (mentions === null) return texts.of(JSON.stringify(topic), () => blockUpdate(block, topic));
    mentioned ??= byAddress(block);
    const transactions = mentioned.get(mentions);
    if (transactions === undefined) return null;
    return texts.of(JSON.stringify(topic), () => blockUpdate({ ...block, transactions }, topic));
  };
}

function blockUpdate(block: BlockRecord, { format }: BlockTopic): string {
  const { slot } = block;
  if (block.size > MAX_BLOCK_BYTES) return toJson({ slot, block: null, err: 'BlockStoreError' });
  try {
    return toJson({ slot, block: encodeBlock(block, format), err: null });
  } catch (error) {
    // The only possible error is a transaction version that the client does not support.
    if (!(error instanceof RpcError)) throw error;
    return toJson({ slot, block: null, err: { UnsupportedTransactionVersion: 0 } });
  }
}

/** Returns the transactions of a block by the addresses that they mention, so that no subscription needs a search. */
function byAddress({ transactions }: BlockRecord): Map<Address, CommittedTransaction[]> {
  const found = new Map<Address, CommittedTransaction[]>();
  for (const transaction of transactions) {
    const { staticAddresses, loadedAddresses } = transaction.record();
    const { writable, readonly } = loadedAddresses;
    for (const address of new Set([...staticAddresses, ...writable, ...readonly])) {
      const mentioning = found.get(address);
      if (mentioning === undefined) found.set(address, [transaction]);
      else mentioning.push(transaction);
    }
  }
  return found;
}
