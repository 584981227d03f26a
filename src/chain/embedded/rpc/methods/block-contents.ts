import type { Bank } from '../../ledger/bank.ts';
import {
  readConfigField,
  getLedgerCommitment,
  readFieldsOrEncoding,
  readTransactionEncoding,
} from '../calls/config.ts';
import type { RpcContext } from '../calls/context.ts';
import type { Handler } from '../calls/dispatch.ts';
import { blockCleanedUp, blockNotAvailable, RpcError, slotSkipped } from '../../../json-rpc/rpc-errors.ts';
import { ErrorCode } from '../../../json-rpc/error-codes.ts';
import { requireAtMost, createIntegerReader, type Params, readBoolean, readU64 } from '../calls/params.ts';
import { encodeBlock, MAX_BLOCK_BYTES, readTransactionDetails } from '../wire/block.ts';

/** The methods that return whole blocks. */
export function createBlockContentMethods({ bank }: RpcContext): [string, Handler][] {
  return [['getBlock', (params) => getBlock(bank, params)]];
}

/** The second parameter may be an encoding alone. */
function getBlock(bank: Bank, params: Params) {
  requireAtMost(params, 2);
  const slot = readU64(params[0], 'slot');
  const fields = readFieldsOrEncoding(params[1]);
  const format = {
    encoding: readConfigField(fields, 'encoding', readTransactionEncoding) ?? 'json',
    maxVersion:
      readConfigField(fields, 'maxSupportedTransactionVersion', createIntegerReader(0, 255)) ?? null,
    details: readConfigField(fields, 'transactionDetails', readTransactionDetails) ?? 'full',
    rewards: readConfigField(fields, 'rewards', readBoolean) ?? true,
  } as const;
  const commitment = getLedgerCommitment(fields);
  if (slot > bank.slot(commitment)) throw blockNotAvailable(slot);
  const block = bank.block(slot);
  if (block === null) throw whyNoBlock(bank, slot);
  if (format.details !== 'none' && format.details !== 'signatures' && block.size > MAX_BLOCK_BYTES) {
    throw new RpcError(
      ErrorCode.SCAN,
      `the transactions of block ${slot} take ${block.size} bytes; one answer carries at most ${MAX_BLOCK_BYTES}. ` +
        'Ask for their signatures ("transactionDetails": "signatures"), and for each by getTransaction',
    );
  }
  return encodeBlock(block, format);
}

/** Returns the error for a past slot without a block, or whose block is no longer kept completely. */
function whyNoBlock(bank: Bank, slot: bigint): RpcError {
  const first = bank.firstAvailableSlot();
  return slot < first || bank.blockTime(slot) !== null ? blockCleanedUp(slot, first) : slotSkipped(slot);
}
