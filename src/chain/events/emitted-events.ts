import type { LandedCall, LandedTransaction } from '../landed-transactions.ts';
import type { Address } from '../../solana/address.ts';

/** A program and the address that signs its calls to itself, by which it emits events. */
export interface EmittingProgram {
  readonly program: Address;
  readonly eventAuthority: Address;
}

/** A call by which a program emitted an event. */
export interface EmittedEvent {
  readonly data: Uint8Array;
  /** The instruction or the call of the program that emitted it. */
  readonly by: LandedCall;
}

/**
 * Lists the events that a program emitted in a transaction, in their order. The program refuses calls to itself that its event
 * authority has not signed, so nobody else can emit them. A failed transaction has none.
 */
export function listEmittedEvents(
  { error, instructions, calls }: Pick<LandedTransaction, 'error' | 'instructions' | 'calls'>,
  { program, eventAuthority }: EmittingProgram,
): readonly EmittedEvent[] {
  if (error !== null) return [];
  const events: EmittedEvent[] = [];
  for (const [index, instruction] of instructions.entries()) {
    let by = instruction;
    for (const { call } of calls.filter((each) => each.instruction === index)) {
      if (call.program !== program) continue;
      if (call.accounts[0] === eventAuthority) events.push({ data: call.data, by });
      else by = call;
    }
  }
  return events;
}
