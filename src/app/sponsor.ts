import { readFileSync } from 'node:fs';
import type { SponsorConfig } from '../config/settings/sponsor-settings.ts';
import { OperatorError } from '../common/operator-error.ts';
import type { Address } from '../solana/address.ts';
import { type Keypair, parseKeypairFile } from '../solana/keypair.ts';
import { giveBackSponsored, sponsoredWithinHour, spendSponsored } from '../platform/plans/sponsored.ts';
import { type SponsorBudget, type SponsorLimits, refusalAfter } from '../transactions/sponsor/budget.ts';
import type { Store } from '../store/index.ts';
import type { Sponsor } from '../transactions/sponsor/sponsor.ts';
import type { Timers } from '../common/ports/timers.ts';

const UNKNOWN = 'what was spent before cannot be looked up at the moment';
const UNCOUNTABLE = 'what is spent cannot be counted at the moment';
/** An order waits for it, and has another answer without it. */
const MAX_ASK_MS = 100;

export interface OpenSponsorOptions {
  /** Of the network, if it has one. */
  readonly own: Keypair | null;
  readonly store: Store;
  readonly timers: Timers;
  /** Told when the store cannot be asked; then nothing is sponsored. */
  readonly onDefect: (error: unknown) => void;
}

/** @throws OperatorError when the file that is named cannot be read, or holds no keypair */
export function openSponsor(config: SponsorConfig, { own, ...parts }: OpenSponsorOptions): Sponsor | null {
  const keypair = config.keypair === 'own' ? own : readKeypair(config.keypair);
  if (keypair === null) return null;
  return {
    keypair,
    budget: budgetOf(keypair.address, config.limits, parts),
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
  const orRefused = (asking: Promise<string | null>) =>
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
        ),
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
