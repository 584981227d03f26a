import type { Commitment } from '../../../chain.ts';
import type { Bank } from '../../ledger/bank.ts';
import {
  getLedgerCommitment,
  readReachedCommitment,
  readFields,
  requireMinContextSlot,
} from '../calls/config.ts';
import { wrapInContext, type RpcContext } from '../calls/context.ts';
import type { Handler } from '../calls/dispatch.ts';
import {
  blockCleanedUp,
  blockNotAvailable,
  invalidParams,
  slotSkipped,
} from '../../../json-rpc/rpc-errors.ts';
import { requireAtMost, createIntegerReader, type Params, readBlockhash, readU64 } from '../calls/params.ts';

/** The maximum number of slots in one call of getBlocks. */
const MAX_RANGE = 500_000;

export function createBlockMethods(context: RpcContext): [string, Handler][] {
  const { bank } = context;
  /** Wraps a method whose only parameter is a commitment. */
  const at =
    <T>(read: (commitment: Commitment) => T): Handler =>
    (params) => {
      requireAtMost(params, 1);
      return read(readReachedCommitment(bank, readFields(params[0])));
    };
  return [
    ['getSlot', at((commitment) => bank.slot(commitment))],
    ['getBlockHeight', at((commitment) => bank.blockHeight(commitment))],
    ['getTransactionCount', at((commitment) => bank.transactionCount(commitment))],
    ['getEpochInfo', at((commitment) => bank.epochInfo(commitment))],
    [
      'getLatestBlockhash',
      at((commitment) => {
        const { slot, value } = bank.latestBlockhash(commitment);
        const { blockhash, lastValidBlockHeight } = value;
        return wrapInContext(context, { slot, value: { blockhash, lastValidBlockHeight } });
      }),
    ],
    [
      'isBlockhashValid',
      (params) => {
        requireAtMost(params, 2);
        const blockhash = readBlockhash(params[0], 'blockhash');
        const commitment = readReachedCommitment(bank, readFields(params[1]));
        return wrapInContext(context, bank.isBlockhashValid(blockhash, commitment));
      },
    ],
    [
      'getBlockTime',
      (params) => {
        requireAtMost(params, 1);
        return blockTime(bank, readU64(params[0], 'slot'));
      },
    ],
    ['getBlocks', (params) => getBlocks(bank, params)],
    ['getBlocksWithLimit', (params) => getBlocksWithLimit(bank, params)],
    ['getFirstAvailableBlock', constant(() => bank.firstAvailableSlot())],
    ['minimumLedgerSlot', constant(() => bank.firstAvailableSlot())],
  ];
}

function constant(read: () => unknown): Handler {
  return (params) => {
    requireAtMost(params, 0);
    return read();
  };
}

/**
 * Returns Unix seconds.
 *
 * @throws RpcError that says why a slot has none.
 */
function blockTime(bank: Bank, slot: bigint): bigint {
  const time = bank.blockTime(slot);
  if (time !== null) return time;
  if (slot > bank.slot('processed')) throw blockNotAvailable(slot);
  const first = bank.firstAvailableSlot();
  throw slot < first ? blockCleanedUp(slot, first) : slotSkipped(slot);
}

/** `(start, end?, config?)` or `(start, config?)`. */
function getBlocks(bank: Bank, params: Params): bigint[] {
  requireAtMost(params, 3);
  const start = readU64(params[0], 'startSlot');
  const endGiven = typeof params[1] === 'number' || typeof params[1] === 'bigint';
  const fields = readFields(endGiven || params[1] == null ? params[2] : params[1]);
  const commitment = getLedgerCommitment(fields);
  requireMinContextSlot(bank, fields, commitment);
  const end = endGiven ? readU64(params[1], 'endSlot') : start + BigInt(MAX_RANGE);
  const last = end < bank.slot(commitment) ? end : bank.slot(commitment);
  if (last - start > BigInt(MAX_RANGE)) {
    throw invalidParams(`the range of slots is too large: ${last - start}; max ${MAX_RANGE}`);
  }
  return slotsWithBlocks(bank, start, last, MAX_RANGE + 1);
}

function getBlocksWithLimit(bank: Bank, params: Params): bigint[] {
  requireAtMost(params, 3);
  const start = readU64(params[0], 'startSlot');
  const limit = createIntegerReader(0, MAX_RANGE)(params[1], 'limit');
  const fields = readFields(params[2]);
  const commitment = getLedgerCommitment(fields);
  requireMinContextSlot(bank, fields, commitment);
  return slotsWithBlocks(bank, start, bank.slot(commitment), limit);
}

function slotsWithBlocks(bank: Bank, start: bigint, last: bigint, limit: number): bigint[] {
  const slots: bigint[] = [];
  const first = bank.firstAvailableSlot();
  for (let slot = start > first ? start : first; slot <= last && slots.length < limit; slot++) {
    if (bank.blockTime(slot) !== null) slots.push(slot);
  }
  return slots;
}
