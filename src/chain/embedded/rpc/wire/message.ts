import type { Address } from '../../../../solana/address.ts';
import { encodeBase58 } from '../../../../solana/encoding/base58.ts';
import {
  type CompiledInstruction,
  isSignerIndex,
  isWritableIndex,
  type LoadedAddresses,
  type Message,
  listMessageAccounts,
} from '../../../../solana/messages/message.ts';
import { BPF_LOADER_UPGRADEABLE } from '../../../../solana/program-addresses.ts';
import { parseInstruction } from '../parsed/instructions/index.ts';
import { RESERVED_ACCOUNTS } from './reserved.ts';

/** The stack height of a top-level instruction. */
const TOP_LEVEL = 1;

/** Returns the `message` of a transaction in `json` encoding. */
export function encodeMessage(message: Message) {
  const { signers, readonlySigners, readonlyNonSigners, version } = message;
  return {
    header: {
      numRequiredSignatures: signers,
      numReadonlySignedAccounts: readonlySigners,
      numReadonlyUnsignedAccounts: readonlyNonSigners,
    },
    accountKeys: message.staticAccounts,
    recentBlockhash: message.blockhash,
    instructions: message.instructions.map((instruction) => encodeInstruction(instruction, TOP_LEVEL)),
    addressTableLookups: version === 'legacy' ? undefined : encodeLookups(message),
  };
}

/** Returns the `message` of a transaction in `jsonParsed` encoding. */
export function encodeParsedMessage(message: Message, loaded: LoadedAddresses) {
  const accounts = listMessageAccounts(message, loaded);
  return {
    accountKeys: encodeAccountKeys(message, accounts),
    recentBlockhash: message.blockhash,
    instructions: message.instructions.map((instruction) =>
      encodeParsedInstruction(instruction, accounts, TOP_LEVEL),
    ),
    addressTableLookups: message.version === 'legacy' ? undefined : encodeLookups(message),
  };
}

export function encodeInstruction(instruction: CompiledInstruction, stackHeight: number) {
  return {
    programIdIndex: instruction.programIndex,
    accounts: Array.from(instruction.accounts),
    data: encodeBase58(instruction.data),
    stackHeight,
  };
}

/** Encodes a parsed instruction, or its accounts and data when it cannot be parsed. Indexes must be valid. */
export function encodeParsedInstruction(
  instruction: CompiledInstruction,
  accounts: readonly Address[],
  stackHeight: number,
) {
  const programId = accountAt(accounts, instruction.programIndex);
  const named = Array.from(instruction.accounts, (index) => accountAt(accounts, index));
  const found = parseInstruction({ program: programId, accounts: named, data: instruction.data });
  return found === null
    ? { programId, accounts: named, data: encodeBase58(instruction.data), stackHeight }
    : { program: found.program, programId, parsed: found.parsed, stackHeight };
}

function accountAt(accounts: readonly Address[], index: number): Address {
  const address = accounts[index];
  if (address === undefined)
    throw new RangeError(`account ${index} of a transaction with ${accounts.length}`);
  return address;
}

function encodeLookups({ lookups }: Message) {
  return lookups.map(({ table, writable, readonly }) => ({
    accountKey: table,
    writableIndexes: Array.from(writable),
    readonlyIndexes: Array.from(readonly),
  }));
}

/** Encodes the account keys. By the runtime's rule, reserved accounts and invoked final programs are not writable. */
export function encodeAccountKeys(message: Message, accounts: readonly Address[]) {
  const called = new Set(message.instructions.map(({ programIndex }) => programIndex));
  const upgrades = accounts.includes(BPF_LOADER_UPGRADEABLE);
  return accounts.map((pubkey, index) => ({
    pubkey,
    writable:
      isWritableIndex(message, index) && !RESERVED_ACCOUNTS.has(pubkey) && (upgrades || !called.has(index)),
    signer: isSignerIndex(message, index),
    source: index < message.staticAccounts.length ? 'transaction' : 'lookupTable',
  }));
}
