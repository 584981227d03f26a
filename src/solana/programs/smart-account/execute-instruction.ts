import type { Address } from '../../address.ts';
import { ByteWriter } from '../../codec/byte-writer.ts';
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
  const payload = new ByteWriter(1_024).u8(instructions.length);
  for (const { programAddress, accounts, data } of instructions) {
    payload.u8(indexOf(programAddress)).u8(accounts.length);
    for (const { address } of accounts) payload.u8(indexOf(address));
    payload.u16(data.length).bytes(data);
  }
  const to = new ByteWriter(1_024).bytes(EXECUTE_SYNC_V2).u8(vaultIndex).u8(signers.length);
  to.u8(TRANSACTION).u32(payload.length).bytes(payload.finish());
  return {
    programAddress: SMART_ACCOUNT_PROGRAM,
    accounts: [
      writable(settings),
      readonly(SMART_ACCOUNT_PROGRAM),
      ...signers.map(readonlySigner),
      ...roles.values(),
    ],
    data: to.finish(),
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
