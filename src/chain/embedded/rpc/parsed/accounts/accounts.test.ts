import { describe, expect, it } from 'vitest';
import { toAddress } from '../../../../../solana/address.ts';
import { ByteWriter } from '../../../../../solana/codec/byte-writer.ts';
import { createActiveLookupTable, encodeLookupTable } from '../../../../../solana/messages/lookup-table.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  BPF_LOADER_UPGRADEABLE,
  SYSTEM_PROGRAM,
  SYSVAR_CLOCK,
  SYSVAR_EPOCH_SCHEDULE,
  SYSVAR_OWNER,
  SYSVAR_SLOT_HASHES,
  SYSVAR_SLOT_HISTORY,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../../../solana/program-addresses.ts';
import { encodeTokenAccount, type TokenAccount } from '../../../../../solana/programs/token/account.ts';
import {
  type Extension,
  ExtensionType,
  MULTISIG_SIZE,
} from '../../../../../solana/programs/token/extensions.ts';
import { encodeMint } from '../../../../../solana/programs/token/mint.ts';
import { encodeTransferFeeConfigExtension } from '../../../../../solana/programs/token/transfer-fee.ts';
import type { Address } from '../../../../../solana/address.ts';
import type { MintDisplays } from '../mint-display.ts';
import { parseAccount } from './index.ts';

describe('token accounts', () => {
  it('are parsed with the decimals of the mint', () => {
    expect(parse(TOKEN_PROGRAM, encodeTokenAccount(TOKEN_ACCOUNT))).toEqual({
      program: 'spl-token',
      space: 165,
      parsed: {
        type: 'account',
        info: {
          mint: A,
          owner: B,
          tokenAmount: shown('1500000', 1.5),
          delegate: undefined,
          state: 'initialized',
          isNative: false,
          rentExemptReserve: undefined,
          delegatedAmount: undefined,
          closeAuthority: undefined,
          extensions: undefined,
        },
      },
    });
  });

  it('are parsed with delegates, as frozen and as native accounts', () => {
    const special = {
      delegate: C,
      delegatedAmount: 1n,
      state: 'frozen',
      nativeReserve: 2n,
      closeAuthority: D,
    } as const;
    expect(
      parse(TOKEN_PROGRAM, encodeTokenAccount({ ...TOKEN_ACCOUNT, ...special }))?.parsed.info,
    ).toMatchObject({
      delegate: C,
      delegatedAmount: { amount: '1' },
      state: 'frozen',
      isNative: true,
      rentExemptReserve: { amount: '2' },
      closeAuthority: D,
    });
  });

  it('are not parsed without their mint, which has the decimals', () => {
    expect(parse(TOKEN_PROGRAM, encodeTokenAccount({ ...TOKEN_ACCOUNT, mint: B }))).toBeNull();
  });

  it('are distinguished from mints and multisigs, which are parsed too', () => {
    expect(parse(TOKEN_PROGRAM, encodeMint(MINT))?.parsed).toEqual({
      type: 'mint',
      info: {
        mintAuthority: B,
        supply: '10',
        decimals: 6,
        isInitialized: true,
        freezeAuthority: null,
        extensions: undefined,
      },
    });
    const multisig = new Uint8Array(MULTISIG_SIZE);
    multisig.set(bytes().u8(2).u8(3).u8(1).address(A).address(B).address(C).finish());
    expect(parse(TOKEN_PROGRAM, multisig)?.parsed).toEqual({
      type: 'multisig',
      info: { numRequiredSigners: 2, numValidSigners: 3, isInitialized: true, signers: [A, B, C] },
    });
  });

  it('are not parsed when the data has another layout', () => {
    expect(parse(TOKEN_PROGRAM, new Uint8Array(165))).toBeNull();
    expect(parse(TOKEN_PROGRAM, new Uint8Array(3))).toBeNull();
    expect(parse(TOKEN_PROGRAM, new Uint8Array(0))).toBeNull();
  });
});

describe('Token-2022 extensions', () => {
  it('include a transfer fee', () => {
    const fee = { epoch: 1n, maximumFee: 2n ** 64n - 1n, basisPoints: 50 };
    const config = {
      configAuthority: B,
      withdrawWithheldAuthority: null,
      withheldAmount: 7n,
      older: fee,
      newer: { ...fee, epoch: 2n },
    };
    expect(ofMint(encodeTransferFeeConfigExtension(config))).toEqual([
      {
        extension: 'transferFeeConfig',
        state: {
          transferFeeConfigAuthority: B,
          withdrawWithheldAuthority: null,
          withheldAmount: 7n,
          olderTransferFee: { epoch: 1n, maximumFee: 2n ** 64n - 1n, transferFeeBasisPoints: 50 },
          newerTransferFee: { epoch: 2n, maximumFee: 2n ** 64n - 1n, transferFeeBasisPoints: 50 },
        },
      },
    ]);
  });

  it('include metadata with its additional fields', () => {
    const text = (writer: ByteWriter, value: string) =>
      writer.u32(Buffer.byteLength(value)).bytes(Buffer.from(value));
    const data = bytes().address(B).address(A);
    for (const value of ['Näme', 'SYM', 'https://example.org']) text(data, value);
    text(text(data.u32(1), 'key'), 'value');
    expect(ofMint(extension(ExtensionType.TOKEN_METADATA, data))).toEqual([
      {
        extension: 'tokenMetadata',
        state: {
          updateAuthority: B,
          mint: A,
          name: 'Näme',
          symbol: 'SYM',
          uri: 'https://example.org',
          additionalMetadata: [['key', 'value']],
        },
      },
    ]);
  });

  it('include extensions without data, and report unparseable ones', () => {
    expect(
      ofMint(
        extension(ExtensionType.NON_TRANSFERABLE, bytes()),
        extension(ExtensionType.MINT_CLOSE_AUTHORITY, bytes().address(C)),
        extension(ExtensionType.DEFAULT_ACCOUNT_STATE, bytes().u8(2)),
        extension(ExtensionType.SCALED_UI_AMOUNT, bytes().zeros(32).f64(2).i64(-1n).f64(0.5)),
        extension(ExtensionType.METADATA_POINTER, bytes().address(B)),
        extension(9_999, bytes().u8(1)),
      ),
    ).toEqual([
      { extension: 'nonTransferable' },
      { extension: 'mintCloseAuthority', state: { closeAuthority: C } },
      { extension: 'defaultAccountState', state: { accountState: 'frozen' } },
      {
        extension: 'scaledUiAmountConfig',
        state: {
          authority: null,
          multiplier: '2',
          newMultiplierEffectiveTimestamp: -1n,
          newMultiplier: '0.5',
        },
      },
      { extension: 'unparseableExtension' },
      { extension: 'unparseableExtension' },
    ]);
  });

  const ofMint = (...extensions: Extension[]) => {
    const parsed = parse(TOKEN_2022_PROGRAM, encodeMint({ ...MINT, extensions }));
    expect(parsed?.program).toBe('spl-token-2022');
    return (parsed?.parsed.info as { extensions: unknown } | undefined)?.extensions;
  };
  const extension = (type: number, data: ByteWriter): Extension => ({ type, data: data.finish() });
});

describe('accounts of native programs', () => {
  it('include nonces, but no account that only might be one', () => {
    const nonce = bytes().u32(1).u32(1).address(A).address(B).u64(5000n).finish();
    expect(parse(SYSTEM_PROGRAM, nonce)).toEqual({
      program: 'nonce',
      space: 80,
      parsed: {
        type: 'initialized',
        info: { authority: A, blockhash: B, feeCalculator: { lamportsPerSignature: '5000' } },
      },
    });
    expect(parse(SYSTEM_PROGRAM, new Uint8Array(80))).toBeNull();
    expect(parse(SYSTEM_PROGRAM, new Uint8Array(0))).toBeNull();
  });

  it('include lookup tables', () => {
    const table = encodeLookupTable(createActiveLookupTable([A, B], C, 9n));
    expect(parse(ADDRESS_LOOKUP_TABLE_PROGRAM, table)?.parsed).toEqual({
      type: 'lookupTable',
      info: {
        deactivationSlot: '18446744073709551615',
        lastExtendedSlot: '9',
        lastExtendedSlotStartIndex: 0,
        authority: C,
        addresses: [A, B],
      },
    });
    expect(parse(ADDRESS_LOOKUP_TABLE_PROGRAM, table.subarray(0, 60))).toBeNull();
  });

  it('include programs and their code', () => {
    expect(parse(BPF_LOADER_UPGRADEABLE, bytes().u32(2).address(A).finish())?.parsed).toEqual({
      type: 'program',
      info: { programData: A },
    });
    const code = bytes()
      .u32(3)
      .u64(7n)
      .u8(1)
      .address(B)
      .bytes(Uint8Array.of(1, 2, 3))
      .finish();
    expect(parse(BPF_LOADER_UPGRADEABLE, code)?.parsed).toEqual({
      type: 'programData',
      info: { slot: 7n, authority: B, data: ['AQID', 'base64'] },
    });
  });

  it('include sysvars, by their addresses', () => {
    const clock = bytes().u64(1n).i64(2n).u64(3n).u64(4n).i64(-5n).finish();
    expect(parse(SYSVAR_OWNER, clock, SYSVAR_CLOCK)).toEqual({
      program: 'sysvar',
      space: 40,
      parsed: {
        type: 'clock',
        info: { slot: 1n, epoch: 3n, epochStartTimestamp: 2n, leaderScheduleEpoch: 4n, unixTimestamp: -5n },
      },
    });
    const schedule = bytes().u64(432_000n).u64(432_000n).bool(false).u64(0n).u64(0n).finish();
    expect(parse(SYSVAR_OWNER, schedule, SYSVAR_EPOCH_SCHEDULE)?.parsed.type).toBe('epochSchedule');
    const hashes = bytes().u64(1n).u64(8n).address(A).finish();
    expect(parse(SYSVAR_OWNER, hashes, SYSVAR_SLOT_HASHES)?.parsed.info).toEqual([{ slot: 8n, hash: A }]);
    const history = bytes().bool(true).u64(1n).u64(0b1011n).u64(64n).u64(4n).finish();
    expect(parse(SYSVAR_OWNER, history, SYSVAR_SLOT_HISTORY)?.parsed.info).toEqual({
      nextSlot: 4n,
      bits: `1101${'0'.repeat(60)}`,
    });
    expect(parse(SYSVAR_OWNER, clock, A)).toBeNull();
    expect(
      parse(
        SYSVAR_OWNER,
        bytes()
          .u64(2n ** 60n)
          .finish(),
        SYSVAR_SLOT_HASHES,
      ),
    ).toBeNull();
  });
});

const key = (byte: number) => toAddress(new Uint8Array(32).fill(byte));
const [A, B, C, D] = [key(1), key(2), key(3), key(4)];
const bytes = () => new ByteWriter(512);

const sixDecimals: MintDisplays = (mint) => (mint === A ? { decimals: 6, scale: null } : null);

function parse(owner: Address, data: Uint8Array, at: Address = D) {
  const account = { lamports: 1n, owner, data, executable: false, rentEpoch: 0n };
  return parseAccount(at, account, sixDecimals);
}

const TOKEN_ACCOUNT: TokenAccount = {
  mint: A,
  owner: B,
  amount: 1_500_000n,
  delegate: null,
  state: 'initialized',
  nativeReserve: null,
  delegatedAmount: 0n,
  closeAuthority: null,
  extensions: [],
};

const MINT = { mintAuthority: B, supply: 10n, decimals: 6, freezeAuthority: null, extensions: [] };

const shown = (amount: string, uiAmount: number) => ({
  amount,
  decimals: 6,
  uiAmount,
  uiAmountString: String(uiAmount),
});
