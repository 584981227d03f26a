import type { ByteReader } from '../../../../../solana/codec/byte-reader.ts';
import { readMaybeAddress } from '../../../../../solana/programs/token/extensions.ts';
import { formatPlainNumber } from '../plain-number.ts';
import {
  createAuthorityNames,
  nameAccounts,
  nameAccountsWithAuthority,
  readTaggedAddress,
  type ParsedInstruction,
  type PlainInstruction,
} from './instruction.ts';
import { ACCOUNT_STATES, readExtensionTypes } from './token-names.ts';
import { parseTransferFee } from './token-transfer-fee.ts';

type TokenExtensionParser = (instruction: PlainInstruction, reader: ByteReader) => ParsedInstruction;

const AUTHORITY = createAuthorityNames('authority');
const OWNER = createAuthorityNames('owner');

/** The instructions that Token-2022 adds, by kind. Confidential transfers and permissioned burns are not parsed. */
const PARSERS: ReadonlyMap<number, TokenExtensionParser> = new Map<number, TokenExtensionParser>([
  [
    25,
    (ix, reader) => ({
      type: 'initializeMintCloseAuthority',
      info: { ...nameAccounts(ix, 'mint'), newAuthority: readTaggedAddress(reader) },
    }),
  ],
  [26, parseTransferFee],
  [28, defaultAccountState],
  [29, reallocate],
  [30, toggle('RequiredMemoTransfers')],
  [
    31,
    (ix) => ({ type: 'createNativeMint', info: nameAccounts(ix, 'payer', 'nativeMint', 'systemProgram') }),
  ],
  [32, (ix) => ({ type: 'initializeNonTransferableMint', info: nameAccounts(ix, 'mint') })],
  [33, interestBearing],
  [34, toggle('CpiGuard')],
  [
    35,
    (ix, reader) => ({
      type: 'initializePermanentDelegate',
      info: { ...nameAccounts(ix, 'mint'), delegate: reader.address() },
    }),
  ],
  [36, pointer('TransferHook', 'programId')],
  [
    38,
    (ix) => ({
      type: 'withdrawExcessLamports',
      info: nameAccountsWithAuthority(ix, ['source', 'destination'], AUTHORITY),
    }),
  ],
  [39, pointer('MetadataPointer', 'metadataAddress')],
  [40, pointer('GroupPointer', 'groupAddress')],
  [41, pointer('GroupMemberPointer', 'memberAddress')],
  [43, scaledUiAmount],
  [44, pausable],
  [45, unwrapLamports],
]);

/** Returns null when no extension has this kind. */
export function parseTokenExtension(
  kind: number,
  instruction: PlainInstruction,
  reader: ByteReader,
): ParsedInstruction | null {
  return PARSERS.get(kind)?.(instruction, reader) ?? null;
}

/** Reads the second byte of an extension's instruction, which selects one of `steps`. */
function step<const T extends string>(reader: ByteReader, steps: readonly T[]): T {
  const number = reader.u8();
  return steps[number] ?? reader.fail(`unknown step ${number}`);
}

function toggle(what: string): TokenExtensionParser {
  return (ix, reader) => {
    const type = step(reader, ['enable', 'disable']);
    return { type: `${type}${what}`, info: nameAccountsWithAuthority(ix, ['account'], OWNER) };
  };
}

/** Parses a mint's pointer to an address. Members that are not set are left out. */
function pointer(what: string, field: string): TokenExtensionParser {
  return (ix, reader) => {
    if (step(reader, ['initialize', 'update']) === 'initialize') {
      const pointerAuthority = readMaybeAddress(reader) ?? undefined;
      const target = readMaybeAddress(reader) ?? undefined;
      reader.end();
      const info = { ...nameAccounts(ix, 'mint'), authority: pointerAuthority, [field]: target };
      return { type: `initialize${what}`, info };
    }
    const target = readMaybeAddress(reader) ?? undefined;
    reader.end();
    return {
      type: `update${what}`,
      info: { ...nameAccountsWithAuthority(ix, ['mint'], AUTHORITY), [field]: target },
    };
  };
}

function defaultAccountState(ix: PlainInstruction, reader: ByteReader): ParsedInstruction {
  const type = step(reader, ['initialize', 'update']);
  const state = reader.u8();
  const accountState = ACCOUNT_STATES[state] ?? reader.fail(`unknown account state ${state}`);
  const accounts =
    type === 'initialize'
      ? nameAccounts(ix, 'mint')
      : nameAccountsWithAuthority(ix, ['mint'], createAuthorityNames('freezeAuthority'));
  return { type: `${type}DefaultAccountState`, info: { ...accounts, accountState } };
}

function reallocate(ix: PlainInstruction, reader: ByteReader): ParsedInstruction {
  const accounts = nameAccountsWithAuthority(ix, ['account', 'payer', 'systemProgram'], OWNER);
  return { type: 'reallocate', info: { ...accounts, extensionTypes: readExtensionTypes(reader) } };
}

function interestBearing(ix: PlainInstruction, reader: ByteReader): ParsedInstruction {
  if (step(reader, ['initialize', 'update']) === 'initialize') {
    const info = { ...nameAccounts(ix, 'mint'), rateAuthority: readMaybeAddress(reader), rate: reader.i16() };
    reader.end();
    return { type: 'initializeInterestBearingConfig', info };
  }
  const newRate = reader.i16();
  reader.end();
  const accounts = nameAccountsWithAuthority(ix, ['mint'], createAuthorityNames('rateAuthority'));
  return { type: 'updateInterestBearingConfigRate', info: { ...accounts, newRate } };
}

function scaledUiAmount(ix: PlainInstruction, reader: ByteReader): ParsedInstruction {
  if (step(reader, ['initialize', 'update']) === 'initialize') {
    const scaleAuthority = readMaybeAddress(reader);
    const info = {
      ...nameAccounts(ix, 'mint'),
      authority: scaleAuthority,
      multiplier: formatPlainNumber(reader.f64()),
    };
    reader.end();
    return { type: 'initializeScaledUiAmountConfig', info };
  }
  const newMultiplier = formatPlainNumber(reader.f64());
  const newMultiplierTimestamp = reader.i64();
  reader.end();
  const accounts = nameAccountsWithAuthority(ix, ['mint'], AUTHORITY);
  return { type: 'updateMultiplier', info: { ...accounts, newMultiplier, newMultiplierTimestamp } };
}

function pausable(ix: PlainInstruction, reader: ByteReader): ParsedInstruction {
  const type = step(reader, ['initializePausableConfig', 'pause', 'resume']);
  if (type !== 'initializePausableConfig')
    return { type, info: nameAccountsWithAuthority(ix, ['mint'], AUTHORITY) };
  const info = { ...nameAccounts(ix, 'mint'), authority: readMaybeAddress(reader) };
  reader.end();
  return { type, info };
}

function unwrapLamports(ix: PlainInstruction, reader: ByteReader): ParsedInstruction {
  const amount = reader.bool() ? reader.u64().toString() : undefined;
  const accounts = nameAccountsWithAuthority(ix, ['source', 'destination'], AUTHORITY);
  return { type: 'unwrapLamports', info: { ...accounts, amount } };
}
