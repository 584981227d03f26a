import type { Address } from '../../address.ts';
import {
  type AccountMeta,
  AccountRole,
  type Instruction,
  isSigner,
  isWritable,
  readonly,
  readonlySigner,
  writable,
} from '../../messages/instruction.ts';
import { SMART_ACCOUNT_PROGRAM } from './program.ts';

/** The discriminator of `execute_transaction_sync_v2`. */
const EXECUTE_SYNC_V2 = Uint8Array.of(90, 81, 187, 81, 39, 70, 128, 78);
/** The payload that is a list of instructions. */
const TRANSACTION = 0;
/** The bytes before the payload: discriminator, vault, number of signers, kind of the payload and its length. */
const HEAD = 8 + 1 + 1 + 1 + 4;

/** Who moves a vault at once. */
export interface VaultExecution {
  readonly settings: Address;
  readonly vaultIndex: number;
  readonly vault: Address;
  readonly signers: readonly Address[];
}

/**
 * Creates the instruction that has the vault sign and carry out others. The signers of the vault sign for nothing in it: the
 * program takes that right from them.
 * @param instructions - At most 255, of which none has more than 255 accounts, and all name no more than 256 different ones.
 */
export function executeFromVault(
  { settings, vaultIndex, vault, signers }: VaultExecution,
  instructions: readonly Instruction[],
): Instruction {
  const roles = collectAccounts(vault, instructions);
  const indexes = new Map([...roles.keys()].map((address, index) => [address, index]));
  const indexOf = (address: Address) => indexes.get(address) ?? 0;
  const payload = [
    Uint8Array.of(instructions.length),
    ...instructions.flatMap(({ programAddress, accounts, data }) => [
      Uint8Array.of(
        indexOf(programAddress),
        accounts.length,
        ...accounts.map(({ address }) => indexOf(address)),
      ),
      Uint8Array.of(data.length & 0xff, data.length >> 8),
      data,
    ]),
  ];
  const length = payload.reduce((sum, part) => sum + part.length, 0);
  const head = Buffer.alloc(HEAD);
  head.set(EXECUTE_SYNC_V2);
  head.set([vaultIndex, signers.length, TRANSACTION], 8);
  head.writeUInt32LE(length, 11);
  return {
    programAddress: SMART_ACCOUNT_PROGRAM,
    accounts: [
      writable(settings),
      readonly(SMART_ACCOUNT_PROGRAM),
      ...signers.map(readonlySigner),
      ...roles.values(),
    ],
    data: Buffer.concat([head, ...payload]),
  };
}

/** Every account of the instructions once, their programs included, writable if one of them writes it. */
function collectAccounts(
  vault: Address,
  instructions: readonly Instruction[],
): ReadonlyMap<Address, AccountMeta> {
  const roles = new Map<Address, AccountMeta>();
  const add = ({ address, role, ...rest }: AccountMeta) => {
    // The vault signs within the program alone.
    const signs = isSigner(role) && address !== vault ? AccountRole.READONLY_SIGNER : AccountRole.READONLY;
    const writes = isWritable(role) ? AccountRole.WRITABLE : AccountRole.READONLY;
    const before = roles.get(address);
    roles.set(address, {
      ...before,
      ...rest,
      address,
      role: ((before?.role ?? AccountRole.READONLY) | signs | writes) as AccountRole,
    });
  };
  for (const { programAddress, accounts } of instructions) {
    for (const account of accounts) add(account);
    add(readonly(programAddress));
  }
  return roles;
}
