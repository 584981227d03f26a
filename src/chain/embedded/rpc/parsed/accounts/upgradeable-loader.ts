import type { Address } from '../../../../../solana/address.ts';
import { ByteReader } from '../../../../../solana/codec/byte-reader.ts';
import { toBase64 } from '../../encoding/base64.ts';
import type { ParsedData } from './parsed-data.ts';

const State = { UNINITIALIZED: 0, BUFFER: 1, PROGRAM: 2, PROGRAM_DATA: 3 } as const;

/** Parses the accounts of the upgradeable loader: a bincode enum with a u32 tag. A program's code follows its header. */
export function parseUpgradeableLoader(data: Uint8Array): ParsedData {
  const reader = new ByteReader(data, 'account of the upgradeable loader');
  const state = reader.u32();
  switch (state) {
    case State.UNINITIALIZED:
      return { type: 'uninitialized' };
    case State.BUFFER:
      return { type: 'buffer', info: { authority: optionalAddress(reader), data: rest(data, reader) } };
    case State.PROGRAM:
      return { type: 'program', info: { programData: reader.address() } };
    case State.PROGRAM_DATA: {
      const slot = reader.u64();
      return {
        type: 'programData',
        info: { slot, authority: optionalAddress(reader), data: rest(data, reader) },
      };
    }
    default:
      return reader.fail(`unknown state ${state}`);
  }
}

function optionalAddress(reader: ByteReader): Address | null {
  return reader.bool() ? reader.address() : null;
}

function rest(data: Uint8Array, reader: ByteReader): readonly [string, 'base64'] {
  return [toBase64(data.subarray(reader.offset)), 'base64'];
}
