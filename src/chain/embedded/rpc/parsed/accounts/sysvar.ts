import type { Address } from '../../../../../solana/address.ts';
import { ByteReader } from '../../../../../solana/codec/byte-reader.ts';
import {
  SYSVAR_CLOCK,
  SYSVAR_EPOCH_REWARDS,
  SYSVAR_EPOCH_SCHEDULE,
  SYSVAR_LAST_RESTART_SLOT,
  SYSVAR_RECENT_BLOCKHASHES,
  SYSVAR_RENT,
  SYSVAR_SLOT_HASHES,
  SYSVAR_SLOT_HISTORY,
  SYSVAR_STAKE_HISTORY,
} from '../../../../../solana/program-addresses.ts';
import type { ParseContext, ParsedData } from './parsed-data.ts';

type SysvarParser = (reader: ByteReader) => ParsedData;

/** Layouts are bincode: fixed little-endian fields; a list begins with its length as u64. */
const PARSERS: ReadonlyMap<Address, SysvarParser> = new Map<Address, SysvarParser>([
  [SYSVAR_CLOCK, (reader) => ({ type: 'clock', info: clock(reader) })],
  [SYSVAR_RENT, (reader) => ({ type: 'rent', info: rent(reader) })],
  [SYSVAR_EPOCH_SCHEDULE, (reader) => ({ type: 'epochSchedule', info: readEpochSchedule(reader) })],
  [SYSVAR_SLOT_HASHES, (reader) => ({ type: 'slotHashes', info: list(reader, 40, slotHash) })],
  [
    SYSVAR_RECENT_BLOCKHASHES,
    (reader) => ({ type: 'recentBlockhashes', info: list(reader, 40, recentBlockhash) }),
  ],
  [SYSVAR_STAKE_HISTORY, (reader) => ({ type: 'stakeHistory', info: list(reader, 32, stakeHistory) })],
  [SYSVAR_SLOT_HISTORY, (reader) => ({ type: 'slotHistory', info: slotHistory(reader) })],
  [
    SYSVAR_LAST_RESTART_SLOT,
    (reader) => ({ type: 'lastRestartSlot', info: { lastRestartSlot: reader.u64() } }),
  ],
  [SYSVAR_EPOCH_REWARDS, (reader) => ({ type: 'epochRewards', info: epochRewards(reader) })],
]);

export function parseSysvar(data: Uint8Array, { address }: ParseContext): ParsedData {
  const reader = new ByteReader(data, 'sysvar');
  const parse = PARSERS.get(address);
  return parse === undefined ? reader.fail(`no sysvar has the address ${address}`) : parse(reader);
}

export interface EpochSchedule {
  readonly slotsPerEpoch: bigint;
  readonly leaderScheduleSlotOffset: bigint;
  readonly warmup: boolean;
  readonly firstNormalEpoch: bigint;
  readonly firstNormalSlot: bigint;
}

export function readEpochSchedule(reader: ByteReader): EpochSchedule {
  return {
    slotsPerEpoch: reader.u64(),
    leaderScheduleSlotOffset: reader.u64(),
    warmup: reader.bool(),
    firstNormalEpoch: reader.u64(),
    firstNormalSlot: reader.u64(),
  };
}

function clock(reader: ByteReader) {
  const slot = reader.u64();
  const epochStartTimestamp = reader.i64();
  const epoch = reader.u64();
  const leaderScheduleEpoch = reader.u64();
  const unixTimestamp = reader.i64();
  return { slot, epoch, epochStartTimestamp, leaderScheduleEpoch, unixTimestamp };
}

function rent(reader: ByteReader) {
  return {
    lamportsPerByteYear: reader.u64().toString(),
    exemptionThreshold: reader.f64(),
    burnPercent: reader.u8(),
  };
}

function slotHash(reader: ByteReader) {
  return { slot: reader.u64(), hash: reader.address() };
}

function recentBlockhash(reader: ByteReader) {
  const blockhash = reader.address();
  return { blockhash, feeCalculator: { lamportsPerSignature: reader.u64().toString() } };
}

function stakeHistory(reader: ByteReader) {
  const epoch = reader.u64();
  return {
    epoch,
    stakeHistory: { effective: reader.u64(), activating: reader.u64(), deactivating: reader.u64() },
  };
}

/** Reads an option tag, a bit vector of u64 words, its length in bits, and the next slot. */
function slotHistory(reader: ByteReader) {
  const words = reader.bool() ? list(reader, 8, (word) => word.u64()) : [];
  reader.skip(8);
  const nextSlot = reader.u64();
  let bits = '';
  for (const word of words) bits += reversed(word.toString(2).padStart(64, '0'));
  return { nextSlot, bits };
}

/** Reverses a word's bits, because the lowest bit comes first. */
function reversed(bits: string): string {
  return Array.from(bits).reverse().join('');
}

function epochRewards(reader: ByteReader) {
  return {
    distributionStartingBlockHeight: reader.u64(),
    numPartitions: reader.u64(),
    parentBlockhash: reader.address(),
    totalPoints: reader.u128().toString(),
    totalRewards: reader.u64().toString(),
    distributedRewards: reader.u64().toString(),
    active: reader.bool(),
  };
}

function list<T>(reader: ByteReader, elementBytes: number, read: (reader: ByteReader) => T): T[] {
  const length = reader.u64();
  if (length > BigInt(Math.floor(reader.remaining / elementBytes))) {
    reader.fail(`a list of ${length} elements in ${reader.remaining} bytes`);
  }
  return Array.from({ length: Number(length) }, () => read(reader));
}
