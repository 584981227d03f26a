import { parseNonce } from '../../../chain/embedded/rpc/parsed/accounts/nonce.ts';
import type { ParsedData } from '../../../chain/embedded/rpc/parsed/accounts/parsed-data.ts';
import { parseSysvar } from '../../../chain/embedded/rpc/parsed/accounts/sysvar.ts';
import { parseUpgradeableLoader } from '../../../chain/embedded/rpc/parsed/accounts/upgradeable-loader.ts';
import type { AccountType, ProgramAccounts } from '../../../protocol/accounts/program-accounts.ts';
import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import { decodeLookupTable } from '../../../solana/messages/lookup-table.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  BPF_LOADER,
  BPF_LOADER_DEPRECATED,
  BPF_LOADER_UPGRADEABLE,
  CONFIG_PROGRAM,
  FEATURE_PROGRAM,
  NATIVE_LOADER,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../solana/program-addresses.ts';
import { IDL_ACCOUNT_TAG } from '../../../solana/programs/idl/idl-account.ts';
import { decodeStakeAccount } from '../../../solana/programs/stake.ts';
import { PROGRAM_DATA_HEADER } from '../../../solana/programs/upgradeable-loader.ts';
import { TOKEN_ACCOUNTS } from './token-accounts.ts';

/** The longest list of slots or blockhashes that a sysvar has takes 20 kB. The bits of the slot history are not shown. */
const MAX_SYSVAR_BYTES = 32_768;

/** Where the program of an Anchor account keeps the description of its interface. Any program may have one. */
export const IDL_ACCOUNT: AccountType = {
  name: 'Interface description',
  summary: 'The description of the program’s interface, as clients of Anchor read it.',
  read: (data) => {
    const reader = new ByteReader(data, 'interface description');
    reader.expect(IDL_ACCOUNT_TAG, 'discriminator');
    return { authority: reader.address(), compressedBytes: reader.u32() };
  },
};

/** The accounts of the programs that every Solana network has. */
export const NATIVE_ACCOUNTS: readonly ProgramAccounts[] = [
  { program: TOKEN_PROGRAM, types: TOKEN_ACCOUNTS },
  { program: TOKEN_2022_PROGRAM, types: TOKEN_ACCOUNTS },
  {
    program: SYSTEM_PROGRAM,
    types: [
      {
        name: 'Nonce account',
        summary:
          'It keeps a blockhash that does not expire, for transactions that are signed long before they are sent.',
        read: (data) => toInfo(parseNonce(data)),
        fields: { blockhash: 'text' },
      },
    ],
  },
  {
    program: ADDRESS_LOOKUP_TABLE_PROGRAM,
    types: [
      {
        name: 'Lookup table',
        summary: 'A list of addresses that transactions name by their places, which takes less room.',
        read: decodeLookupTable,
      },
    ],
  },
  {
    program: STAKE_PROGRAM,
    types: [
      {
        name: 'Stake account',
        summary: 'SOL that is, or can be, delegated to a validator.',
        read: decodeStakeAccount,
        fields: { rentExemptReserve: 'lamports', stake: 'lamports', unixTimestamp: 'time' },
      },
    ],
  },
  {
    program: BPF_LOADER_UPGRADEABLE,
    types: [
      createLoaderType(
        'program',
        'Program',
        'A program. Its code is in another account. Its authority can replace it; without one, nobody can.',
      ),
      createLoaderType(
        'programData',
        'Program code',
        'The code of a program. Its authority can replace it; without one, nobody can.',
      ),
      createLoaderType('buffer', 'Program buffer', 'Code that is written here before it is deployed.'),
    ],
  },
  ...[BPF_LOADER, BPF_LOADER_DEPRECATED, NATIVE_LOADER].map((program) => ({
    program,
    label: 'Loader',
    types: [{ name: 'Program', summary: 'A program. Nobody can replace its code.', read: () => ({}) }],
  })),
  {
    program: FEATURE_PROGRAM,
    label: 'Feature gates',
    types: [
      {
        name: 'Feature gate',
        summary: 'A change of the network’s rules, and the slot since which it is active.',
        read: (data) => {
          const from = new ByteReader(data, 'feature gate');
          return { activatedAtSlot: from.bool() ? from.u64() : null };
        },
      },
    ],
  },
  {
    program: CONFIG_PROGRAM,
    types: [
      {
        name: 'Configuration',
        summary: 'Values that keys of the network have written. Programs no longer read them.',
        read: () => ({}),
      },
    ],
  },
  {
    program: SYSVAR_OWNER,
    label: 'Sysvars',
    types: [
      {
        name: 'Sysvar',
        summary: 'A state of the network that programs can read.',
        read: (data, address) => {
          if (data.length > MAX_SYSVAR_BYTES) return {};
          const { type, info } = parseSysvar(data, { address, mint: null });
          return Array.isArray(info) ? { [type]: info } : toInfo({ type, info });
        },
        fields: { unixTimestamp: 'time', epochStartTimestamp: 'time', hash: 'text', blockhash: 'text' },
      },
      { name: 'Sysvar', summary: 'A state of the network that programs no longer read.', read: () => ({}) },
    ],
  },
];

function createLoaderType(type: string, name: string, summary: string): AccountType {
  return {
    name,
    summary,
    read: (data) => {
      // The code follows the header, and nobody reads it here.
      const parsed = parseUpgradeableLoader(data.subarray(0, PROGRAM_DATA_HEADER));
      return parsed.type === type ? toInfo(parsed) : null;
    },
    fields: { data: 'hidden' },
  };
}

function toInfo({ info }: ParsedData): object | null {
  return typeof info === 'object' ? info : null;
}
