import { readFileSync } from 'node:fs';
import type { SponsorConfig } from '../config/settings/groups/sponsor-settings.ts';
import { OperatorError } from '../common/operator-error.ts';
import type { Address } from '../solana/address.ts';
import { type Keypair, parseKeypairFile } from '../solana/keypair.ts';
import { giveBackSponsored, sponsoredWithinHour, spendSponsored } from '../transactions/sponsor/spending.ts';
import {
  type BudgetRefusal,
  type SponsorBudget,
  type SponsorLimits,
  refusalAfter,
} from '../transactions/sponsor/budget.ts';
import type { Store } from '../store/index.ts';
import type { Sponsor } from '../transactions/sponsor/sponsor.ts';
import type { Timers } from '../common/ports/timers.ts';

const UNKNOWN: BudgetRefusal = { kind: 'unknown' };
const UNCOUNTABLE: BudgetRefusal = { kind: 'uncountable' };
/** An order waits this long for the budget. Without an answer it continues without the sponsor. */
const MAX_ASK_MS = 100;

export interface OpenSponsorOptions {
  /** The embedded network's own sponsor; null when there is none. */
  readonly own: Keypair | null;
  readonly store: Store;
  readonly timers: Timers;
  /** Called when the store does not answer; then nothing is sponsored. */
  readonly onDefect: (error: unknown) => void;
}

/** @throws OperatorError when the file that is named cannot be read, or holds no keypair */
export function openSponsor(config: SponsorConfig, options: OpenSponsorOptions): Sponsor | null {
  const keypair = config.keypair === 'own' ? options.own : readKeypair(config.keypair);
  if (keypair === null) return null;
  return {
    keypair,
    budget: budgetOf(keypair.address, config.limits, options),
    leastDollars: config.leastDollars,
    feeMints: new Set(config.feeMints),
  };
}

/** What was spent is in the store: instances on one database keep the limits together, and a restart forgets nothing. */
function budgetOf(
  sponsor: Address,
  limits: SponsorLimits,
  { store, timers, onDefect }: Omit<OpenSponsorOptions, 'own'>,
): SponsorBudget {
  const orRefused = (asking: Promise<BudgetRefusal | null>) =>
    asking.catch((error: unknown) => {
      onDefect(error);
      return UNKNOWN;
    });
  return {
    refusal: (taker, lamports) => {
      const asked = sponsoredWithinHour(store.db, { sponsor, taker }, store.now);
      // A database that can only be read answers, and refuses to count when the order is executed.
      const judged = Promise.all([asked, store.unhealthy()]).then(([spent, unhealthy]) =>
        unhealthy === null ? refusalAfter(spent, limits, taker, lamports) : UNCOUNTABLE,
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
          refusalAfter(spent, limits, taker, lamports),
        ).then((result) => (result.ok ? null : result.error)),
      ),
    giveBack: (taker, lamports) => {
      giveBackSponsored(store, { sponsor, taker }, { lamports, clock: store.now }).catch(onDefect);
    },
  };
}

function readKeypair(named: { readonly file: string } | null): Keypair | null {
  if (named === null) return null;
  const { file } = named;
  try {
    return parseKeypairFile(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`sponsor-keypair: ${file} cannot be used: ${reason}`);
  }
}
