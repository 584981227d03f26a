import { describe, expect, it } from 'vitest';
import { numbered } from '../../testing/test-tokens.ts';
import { toAddressBytes } from '../../solana/address.ts';
import { type Extension, ExtensionType } from '../../solana/programs/token/extensions.ts';
import { encodeTransferFeeConfigExtension } from '../../solana/programs/token/transfer-fee.ts';
import { findMintObjection } from './mint-objection.ts';

const NOBODY = new Uint8Array(32);
const SOMEBODY = toAddressBytes(numbered(1));

describe('findMintObjection', () => {
  it.each<[string, Extension, string | null, string | null]>([
    ['a transfer fee', feeOf(1, false), 'has a transfer fee', 'has a transfer fee'],
    ['a transfer fee that can be raised', feeOf(0, true), 'has a transfer fee', 'has a transfer fee'],
    ['no transfer fee for good', feeOf(0, false), null, null],
    ['a hook', hookOf(NOBODY, SOMEBODY), 'has a transfer hook', 'has a transfer hook'],
    ['a hook that can be set', hookOf(SOMEBODY, NOBODY), 'has a transfer hook', 'has a transfer hook'],
    ['no hook for good', hookOf(NOBODY, NOBODY), null, null],
    ['a permanent delegate', { type: 12, data: SOMEBODY }, 'has a permanent delegate', null],
    ['no permanent delegate', { type: 12, data: NOBODY }, null, null],
    [
      'transfers that can be paused',
      { type: ExtensionType.PAUSABLE, data: new Uint8Array(33) },
      'has transfers that its issuer can pause',
      null,
    ],
    [
      'frozen accounts',
      { type: ExtensionType.DEFAULT_ACCOUNT_STATE, data: Uint8Array.of(2) },
      'has accounts that are frozen from the beginning',
      'has accounts that are frozen from the beginning',
    ],
    ['open accounts', { type: ExtensionType.DEFAULT_ACCOUNT_STATE, data: Uint8Array.of(1) }, null, null],
    [
      'tokens that stay',
      { type: ExtensionType.NON_TRANSFERABLE, data: new Uint8Array(0) },
      'cannot be transferred',
      'cannot be transferred',
    ],
    ['metadata', { type: ExtensionType.TOKEN_METADATA, data: new Uint8Array(80) }, null, null],
    [
      'an extension of the future',
      { type: 900, data: new Uint8Array(0) },
      'has the extension 900, which orders do not support',
      'has the extension 900, which orders do not support',
    ],
  ])('of a mint with %s', (_, extension, whereHeld, wherePaid) => {
    expect(findMintObjection({ extensions: [extension] }, 'held')).toBe(whereHeld);
    expect(findMintObjection({ extensions: [extension] }, 'paid')).toBe(wherePaid);
  });

  it('is null for a mint without extensions, which may have a freeze authority', () => {
    expect(findMintObjection({ extensions: [] }, 'held')).toBeNull();
  });
});

function feeOf(basisPoints: number, canChange: boolean): Extension {
  const fee = { epoch: 0n, maximumFee: 1n, basisPoints };
  const none = { ...fee, basisPoints: 0 };
  return encodeTransferFeeConfigExtension({
    configAuthority: canChange ? numbered(1) : null,
    withdrawWithheldAuthority: null,
    withheldAmount: 0n,
    older: none,
    newer: fee,
  });
}

function hookOf(authority: Uint8Array, program: Uint8Array): Extension {
  return { type: ExtensionType.TRANSFER_HOOK, data: Uint8Array.of(...authority, ...program) };
}
