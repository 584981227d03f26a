import type { Leases } from '../../common/ports/leases.ts';

/** The lease of the one keeper that works on the orders of programs. */
const LEASE = 'program-order-keeper';

/**
 * Decides which of several keepers works on orders of programs, so that they do not all pay for the same fill. The chain alone
 * decides who fills an order: two keepers that both think they lead cost no more than the fee of the one that comes second.
 */
export class KeeperLead {
  readonly #leases: Leases | null;
  #isHeld: boolean;

  /** @param leases - Null for a keeper that is alone. */
  constructor(leases: Leases | null) {
    this.#leases = leases;
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
      this.#isHeld = (await this.#leases.claim(LEASE)) === null;
    } catch (error) {
      this.#isHeld = false;
      throw error;
    }
  }

  async release(): Promise<void> {
    if (this.#leases === null || !this.#isHeld) return;
    this.#isHeld = false;
    await this.#leases.release(LEASE);
  }
}
