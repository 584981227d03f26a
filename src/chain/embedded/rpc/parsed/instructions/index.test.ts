import * as token from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { ByteWriter } from '../../../../../solana/codec/byte-writer.ts';
import {
  createLookupTable,
  deactivateLookupTable,
  extendLookupTable,
  freezeLookupTable,
} from '../../../../../solana/messages/lookup-table.ts';
import { memo } from '../../../../../solana/programs/memo.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  BPF_LOADER_UPGRADEABLE,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../../../solana/program-addresses.ts';
import { parseInstruction } from './index.ts';
import { A, B, C, D, E, parse, S, signer } from '../../../../../testing/chain/parsed-instructions.ts';

describe('parseInstruction', () => {
  it('parses associated-token instructions', async () => {
    const create = { payer: signer, ata: A, owner: B, mint: C };
    const info = {
      source: S,
      account: A,
      wallet: B,
      mint: C,
      systemProgram: SYSTEM_PROGRAM,
      tokenProgram: TOKEN_PROGRAM,
    };
    expect(parse(token.getCreateAssociatedTokenInstruction(create))).toEqual({
      program: 'spl-associated-token-account',
      parsed: { type: 'create', info },
    });
    expect(parse(token.getCreateAssociatedTokenIdempotentInstruction(create))?.parsed).toEqual({
      type: 'createIdempotent',
      info,
    });
  });

  it('parses memos as text, unless they are not UTF-8', () => {
    expect(parse(memo('hello 🦖'))).toEqual({ program: 'spl-memo', parsed: 'hello 🦖' });
    expect(parse({ ...memo(''), data: Uint8Array.of(0x80) })).toBeNull();
  });

  it('parses lookup-table instructions', () => {
    const table = createLookupTable(A, B, 42n);
    expect(parse(table)).toMatchObject({
      program: 'address-lookup-table',
      parsed: {
        type: 'createLookupTable',
        info: { lookupTableAuthority: A, payerAccount: B, systemProgram: SYSTEM_PROGRAM, recentSlot: 42n },
      },
    });
    expect(parse(extendLookupTable({ table: A, authority: B, payer: C, addresses: [D, E] }))?.parsed).toEqual(
      {
        type: 'extendLookupTable',
        info: {
          lookupTableAccount: A,
          lookupTableAuthority: B,
          payerAccount: C,
          systemProgram: SYSTEM_PROGRAM,
          newAddresses: [D, E],
        },
      },
    );
    expect(parse(freezeLookupTable(A, B))?.parsed).toMatchObject({ type: 'freezeLookupTable' });
    expect(parse(deactivateLookupTable(A, B))?.parsed).toMatchObject({ type: 'deactivateLookupTable' });
    const program = ADDRESS_LOOKUP_TABLE_PROGRAM;
    expect(
      parseInstruction({
        program,
        accounts: [A, B],
        data: bytes()
          .u32(2)
          .u64(2n ** 60n)
          .finish(),
      }),
    ).toBeNull();
  });

  it('parses instructions of the upgradeable loader', () => {
    const program = BPF_LOADER_UPGRADEABLE;
    const data = bytes()
      .u32(1)
      .u32(12)
      .u64(3n)
      .bytes(Uint8Array.of(1, 2, 3))
      .finish();
    expect(parseInstruction({ program, accounts: [A, B], data })).toEqual({
      program: 'bpf-upgradeable-loader',
      parsed: { type: 'write', info: { offset: 12, bytes: 'AQID', account: A, authority: B } },
    });
    expect(parseInstruction({ program, accounts: [A, B], data: bytes().u32(4).finish() })?.parsed).toEqual({
      type: 'setAuthority',
      info: { account: A, authority: B, newAuthority: null },
    });
  });

  it('returns null for other programs', () => {
    expect(parseInstruction({ program: A, accounts: [B], data: Uint8Array.of(1) })).toBeNull();
  });
});

const bytes = () => new ByteWriter(256);
