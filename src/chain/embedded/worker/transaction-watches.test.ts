import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import { TransactionWatches } from './transaction-watches.ts';

describe('TransactionWatches', () => {
  it('returns successful transactions that name a watched program, each once, in order', () => {
    const watches = new TransactionWatches();
    expect(watches.add(CALL, Uint8Array.of(1))).toBe(false);
    watches.watch([TOKEN_PROGRAM]);
    expect(watches.add(CALL, Uint8Array.of(2, 3))).toBe(true);
    expect(watches.add(OTHER, Uint8Array.of(4))).toBe(false);
    expect(watches.add({ ...CALL, error: 'AccountInUse' }, Uint8Array.of(5))).toBe(false);
    const { staticAddresses } = CALL;
    const loaded = { ...OTHER, loadedAddresses: { writable: [], readonly: staticAddresses } };
    expect(watches.add(loaded, Uint8Array.of(6))).toBe(true);
    expect(taken(watches)).toEqual([[2, 3], [6]]);
    expect(taken(watches)).toEqual([]);
  });

  it('returns bytes of their own, which later transactions do not overwrite', () => {
    const watches = new TransactionWatches();
    watches.watch([TOKEN_PROGRAM]);
    watches.add(CALL, Uint8Array.of(1));
    const first = watches.take();
    watches.add(CALL, Uint8Array.of(2));
    expect(taken(watches)).toEqual([[2]]);
    expect(first?.at(-1)).toBe(1);
    expect(first?.buffer.byteLength).toBe(first?.length);
  });

  it('counts watches of the same program', () => {
    const watches = new TransactionWatches();
    watches.watch([TOKEN_PROGRAM]);
    watches.watch([TOKEN_PROGRAM]);
    watches.unwatch([TOKEN_PROGRAM]);
    expect(watches.add(CALL, Uint8Array.of(1))).toBe(true);
    watches.unwatch([TOKEN_PROGRAM]);
    expect(watches.add(CALL, Uint8Array.of(2))).toBe(false);
  });
});

const CALL = {
  error: null,
  staticAddresses: [TOKEN_PROGRAM],
  loadedAddresses: { writable: [], readonly: [] },
};
const OTHER = { ...CALL, staticAddresses: [SYSTEM_PROGRAM] };

function taken(watches: TransactionWatches): readonly (readonly number[])[] {
  const encoded = watches.take();
  if (encoded === null) return [];
  const reader = new ByteReader(encoded, 'test');
  const found: (readonly number[])[] = [];
  while (reader.remaining > 0) found.push([...reader.bytes(reader.u32())]);
  return found;
}
