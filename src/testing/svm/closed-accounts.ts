import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import type { TestNetwork } from './network.ts';

/** What is at the address of a closed account to which lamports were sent in the same transaction. */
export interface Remains {
  readonly owner: Address;
  readonly bytes: number;
}

/**
 * Closes an account and sends lamports to its address, in one transaction. The runtime removes an account only at the end
 * of a transaction, so these lamports keep what the program left of it.
 *
 * @throws Error with the logs when the account cannot be closed
 */
export function closeAndReadRemains(network: TestNetwork, close: Instruction, address: Address): Remains {
  const { error, logs } = network.send([close, transferLamports(network.payer, address, 10_000_000n)]);
  if (error !== null) throw new Error(logs.join('\n'));
  const left = network.account(address);
  if (left === null) throw new Error('the lamports are gone');
  return { owner: left.owner, bytes: left.data.length };
}
