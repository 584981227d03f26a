import type { Leases } from '../../common/ports/leases.ts';

/**
 * Decides which of several keepers works on what is open in a program, so that they do not all pay for the same transaction. The
 * chain alone decides whose transaction succeeds: two keepers that both think they lead cost no more than the fee of the one that
 * comes second.
 */
export class KeeperLead {
  readonly #leases: Leases | null;
  readonly #lease: string;
  #isHeld: boolean;

  /**
   * @param leases - Null for a keeper that is alone.
   * @param lease - The name of the lease that the one keeper of a kind has.
   */
  constructor(leases: Leases | null, lease: string) {
    this.#leases = leases;
    this.#lease = lease;
    this.#isHeld = leases === null;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /**
   * Takes the lead if no other keeper has it, or keeps it.
   *
   * @throws Unavailable when the server of leases does not answer; then nobody leads
   */
  async renew(): Promise<void> {
    if (this.#leases === null) return;
    try {
      this.#isHeld = (await this.#leases.claim(this.#lease)) === null;
    } catch (error) {
      this.#isHeld = false;
      throw error;
    }
  }

  async release(): Promise<void> {
    if (this.#leases === null || !this.#isHeld) return;
    this.#isHeld = false;
    await this.#leases.release(this.#lease);
  }
}
