import {
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  PublicKey,
  type TransactionInstruction,
} from '@solana/web3.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { TestNetwork } from '../../testing/svm/network.ts';
import { toAddress } from '../address.ts';
import { LayoutInvalid } from '../codec/byte-reader.ts';
import type { Instruction } from './instruction.ts';
import * as tables from './lookup-table.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '../program-addresses.ts';
import { transferLamports } from '../programs/system.ts';
import { U64_MAX } from '../units.ts';

describe('lookup table', () => {
  it('agrees with web3.js on the layout', () => {
    assertProperty(
      fc.property(anyTable, (table) => {
        const data = tables.encodeLookupTable(table);
        expect(tables.decodeLookupTable(data)).toEqual(table);
        const theirs = AddressLookupTableAccount.deserialize(data);
        expect(theirs.deactivationSlot).toBe(table.deactivationSlot);
        expect(theirs.lastExtendedSlot).toBe(Number(table.lastExtendedSlot));
        expect(theirs.lastExtendedSlotStartIndex).toBe(table.lastExtendedStartIndex);
        expect(theirs.authority?.toBase58() ?? null).toBe(table.authority);
        expect(theirs.addresses.map((each) => each.toBase58())).toEqual(table.addresses);
      }),
      { cases: 100, seed: 56, against: 'web3.js' },
    );
  });

  it('holds at most 256 addresses', () => {
    const full = tables.createActiveLookupTable(new Array(256).fill(named(1)), null, 7n);
    expect(tables.decodeLookupTable(tables.encodeLookupTable(full))).toEqual(full);
    const over = { ...full, addresses: [...full.addresses, named(2)] };
    expect(() => tables.encodeLookupTable(over)).toThrow('at most 256 addresses, got 257');
    const data = new Uint8Array([...tables.encodeLookupTable(full), ...new Uint8Array(32)]);
    expect(() => tables.decodeLookupTable(data)).toThrow(LayoutInvalid);
  });

  it('throws for data that is not a lookup table', () => {
    expect(() => tables.decodeLookupTable(new Uint8Array(56))).toThrow('its type must be 1, got 0');
    expect(() => tables.decodeLookupTable(Uint8Array.of(1, 0, 0, 0))).toThrow(LayoutInvalid);
    const data = tables.encodeLookupTable(tables.createActiveLookupTable([named(1)], null, 0n));
    expect(() => tables.decodeLookupTable(data.subarray(0, 80))).toThrow(
      '24 bytes are not 0 to 256 addresses',
    );
  });

  it('has the same instructions as in web3.js', () => {
    const [authority, payer, recipient] = [named(1), named(2), named(3)];
    const addresses = [named(4), named(5)];
    const { address: table } = tables.deriveLookupTableAddress(authority, 1234n);
    const common = { lookupTable: key(table), authority: key(authority), payer: key(payer) };
    const [created, at] = AddressLookupTableProgram.createLookupTable({ ...common, recentSlot: 1234 });
    expect(at.toBase58()).toBe(table);
    const pairs: [Instruction, TransactionInstruction][] = [
      [tables.createLookupTable(authority, payer, 1234n), created],
      [
        tables.extendLookupTable({ table, authority, payer, addresses }),
        AddressLookupTableProgram.extendLookupTable({ ...common, addresses: addresses.map(key) }),
      ],
      [tables.freezeLookupTable(table, authority), AddressLookupTableProgram.freezeLookupTable(common)],
      [
        tables.deactivateLookupTable(table, authority),
        AddressLookupTableProgram.deactivateLookupTable(common),
      ],
      [
        tables.closeLookupTable(table, authority, recipient),
        AddressLookupTableProgram.closeLookupTable({ ...common, recipient: key(recipient) }),
      ],
    ];
    for (const [ours, theirs] of pairs) {
      expect(ours.programAddress).toBe(theirs.programId.toBase58());
      expect([...ours.data]).toEqual([...theirs.data]);
      expect(ours.accounts).toEqual(
        theirs.keys.map((each) => ({
          address: each.pubkey.toBase58(),
          role: (each.isWritable ? 1 : 0) + (each.isSigner ? 2 : 0),
        })),
      );
    }
  });

  it('can be used by a transaction when written as an account', () => {
    const network = new TestNetwork();
    const table = network.newAddress();
    const wallet = network.newWallet(1_000_000n);
    const contents = tables.createActiveLookupTable([named(9), wallet], null, 0n);
    network.setData(table, ADDRESS_LOOKUP_TABLE_PROGRAM, tables.encodeLookupTable(contents));
    const outcome = network.send([transferLamports(network.payer, wallet, 5n)], {
      lookupTables: { [table]: [...contents.addresses] },
    });
    expect(outcome.error).toBeNull();
    expect(network.account(wallet)?.lamports).toBe(1_000_005n);
  });

  it('decodes after the program created, extended, deactivated and froze it', () => {
    const network = new TestNetwork();
    const authority = network.payer;
    const { address: table } = tables.deriveLookupTableAddress(authority, 0n);
    const read = () => tables.decodeLookupTable(network.account(table)?.data ?? new Uint8Array(0));
    const addresses = [named(1), named(2), named(3)];
    const lastExtendedSlot = network.svm.getClock().slot;
    const active = { deactivationSlot: U64_MAX, lastExtendedSlot, lastExtendedStartIndex: 0 };
    const filled = network.send([
      tables.createLookupTable(authority, authority, 0n),
      tables.extendLookupTable({ table, authority, payer: authority, addresses }),
    ]);
    expect(filled.error).toBeNull();
    expect(read()).toEqual({ ...active, authority, addresses });
    expect(network.simulate([tables.deactivateLookupTable(table, authority)]).error).toBeNull();
    expect(network.send([tables.freezeLookupTable(table, authority)]).error).toBeNull();
    expect(read()).toEqual({ ...active, authority: null, addresses });
    expect(network.send([tables.deactivateLookupTable(table, authority)]).error).not.toBeNull();
    expect(network.send([tables.closeLookupTable(table, authority, authority)]).error).not.toBeNull();
  });
});

const anyAddress = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => toAddress(bytes));
const u64 = fc.bigInt({ min: 0n, max: U64_MAX });
const anyTable = fc.record({
  deactivationSlot: u64,
  lastExtendedSlot: u64,
  lastExtendedStartIndex: fc.nat({ max: 255 }),
  authority: fc.option(anyAddress),
  addresses: fc.array(anyAddress, { maxLength: 30 }),
});

const named = (fill: number) => toAddress(new Uint8Array(32).fill(fill));
const key = (text: string) => new PublicKey(text);
