import type { PlainInstruction } from '../../chain/embedded/rpc/parsed/instructions/instruction.ts';
import { parseInstruction } from '../../chain/embedded/rpc/parsed/instructions/index.ts';
import {
  LAMPORTS,
  type PresentedPart,
  type ProgramInstructions,
} from '../../protocol/instructions/program-instructions.ts';
import type { Address } from '../../solana/address.ts';
import * as addresses from '../../solana/program-addresses.ts';

/** A field of an instruction before the accounts are known. The unit is as in `DescribedArgument`. */
export interface ReadField {
  readonly name: string;
  readonly value: string | readonly PresentedPart[];
  readonly unit?: string;
}

/** A native instruction by the names of the public interface. */
export interface NativeInstruction {
  readonly name: string;
  readonly fields: readonly ReadField[];
  /** The roles of its first accounts, in their order. */
  readonly roles: readonly string[];
}

/** The names of the programs that every Solana network has, and those of sysvars. */
export const NATIVE_LABELS: ReadonlyMap<Address, string> = new Map([
  [addresses.SYSTEM_PROGRAM, 'System program'],
  [addresses.TOKEN_PROGRAM, 'Token program'],
  [addresses.TOKEN_2022_PROGRAM, 'Token-2022 program'],
  [addresses.ASSOCIATED_TOKEN_PROGRAM, 'Associated token program'],
  [addresses.COMPUTE_BUDGET_PROGRAM, 'Compute budget'],
  [addresses.MEMO_PROGRAM, 'Memo'],
  [addresses.MEMO_PROGRAM_V1, 'Memo'],
  [addresses.ADDRESS_LOOKUP_TABLE_PROGRAM, 'Lookup tables'],
  [addresses.CONFIG_PROGRAM, 'Config program'],
  [addresses.STAKE_PROGRAM, 'Stake program'],
  [addresses.VOTE_PROGRAM, 'Vote program'],
  [addresses.ED25519_PROGRAM, 'Ed25519 verification'],
  [addresses.SECP256K1_PROGRAM, 'Secp256k1 verification'],
  [addresses.SECP256R1_PROGRAM, 'Secp256r1 verification'],
  [addresses.BPF_LOADER_UPGRADEABLE, 'Upgradeable loader'],
  [addresses.SYSVAR_CLOCK, 'Clock sysvar'],
  [addresses.SYSVAR_EPOCH_SCHEDULE, 'Epoch schedule sysvar'],
  [addresses.SYSVAR_INSTRUCTIONS, 'Instructions sysvar'],
  [addresses.SYSVAR_RECENT_BLOCKHASHES, 'Recent blockhashes sysvar'],
  [addresses.SYSVAR_RENT, 'Rent sysvar'],
  [addresses.SYSVAR_SLOT_HASHES, 'Slot hashes sysvar'],
  [addresses.SYSVAR_STAKE_HISTORY, 'Stake history sysvar'],
]);

/** The native programs whose data begins with a number, and that the parsers of the embedded network do not know. */
export const NATIVE_INSTRUCTIONS: readonly ProgramInstructions[] = [
  {
    program: addresses.COMPUTE_BUDGET_PROGRAM,
    label: 'Compute budget',
    instructions: [
      { name: 'requestHeapFrame', tag: '01', args: [['bytes', 'u32']] },
      { name: 'setComputeUnitLimit', tag: '02', args: [['units', 'u32']] },
      { name: 'setComputeUnitPrice', tag: '03', args: [['micro_lamports', 'u64']] },
      { name: 'setLoadedAccountsDataSizeLimit', tag: '04', args: [['bytes', 'u32']] },
    ],
  },
  {
    program: addresses.STAKE_PROGRAM,
    label: 'Stake program',
    instructions: [
      { name: 'initialize', tag: '00000000', accounts: 'stake rent' },
      {
        name: 'authorize',
        tag: '01000000',
        args: [['new_authority', 'pubkey']],
        accounts: 'stake clock authority',
      },
      {
        name: 'delegateStake',
        tag: '02000000',
        accounts: 'stake vote clock stake_history stake_config authority',
      },
      {
        name: 'split',
        tag: '03000000',
        args: [['lamports', 'u64', LAMPORTS]],
        accounts: 'stake split_stake authority',
      },
      {
        name: 'withdraw',
        tag: '04000000',
        args: [['lamports', 'u64', LAMPORTS]],
        accounts: 'stake destination clock stake_history authority',
      },
      { name: 'deactivate', tag: '05000000', accounts: 'stake clock authority' },
      {
        name: 'merge',
        tag: '07000000',
        accounts: 'destination_stake source_stake clock stake_history authority',
      },
    ],
  },
];

/**
 * Reads an instruction of the System program, the token programs, the associated token program, memos, lookup tables and the
 * loader, by the parsers of `jsonParsed`. Returns null for any other, and where the data is invalid.
 */
export function readNativeInstruction(instruction: PlainInstruction): NativeInstruction | null {
  const found = parseInstruction(instruction);
  if (found === null) return null;
  const { parsed } = found;
  if (typeof parsed === 'string') {
    return {
      name: 'memo',
      fields: [{ name: 'text', value: parsed }],
      roles: instruction.accounts.map(() => 'signer'),
    };
  }
  const roles: string[] = [];
  const fields: ReadField[] = [];
  for (const [name, value] of Object.entries(parsed.info)) {
    // The parsers name accounts in the order in which they stand.
    if (typeof value === 'string' && value === instruction.accounts[roles.length]) roles.push(name);
    else if (name === 'signers') roles.push(...instruction.accounts.slice(roles.length).map(() => 'signer'));
    else if (value !== undefined) fields.push(toField(name, value, parsed.info));
  }
  return { name: parsed.type, fields, roles };
}

function toField(name: string, value: unknown, info: Readonly<Record<string, unknown>>) {
  if (name === 'lamports') return { name, value: String(value), unit: LAMPORTS };
  if (name === 'tokenAmount') return { name: 'amount', value: readAtoms(value), unit: 'mint' };
  if (name === 'amount') return { name, value: String(value), unit: findTokenRole(info) };
  return { name, value: formatPlain(value) };
}

function readAtoms(value: unknown): string {
  return typeof value === 'object' && value !== null && 'amount' in value ? String(value.amount) : '';
}

/** The instructions that name an amount without the mint name a token account of it. */
function findTokenRole(info: Readonly<Record<string, unknown>>): string {
  return ['mint', 'source', 'account'].find((role) => role in info) ?? 'account';
}

function formatPlain(value: unknown): string {
  return typeof value === 'object' && value !== null
    ? JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? each.toString() : each))
    : String(value);
}
