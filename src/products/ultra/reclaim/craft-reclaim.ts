import { createUnaccountedWork, type Work } from '../../../common/work/work.ts';
import type { Address } from '../../../solana/address.ts';
import { readAccounts } from '../../../transactions/build/build-transaction.ts';
import type { AccountStates } from '../../../transactions/build/costs.ts';
import {
  type CraftDependencies,
  type CraftedTransaction,
  craftSigned,
} from '../../../transactions/signed/craft-signed.ts';
import {
  type ReclaimClosing,
  findClosings,
  createAccountClosingInstructions,
  type ReclaimRequest,
  skip,
  type Skipped,
} from './closings.ts';
import type { WorthDependencies } from './worth.ts';

export type ReclaimDependencies = CraftDependencies & WorthDependencies;

export interface CraftedReclaim {
  readonly transactions: readonly CraftedTransaction[];
  readonly skipped: readonly Skipped[];
  /** What the closed accounts hold, all of which the owner gets. */
  readonly lamports: bigint;
  /** What the owner pays for the transactions. */
  readonly costLamports: bigint;
  /** Why there is no transaction, if the owner cannot pay for one; null otherwise. */
  readonly lacking: string | null;
}

/**
 * Bytes of a transaction that closings may take. The rest of the 1,232 is for the signature, the blockhash, the owner, three
 * programs and the compute budget.
 */
const MAX_BYTES = 960;
/** An account's address and the instruction that closes it. */
const CLOSE_BYTES = 40;
/** The mint's address and the instruction that burns. */
const BURN_BYTES = 48;
/** The mint's address and the instruction that harvests. */
const HARVEST_BYTES = 40;
/** A hostile token can make its own part fail. Finding it takes simulations, of which one request makes so many at most. */
const MAX_SIMULATIONS = 64;

/**
 * Makes the transactions that close accounts of a wallet. Their rent goes to the wallet, which signs and pays for them, and
 * there is no further fee. Each transaction has all of its effects or none.
 *
 * @throws ChainUnavailable when the network does not answer
 */
export async function craftReclaim(
  dependencies: ReclaimDependencies,
  request: ReclaimRequest,
  work: Work = createUnaccountedWork(),
): Promise<CraftedReclaim> {
  const { owner } = request;
  const { closings, skipped } = await findClosings(dependencies, request, work);
  const none = { spends: [], creations: [] };
  const states = await readAccounts(dependencies.chain, { feePayer: owner, ...none });
  const crafting = new ReclaimCrafting(dependencies, owner, states);
  for (const batch of splitIntoBatches(closings)) await crafting.add(batch);
  const { transactions, refused, lamports, costLamports, lacking } = crafting;
  return { transactions, skipped: [...skipped, ...refused], lamports, costLamports, lacking };
}

/** Puts as many closings into each transaction as fit. */
function splitIntoBatches(closings: readonly ReclaimClosing[]): readonly (readonly ReclaimClosing[])[] {
  const batches: ReclaimClosing[][] = [];
  let left = 0;
  for (const closing of closings) {
    const bytes =
      CLOSE_BYTES + (closing.burned > 0n ? BURN_BYTES : 0) + (closing.harvests ? HARVEST_BYTES : 0);
    if (bytes > left) {
      batches.push([]);
      left = MAX_BYTES;
    }
    left -= bytes;
    batches.at(-1)?.push(closing);
  }
  return batches;
}

class ReclaimCrafting {
  readonly #dependencies: CraftDependencies;
  readonly #owner: Address;
  readonly #states: AccountStates;
  readonly transactions: CraftedTransaction[] = [];
  readonly refused: Skipped[] = [];
  lamports = 0n;
  costLamports = 0n;
  lacking: string | null = null;
  #simulations = 0;

  constructor(dependencies: CraftDependencies, owner: Address, states: AccountStates) {
    this.#dependencies = dependencies;
    this.#owner = owner;
    this.#states = states;
  }

  /** Makes one transaction of the closings. If a program refuses it, each half is tried without the other. */
  async add(batch: readonly ReclaimClosing[]): Promise<void> {
    if (this.#simulations === MAX_SIMULATIONS) return this.#refuse(batch);
    this.#simulations++;
    const owner = this.#owner;
    const crafted = await craftSigned(
      this.#dependencies,
      'reclaim',
      {
        feePayer: owner,
        instructions: () => batch.flatMap((closing) => createAccountClosingInstructions(closing, owner)),
        creations: [],
        spends: [],
        competesFor: [owner],
      },
      this.#states,
    );
    if (crafted.kind === 'crafted') {
      this.transactions.push(crafted);
      this.costLamports += crafted.costLamports;
      for (const { lamports } of batch) this.lamports += lamports;
    } else if (crafted.kind === 'lacking') {
      this.lacking = crafted.error;
    } else if (batch.length === 1) {
      this.#refuse(batch);
    } else {
      const middle = Math.ceil(batch.length / 2);
      await this.add(batch.slice(0, middle));
      await this.add(batch.slice(middle));
    }
  }

  #refuse(batch: readonly ReclaimClosing[]): void {
    for (const { mint } of batch) this.refused.push(skip(mint, 'refused'));
  }
}
