import { describe, expect, it } from 'vitest';
import { ByteWriter } from '../../../../../solana/codec/byte-writer.ts';
import { TOKEN_2022_PROGRAM } from '../../../../../solana/program-addresses.ts';
import { parseInstruction } from './index.ts';
import { A, B, C, D, E } from '../../../../../testing/chain/parsed-instructions.ts';

describe('Token-2022 instructions', () => {
  it('parses transfer fees', () => {
    const config = bytes().u8(26).u8(0).u8(1).address(B).u8(0).u16(42).u64(2121n);
    expect(extension([A], config)).toEqual({
      type: 'initializeTransferFeeConfig',
      info: {
        mint: A,
        transferFeeConfigAuthority: B,
        withdrawWithheldAuthority: undefined,
        transferFeeBasisPoints: 42,
        maximumFee: 2121n,
      },
    });
    const transfer = bytes().u8(26).u8(1).u64(55n).u8(2).u64(5n);
    expect(extension([A, B, C, D], transfer)).toEqual({
      type: 'transferCheckedWithFee',
      info: {
        source: A,
        mint: B,
        destination: C,
        authority: D,
        tokenAmount: { uiAmount: 0.55, decimals: 2, amount: '55', uiAmountString: '0.55' },
        feeAmount: { uiAmount: 0.05, decimals: 2, amount: '5', uiAmountString: '0.05' },
      },
    });
    expect(extension([A, B, C], bytes().u8(26).u8(2))).toEqual({
      type: 'withdrawWithheldTokensFromMint',
      info: { mint: A, feeRecipient: B, withdrawWithheldAuthority: C },
    });
    expect(extension([A, B, C, D, E], bytes().u8(26).u8(3).u8(1))).toEqual({
      type: 'withdrawWithheldTokensFromAccounts',
      info: {
        mint: A,
        feeRecipient: B,
        multisigWithdrawWithheldAuthority: C,
        signers: [D],
        sourceAccounts: [E],
      },
    });
    expect(extension([A, B], bytes().u8(26).u8(4))).toEqual({
      type: 'harvestWithheldTokensToMint',
      info: { mint: A, sourceAccounts: [B] },
    });
    expect(extension([A, B], bytes().u8(26).u8(5).u16(1).u64(2n))).toEqual({
      type: 'setTransferFee',
      info: { mint: A, transferFeeConfigAuthority: B, transferFeeBasisPoints: 1, maximumFee: 2n },
    });
  });

  it('parses pointers and authorities', () => {
    expect(extension([A], bytes().u8(39).u8(0).zeros(32).address(B))).toEqual({
      type: 'initializeMetadataPointer',
      info: { mint: A, authority: undefined, metadataAddress: B },
    });
    expect(extension([A, B], bytes().u8(36).u8(1).address(C))).toEqual({
      type: 'updateTransferHook',
      info: { mint: A, authority: B, programId: C },
    });
    expect(extension([A], bytes().u8(25).u8(0))).toEqual({
      type: 'initializeMintCloseAuthority',
      info: { mint: A, newAuthority: null },
    });
    expect(extension([A], bytes().u8(35).address(B))).toEqual({
      type: 'initializePermanentDelegate',
      info: { mint: A, delegate: B },
    });
  });

  it('parses states, rates and switches', () => {
    expect(extension([A], bytes().u8(28).u8(0).u8(2))).toEqual({
      type: 'initializeDefaultAccountState',
      info: { mint: A, accountState: 'frozen' },
    });
    expect(extension([A, B], bytes().u8(30).u8(0))).toEqual({
      type: 'enableRequiredMemoTransfers',
      info: { account: A, owner: B },
    });
    expect(extension([A, B], bytes().u8(34).u8(1))).toEqual({
      type: 'disableCpiGuard',
      info: { account: A, owner: B },
    });
    expect(extension([A], bytes().u8(33).u8(0).address(B).i16(-5))).toEqual({
      type: 'initializeInterestBearingConfig',
      info: { mint: A, rateAuthority: B, rate: -5 },
    });
    expect(extension([A, B], bytes().u8(43).u8(1).f64(1.5).i64(9n))).toEqual({
      type: 'updateMultiplier',
      info: { mint: A, authority: B, newMultiplier: '1.5', newMultiplierTimestamp: 9n },
    });
    expect(extension([A, B], bytes().u8(44).u8(1))).toEqual({
      type: 'pause',
      info: { mint: A, authority: B },
    });
    expect(extension([A, B, C, D], bytes().u8(29).u16(2).u16(8))).toEqual({
      type: 'reallocate',
      info: {
        account: A,
        payer: B,
        systemProgram: C,
        owner: D,
        extensionTypes: ['transferFeeAmount', 'memoTransfer'],
      },
    });
  });

  it('parses metadata by its discriminators', () => {
    const text = (writer: ByteWriter, value: string) => {
      const encoded = new TextEncoder().encode(value);
      return writer.u32(encoded.length).bytes(encoded);
    };
    const initialize = bytes().bytes(Uint8Array.of(210, 225, 30, 162, 88, 184, 77, 141));
    text(text(text(initialize, 'Mega'), 'MEGA'), 'https://mega.example');
    expect(extension([A, B, C, D], initialize)).toEqual({
      type: 'initializeTokenMetadata',
      info: {
        metadata: A,
        updateAuthority: B,
        mint: C,
        mintAuthority: D,
        name: 'Mega',
        symbol: 'MEGA',
        uri: 'https://mega.example',
      },
    });
    const update = bytes()
      .bytes(Uint8Array.of(221, 233, 49, 45, 181, 202, 220, 200))
      .u8(2);
    expect(extension([A, B], text(update, 'x'))).toEqual({
      type: 'updateTokenMetadataField',
      info: { metadata: A, updateAuthority: B, field: 'uri', value: 'x' },
    });
  });
});

/** A Token-2022 instruction from its bytes, because no installed client can build it. */
function extension(accounts: readonly (typeof A)[], data: ByteWriter) {
  return parseInstruction({ program: TOKEN_2022_PROGRAM, accounts, data: data.finish() })?.parsed;
}

const bytes = () => new ByteWriter(256);
