import { compileMessage } from '../../../solana/messages/compile-message.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import { signTransaction } from '../../../solana/messages/transaction.ts';
import { MAX_BLOCKHASH_AGE } from '../../recent-blockhashes.ts';
import { parseIncoming } from '../ledger/incoming.ts';
import { type ProcessedTransaction, processTransaction } from '../runtime/process-transaction.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { epochOf } from '../blocks/sysvars.ts';

/**
 * Sends what somebody has to send in every epoch, as keepers do on a cluster: in the first slot of an epoch that can
 * take a transaction, each instruction in one of its own, so that one that fails keeps back no other.
 */
export class EpochKeeper {
  readonly #payer: Keypair;
  readonly #instructions: readonly Instruction[];
  /** The epoch that was served last. */
  #served: bigint;

  constructor(payer: Keypair, instructions: readonly Instruction[], epoch: bigint) {
    this.#payer = payer;
    this.#instructions = instructions;
    this.#served = epoch;
  }

  /** The accounts may be those of another epoch now, so that the next slot is served whatever epoch it is in. */
  forget(): void {
    this.#served = -1n;
  }

  /** To be called when a slot opens, with the number of its first transaction. */
  serve(ledger: Ledger, index: number): readonly ProcessedTransaction[] {
    const { open, tip } = ledger.blocks;
    const epoch = epochOf(open.slot);
    // Where slots were skipped, no blockhash is young enough before the next.
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
