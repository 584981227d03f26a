import { describe, expect, it } from 'vitest';
import { type Address, toAddressBytes } from '../../../src/solana/address.ts';
import { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import { type AccountMeta, readonly, writable } from '../../../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';

describe('AssertAccountInfo', () => {
  it.each([
    [0, [held], [held - 1n, held + 1n]],
    [1, [held - 1n, held + 1n], [held]],
    [2, [held - 1n], [held, held + 1n]],
    [3, [held + 1n], [held, held - 1n]],
    [4, [held, held - 1n], [held + 1n]],
    [5, [held, held + 1n], [held - 1n]],
  ])('compares lamports by operator %i', (operator, holding, failing) => {
    for (const value of holding) expect(errorOf(0, u64(value), operator)).toBeUndefined();
    for (const value of failing) expect(errorOf(0, u64(value), operator)).toBe(6001);
  });

  it('compares the length of the data, the owner and the rights', () => {
    expect(errorOf(1, u64(0n), 0)).toBeUndefined();
    expect(errorOf(1, u64(1n), 0)).toBe(6001);
    expect(errorOf(2, toAddressBytes(SYSTEM_PROGRAM), 0)).toBeUndefined();
    expect(errorOf(2, toAddressBytes(TOKEN_PROGRAM), 0)).toBe(6001);
    expect(errorOf(5, Uint8Array.of(0), 0)).toBeUndefined();
    expect(errorOf(6, Uint8Array.of(1), 0, writable)).toBeUndefined();
    expect(errorOf(6, Uint8Array.of(1), 0)).toBe(6001);
    expect(errorOf(7, Uint8Array.of(1), 1)).toBeUndefined();
  });

  it('refuses what it cannot decode, and what is not part of it', () => {
    expect(errorOf(0, u64(1n), 6)).toBe(6000);
    expect(errorOf(2, toAddressBytes(SYSTEM_PROGRAM), 2)).toBe(6000);
    expect(errorOf(0, new Uint8Array(7), 0)).toBe(6000);
    for (const field of [3, 4, 8, 9]) expect(errorOf(field, u64(1n), 0)).toBe(6000);
    const network = new TestNetwork(['lighthouse']);
    const send = (data: Uint8Array) =>
      network.send([{ programAddress: LIGHTHOUSE, accounts: [], data }]).error?.custom;
    expect(send(new Uint8Array(0))).toBe(6000);
    expect(send(Uint8Array.of(0, 0))).toBe(6000);
    expect(send(Uint8Array.of(5, 0, 0))).toBe(6002);
  });
});

const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95' as Address;
const LAMPORTS = 5_000n;

/**
 * Returns the error number of an assertion about a wallet with 5,000 lamports, given its field, value and operator.
 */
function errorOf(field: number, value: Uint8Array, operator: number, meta = readonly): number | undefined {
  const network = new TestNetwork(['lighthouse']);
  const wallet = network.newWallet(1_000_000n + LAMPORTS);
  const data = new ByteWriter().u8(5).u8(0).u8(field).bytes(value).u8(operator).finish();
  const accounts: readonly AccountMeta[] = [meta(wallet)];
  return network.send([{ programAddress: LIGHTHOUSE, accounts, data }]).error?.custom;
}

const u64 = (value: bigint) => new ByteWriter().u64(value).finish();
const held = 1_000_000n + LAMPORTS;
