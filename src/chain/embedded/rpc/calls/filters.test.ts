import { describe, expect, it } from 'vitest';
import { encodeBase58 } from '../../../../solana/encoding/base58.ts';
import { RpcError } from '../../../json-rpc/rpc-errors.ts';
import { passesFilters, readFilters } from './filters.ts';

describe('readFilters', () => {
  it('compares bytes in each encoding', () => {
    expect(matches(memcmp(1, encodeBase58(Uint8Array.of(2, 3))))).toBe(true);
    expect(matches(memcmp(1, encodeBase58(Uint8Array.of(2, 3)), 'base58'))).toBe(true);
    expect(matches(memcmp(1, Buffer.of(2, 3).toString('base64'), 'base64'))).toBe(true);
    expect(matches(memcmp(1, [2, 3]))).toBe(true);
    expect(matches(memcmp(1, [2, 3], 'bytes'))).toBe(true);
    expect(matches(memcmp(1, [2, 4]))).toBe(false);
  });

  it('does not match past the end of the data', () => {
    expect(matches(memcmp(4, [5]))).toBe(true);
    expect(matches(memcmp(4, [5, 6]))).toBe(false);
    expect(matches(memcmp(5, []))).toBe(true);
    expect(matches(memcmp(6, []))).toBe(false);
    expect(matches(memcmp(0xffff_ffff, [5]))).toBe(false);
  });

  it('requires every filter to pass', () => {
    expect(matches({ dataSize: 5 }, memcmp(0, [1]))).toBe(true);
    expect(matches({ dataSize: 4 }, memcmp(0, [1]))).toBe(false);
    expect(matches('tokenAccountState')).toBe(false);
    expect(matches()).toBe(true);
  });

  it.each([
    ['five filters', Array.from({ length: 5 }, () => ({ dataSize: 5 }))],
    ['129 bytes as numbers', [memcmp(0, new Array(129).fill(0))]],
    ['129 bytes in base64', [memcmp(0, Buffer.alloc(129).toString('base64'), 'base64')]],
    ['129 bytes in base58', [memcmp(0, '1'.repeat(129))]],
    ['text that is not base58', [memcmp(0, '0OIl')]],
    ['text that is not base64', [memcmp(0, '****', 'base64')]],
    ['text where bytes are named', [memcmp(0, 'abc', 'bytes')]],
    ['a byte of 256', [memcmp(0, [256])]],
    ['a negative offset', [memcmp(-1, [1])]],
    ['no offset', [memcmp(undefined, [1])]],
    ['an unknown encoding', [memcmp(0, '1', 'hex')]],
    ['an unknown kind', [{ owner: 'x' }]],
    ['two kinds in one', [{ dataSize: 5, ...memcmp(0, [1]) }]],
    ['a number', [5]],
  ])('refuses %s', (_, filters) => {
    expect(() => readFilters(filters, 'filters')).toThrow(RpcError);
  });
});

const data = Uint8Array.from([1, 2, 3, 4, 5]);
const matches = (...filters: unknown[]) => passesFilters(readFilters(filters, 'filters'), data);
const memcmp = (offset: unknown, bytes: unknown, encoding?: unknown) => ({
  memcmp: { offset, bytes, encoding },
});
