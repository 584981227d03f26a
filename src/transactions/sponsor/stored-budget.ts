import type { Timers } from '../../common/ports/timers.ts';
import type { Address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';
import { type BudgetRefusal, findLimitRefusal, type SponsorBudget, type SponsorLimits } from './budget.ts';
import { giveBackSponsored, readSponsoredWithinHour, spendSponsored } from './spending.ts';

const UNKNOWN: BudgetRefusal = { kind: 'unknown' };
const UNCOUNTABLE: BudgetRefusal = { kind: 'uncountable' };
/** An order waits this long for the budget. Without an answer it continues without the sponsor. */
const MAX_ASK_MS = 100;

export interface StoredBudgetOptions {
  readonly store: Store;
  readonly timers: Timers;
  /** Called when the store does not answer; then nothing is sponsored. */
  readonly onDefect: (error: unknown) => void;
}

/**
 * Opens the budget whose spending is in the store: instances on one database keep the limits together, and a restart
 * forgets nothing.
 */
export function openStoredBudget(
  sponsor: Address,
  limits: SponsorLimits,
  { store, timers, onDefect }: StoredBudgetOptions,
): SponsorBudget {
  const orRefused = (asking: Promise<BudgetRefusal | null>) =>
    asking.catch((error: unknown) => {
      onDefect(error);
      return UNKNOWN;
    });
  return {
    refusal: (taker, lamports) => {
      const asked = readSponsoredWithinHour(store.db, { sponsor, taker }, store.now);
      // A database that can only be read answers, and refuses to count when the order is executed.
      const judged = Promise.all([asked, store.unhealthy()]).then(([spent, unhealthy]) =>
        unhealthy === null ? findLimitRefusal(spent, limits, taker, lamports) : UNCOUNTABLE,
      );
      const answer = orRefused(judged);
      return new Promise((resolve) => {
        const cancel = timers.after(MAX_ASK_MS, () => resolve(UNKNOWN));
        void answer.then((refusal) => {
          cancel();
          resolve(refusal);
        });
      });
    },
    spend: (taker, lamports) =>
      orRefused(
        spendSponsored(store, { sponsor, taker }, { lamports, clock: store.now }, (spent) =>
          findLimitRefusal(spent, limits, taker, lamports),
        ).then((result) => (result.ok ? null : result.error)),
      ),
    giveBack: (taker, lamports) => {
      giveBackSponsored(store, { sponsor, taker }, { lamports, clock: store.now }).catch(onDefect);
    },
  };
}
