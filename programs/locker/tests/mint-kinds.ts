import { readObject } from '../../../scripts/programs/elf.ts';
import { link } from '../../../scripts/programs/link.ts';
import type { Address } from '../../../src/solana/address.ts';
import { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import {
  type Extension,
  ExtensionType,
  writeMaybeAddress,
} from '../../../src/solana/programs/token/extensions.ts';
import { encodeTransferFeeConfigExtension } from '../../../src/solana/programs/token/transfer-fee.ts';
import { encodeObject, EXIT, setRegister } from '../../../src/testing/svm/bpf-object.ts';
import { FEE } from './world.ts';

/** A kind of mints of Token-2022, and whether escrows take it. */
export interface MintKind {
  readonly name: string;
  readonly extensions: readonly Extension[];
  readonly isSupported: boolean;
}

const ISSUER = 'SysvarRent111111111111111111111111111111111' as Address;

export function transferHook(program: Address | null): Extension {
  const data = writeMaybeAddress(new ByteWriter(64).zeros(32), program).finish();
  return { type: ExtensionType.TRANSFER_HOOK, data };
}

/** Every extension that a mint may have, of which none is at work. */
export const MINT_KINDS: readonly MintKind[] = [
  supported('no extension', []),
  supported('a transfer fee', [transferFee()]),
  supported('a close authority', [addressed(ExtensionType.MINT_CLOSE_AUTHORITY)]),
  supported('confidential transfers', [zeros(ExtensionType.CONFIDENTIAL_TRANSFER_MINT, 65)]),
  supported('a confidential transfer fee', [
    transferFee(),
    zeros(ExtensionType.CONFIDENTIAL_TRANSFER_MINT, 65),
    zeros(ExtensionType.CONFIDENTIAL_TRANSFER_FEE_CONFIG, 129),
  ]),
  supported('a default state', [
    { type: ExtensionType.DEFAULT_ACCOUNT_STATE, data: new ByteWriter(1).u8(1).finish() },
  ]),
  supported('a permanent delegate', [addressed(ExtensionType.PERMANENT_DELEGATE)]),
  supported('a transfer hook without a program', [transferHook(null)]),
  supported('metadata', [zeros(ExtensionType.METADATA_POINTER, 64), zeros(ExtensionType.TOKEN_METADATA, 80)]),
  supported('a group', [zeros(ExtensionType.GROUP_POINTER, 64)]),
  supported('a member of a group', [zeros(ExtensionType.GROUP_MEMBER_POINTER, 64)]),
  refused('tokens that cannot be transferred', [zeros(ExtensionType.NON_TRANSFERABLE, 0)]),
  refused('interest', [zeros(ExtensionType.INTEREST_BEARING_CONFIG, 52)]),
  refused('the data of a group', [zeros(ExtensionType.TOKEN_GROUP, 80)]),
  refused('the data of a member', [zeros(ExtensionType.TOKEN_GROUP_MEMBER, 72)]),
  refused('a scaled amount', [zeros(ExtensionType.SCALED_UI_AMOUNT, 56)]),
  refused('a pause', [zeros(ExtensionType.PAUSABLE, 33)]),
  refused('metadata and a pause', [
    zeros(ExtensionType.METADATA_POINTER, 64),
    zeros(ExtensionType.PAUSABLE, 33),
  ]),
];

/** Makes a program that succeeds with everything, which a mint may have as its transfer hook. */
export function makeHookProgram(): Uint8Array {
  const LOADED_AND_EXECUTABLE = 6;
  const FUNCTION = 2;
  const bytes = Buffer.concat([setRegister(0, 0), EXIT]);
  return link(
    readObject(
      encodeObject({
        sections: [{ name: '.text', flags: LOADED_AND_EXECUTABLE, bytes }],
        symbols: [{ name: 'entrypoint', section: 0, kind: FUNCTION }],
      }),
    ),
  );
}

function supported(name: string, extensions: readonly Extension[]): MintKind {
  return { name, extensions, isSupported: true };
}

function refused(name: string, extensions: readonly Extension[]): MintKind {
  return { name, extensions, isSupported: false };
}

function transferFee(): Extension {
  const config = { configAuthority: null, withdrawWithheldAuthority: null, withheldAmount: 0n };
  return encodeTransferFeeConfigExtension({ ...config, older: FEE, newer: FEE });
}

function addressed(type: number): Extension {
  return { type, data: writeMaybeAddress(new ByteWriter(32), ISSUER).finish() };
}

function zeros(type: number, length: number): Extension {
  return { type, data: new Uint8Array(length) };
}
