import { STATUSES_PER_CALL } from '../submit/transaction-lookup.ts';
import type { Sender } from './sender.ts';

/** When a sender's node first showed a transaction in a block. */
interface LandingSighting {
  readonly sender: string;
  readonly slot: bigint;
}

/**
 * Records which sender's node is the first to show a transaction in a block. Nothing else depends on these answers: a
 * node that is slow, silent or lying is not counted. To be counted early, a node would have to guess the slot of the
 * block.
 */
export class Sightings {
  readonly #senders: readonly Sender[];
  /** Sightings by signature, in the order in which they were seen. */
  readonly #seen = new Map<string, LandingSighting[]>();
  readonly #asking = new Set<string>();

  constructor(senders: readonly Sender[]) {
    this.#senders = senders;
  }

  /** Asks every sender that has answered the last question about the newest of these transactions. */
  look(signatures: readonly string[]): void {
    if (this.#senders.length < 2) return;
    for (const { name, chain } of this.#senders) {
      if (this.#asking.has(name)) continue;
      const asked = signatures
        .filter((signature) => !this.#hasSeen(signature, name))
        .slice(-STATUSES_PER_CALL);
      if (asked.length === 0) continue;
      this.#asking.add(name);
      chain
        .signatureStatuses(asked)
        .then((statuses) => {
          for (const [index, signature] of asked.entries()) {
            const slot = statuses[index]?.slot;
            if (slot !== undefined) this.#note(signature, { sender: name, slot });
          }
        })
        // A node that does not answer is not counted.
        .catch(() => undefined)
        .finally(() => this.#asking.delete(name));
    }
  }

  /**
   * Forgets a transaction.
   * @param slot - The slot of the block that it is in; null if it is in none.
   * @returns the name of the sender whose node was the first to show it in that block; null if none did
   */
  end(signature: string, slot: bigint | null): string | null {
    const seen = this.#seen.get(signature) ?? [];
    this.#seen.delete(signature);
    return seen.find((sighting) => sighting.slot === slot)?.sender ?? null;
  }

  /** Starts to record the sightings of a transaction. */
  begin(signature: string): void {
    this.#seen.set(signature, []);
  }

  #hasSeen(signature: string, name: string): boolean {
    return this.#seen.get(signature)?.some(({ sender }) => sender === name) ?? true;
  }

  /** A transaction that has ended in the meantime is ignored. */
  #note(signature: string, sighting: LandingSighting): void {
    this.#seen.get(signature)?.push(sighting);
  }
}
