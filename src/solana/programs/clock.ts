import { ByteReader } from '../codec/byte-reader.ts';

/** The fields of the Clock sysvar that programs use. */
export interface Clock {
  readonly slot: bigint;
  readonly epoch: bigint;
  /** Unix seconds. */
  readonly unixTimestamp: bigint;
}

/**
 * Decodes the Clock sysvar: slot, start of the epoch, epoch, epoch of the leader schedule, time.
 *
 * @throws LayoutInvalid when the data is too short.
 */
export function decodeClock(data: Uint8Array): Clock {
  const reader = new ByteReader(data, 'Clock sysvar');
  const slot = reader.u64();
  reader.skip(8);
  const epoch = reader.u64();
  reader.skip(8);
  return { slot, epoch, unixTimestamp: reader.i64() };
}
