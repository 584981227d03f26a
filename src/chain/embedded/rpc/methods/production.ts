import { maximum } from '../../../../solana/units.ts';
import { SLOTS_PER_EPOCH } from '../../blocks/blocks.ts';
import { readConfigField, readReachedCommitment, readFields } from '../calls/config.ts';
import { wrapInContext, type RpcContext } from '../calls/context.ts';
import type { Handler } from '../calls/dispatch.ts';
import { invalidParams } from '../../../json-rpc/rpc-errors.ts';
import { RawJson } from '../../../json-rpc/json.ts';
import {
  requireAtMost,
  createIntegerReader,
  readOptionalParam,
  type Params,
  readAddress,
  readObject,
  readU64,
} from '../calls/params.ts';

const MAX_SAMPLES = 720;

/** The methods about block production. One node leads every slot. */
export function createProductionMethods(context: RpcContext): [string, Handler][] {
  return [
    ['getBlockProduction', (params) => getBlockProduction(context, params)],
    ['getLeaderSchedule', (params) => getLeaderSchedule(context, params)],
    ['getRecentPerformanceSamples', (params) => getRecentPerformanceSamples(context, params)],
  ];
}

/** Defaults to the current epoch, as far as its blocks are kept. */
function getBlockProduction(context: RpcContext, params: Params) {
  const { bank } = context;
  requireAtMost(params, 1);
  const fields = readFields(params[0]);
  const identity = readConfigField(fields, 'identity', readAddress) ?? bank.identity;
  const slot = bank.slot(readReachedCommitment(bank, fields));
  const range = readConfigField(fields, 'range', readObject);
  const least = bank.firstAvailableSlot();
  const epochStart = slot - (slot % SLOTS_PER_EPOCH);
  const firstSlot =
    readOptionalParam(range?.firstSlot, 'config.range.firstSlot', readU64) ?? maximum(epochStart, least);
  const lastSlot = readOptionalParam(range?.lastSlot, 'config.range.lastSlot', readU64) ?? slot;
  if (lastSlot > slot) throw invalidParams(`lastSlot, ${lastSlot}, is too large; max ${slot}`);
  if (firstSlot > lastSlot) {
    throw invalidParams(`firstSlot, ${firstSlot}, cannot be after lastSlot, ${lastSlot}`);
  }
  if (firstSlot < least) throw invalidParams(`firstSlot, ${firstSlot}, is too small; min ${least}`);
  const produced = [Number(lastSlot - firstSlot) + 1, bank.blocksProduced(firstSlot, lastSlot)];
  const byIdentity = identity === bank.identity ? { [identity]: produced } : {};
  return wrapInContext(context, { slot, value: { byIdentity, range: { firstSlot, lastSlot } } });
}

/** Takes `(slot?, config?)` or `(config)`. Returns null for an epoch whose leaders are not decided yet. */
function getLeaderSchedule({ bank }: RpcContext, params: Params) {
  requireAtMost(params, 2);
  const [first] = params;
  const hasSlot = typeof first === 'number' || typeof first === 'bigint';
  const fields = readFields(hasSlot || first == null ? params[1] : first);
  const identity = readConfigField(fields, 'identity', readAddress) ?? bank.identity;
  const now = bank.slot(readReachedCommitment(bank, fields));
  const slot = hasSlot ? readU64(first, 'slot') : now;
  if (slot / SLOTS_PER_EPOCH > now / SLOTS_PER_EPOCH + 1n) return null;
  return identity === bank.identity ? { [identity]: everySlot() } : {};
}

let slots: RawJson | null = null;

/** The schedule is the same for every epoch and takes three megabytes of text. */
function everySlot(): RawJson {
  slots ??= new RawJson(`[${Array.from({ length: Number(SLOTS_PER_EPOCH) }, (_, slot) => slot).join(',')}]`);
  return slots;
}

/** Returns one sample for each complete minute, newest first. There are no vote transactions. */
function getRecentPerformanceSamples({ bank }: RpcContext, params: Params) {
  requireAtMost(params, 1);
  const limit = readOptionalParam(params[0], 'limit', createIntegerReader(0, MAX_SAMPLES)) ?? MAX_SAMPLES;
  return bank.minutes(limit).map((minute) => ({
    slot: minute.slot,
    numTransactions: minute.transactions,
    numNonVoteTransactions: minute.transactions,
    numSlots: minute.slots,
    samplePeriodSecs: 60,
  }));
}
