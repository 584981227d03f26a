import type { Address } from '../../solana/address.ts';
import { type AccountMeta, readonly, writable } from '../../solana/messages/instruction.ts';
import { AGGREGATOR_PROGRAM, EVENT_AUTHORITY } from './program.ts';

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
