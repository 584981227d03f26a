import { compileMessage } from '../../../solana/messages/compile-message.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import { signTransaction } from '../../../solana/messages/transaction.ts';
import { MAX_BLOCKHASH_AGE } from '../../recent-blockhashes.ts';
import { parseIncoming } from '../ledger/incoming-transaction.ts';
import { type ProcessedTransaction, processTransaction } from '../runtime/process-transaction.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { epochOf } from '../blocks/sysvars.ts';

/**
 * Sends the instructions that are due in every epoch, like keepers on a cluster. They are sent in the first slot of an
 * epoch that can include a transaction, each in its own transaction, so that a failure does not affect the others.
 */
export class EpochKeeper {
  readonly #payer: Keypair;
  readonly #instructions: readonly Instruction[];
  /** The last epoch in which the instructions were sent. */
  #served: bigint;

  constructor(payer: Keypair, instructions: readonly Instruction[], epoch: bigint) {
    this.#payer = payer;
    this.#instructions = instructions;
    this.#served = epoch;
  }

  /** Called when accounts were restored, possibly from another epoch. The instructions are then sent in the next slot. */
  forget(): void {
    this.#served = -1n;
  }

  /** Called when a slot opens, with the index of its first transaction. */
  serve(ledger: Ledger, index: number): readonly ProcessedTransaction[] {
    const { open, tip } = ledger.blocks;
    const epoch = epochOf(open.slot);
    // After skipped slots, no blockhash is recent enough until the next slot.
    if (epoch === this.#served || open.height - tip.height > MAX_BLOCKHASH_AGE) return [];
    this.#served = epoch;
    const blockhash = tip.hash;
    return this.#instructions.map((instruction, at) => {
      const source = { feePayer: this.#payer.address, blockhash, instructions: [instruction] };
      const message = compileMessage({ ...source, version: 'legacy' });
      return processTransaction(ledger, parseIncoming(signTransaction(message, [this.#payer])), index + at);
    });
  }
}
