import type { Address } from '../../solana/address.ts';
import { type AccountMeta, Role } from '../../solana/instruction.ts';
import { AGGREGATOR_PROGRAM, EVENT_AUTHORITY } from './program.ts';

export function readonly(address: Address): AccountMeta {
  return { address, role: Role.READONLY };
}

export function writable(address: Address): AccountMeta {
  return { address, role: Role.WRITABLE };
}

export function signer(address: Address): AccountMeta {
  return { address, role: Role.READONLY_SIGNER };
}

export function writableSigner(address: Address): AccountMeta {
  return { address, role: Role.WRITABLE_SIGNER };
}

/** An absent optional account is written as the program's own address, read-only, whatever role it would have. */
export function optionalWritable(address: Address | undefined): AccountMeta {
  return address === undefined ? readonly(AGGREGATOR_PROGRAM) : writable(address);
}

export function optionalReadonly(address: Address | undefined): AccountMeta {
  return readonly(address ?? AGGREGATOR_PROGRAM);
}

/** The last two fixed accounts of every route form: through them the program emits its events. */
export const EVENT_ACCOUNTS: readonly AccountMeta[] = [
  readonly(EVENT_AUTHORITY),
  readonly(AGGREGATOR_PROGRAM),
];
