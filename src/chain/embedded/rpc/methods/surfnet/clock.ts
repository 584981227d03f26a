import type { EpochInfo } from '../../../../records/records.ts';
import { SLOTS_PER_EPOCH } from '../../../blocks/blocks.ts';
import type { Bank, TravelTarget } from '../../../ledger/bank.ts';
import type { RpcContext } from '../../calls/context.ts';
import { invalidParams } from '../../../../json-rpc/rpc-errors.ts';
import { requireAtMost, type Params, readObject, readU64 } from '../../calls/params.ts';

/** How far the clock moves without a target. */
const HOUR_SECONDS = 3_600n;

/** Moves slots and time forward. The answer is `getEpochInfo` at `processed` after it. */
export function timeTravel({ bank }: RpcContext, params: Params): EpochInfo {
  requireAtMost(params, 1);
  const [config] = params;
  bank.admin.travel(config === undefined || config === null ? anHourLater(bank) : readTravelTarget(config));
  return bank.epochInfo('processed');
}

/** Stops slots, so that nothing is confirmed and no blockhash expires until the clock is resumed. */
export function pauseClock({ bank }: RpcContext, params: Params): EpochInfo {
  requireAtMost(params, 0);
  bank.admin.pauseClock();
  return bank.epochInfo('processed');
}

export function resumeClock({ bank }: RpcContext, params: Params): EpochInfo {
  requireAtMost(params, 0);
  bank.admin.resumeClock();
  return bank.epochInfo('processed');
}

function anHourLater(bank: Bank): TravelTarget {
  return { unixTimestamp: (bank.blockTime(bank.slot('processed')) ?? 0n) + HOUR_SECONDS };
}

function readTravelTarget(value: unknown): TravelTarget {
  const config = readObject(value, 'config');
  const [[key, target] = ['', undefined], ...others] = Object.entries(config);
  if (others.length > 0) throw wrongTarget(Object.keys(config).join(', '));
  switch (key) {
    case 'absoluteEpoch':
      return { slot: readU64(target, 'config.absoluteEpoch') * SLOTS_PER_EPOCH };
    case 'absoluteSlot':
      return { slot: readU64(target, 'config.absoluteSlot') };
    case 'absoluteTimestamp':
      return { unixTimestamp: secondsAfter(readU64(target, 'config.absoluteTimestamp')) };
    default:
      throw wrongTarget(key);
  }
}

/** Rounds up, so that the clock is never before the requested time. */
function secondsAfter(milliseconds: bigint): bigint {
  return (milliseconds + 999n) / 1000n;
}

function wrongTarget(got: string): Error {
  return invalidParams(
    `config must have exactly one of absoluteEpoch, absoluteSlot and absoluteTimestamp (Unix milliseconds), got ${got === '' ? 'none' : got.slice(0, 100)}`,
  );
}
