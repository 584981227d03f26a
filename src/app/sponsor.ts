import { readFileSync } from 'node:fs';
import type { SponsorConfig } from '../config/settings/groups/sponsor-settings.ts';
import { OperatorError } from '../common/operator-error.ts';
import { type Keypair, parseKeypairFile } from '../solana/keypair.ts';
import { openStoredBudget, type StoredBudgetOptions } from '../transactions/sponsor/stored-budget.ts';
import type { Sponsor } from '../transactions/sponsor/sponsor.ts';

export interface OpenSponsorOptions extends StoredBudgetOptions {
  /** The embedded network's own sponsor; null when there is none. */
  readonly own: Keypair | null;
}

/** @throws OperatorError when the file that is named cannot be read, or holds no keypair */
export function openSponsor(config: SponsorConfig, options: OpenSponsorOptions): Sponsor | null {
  const keypair =
    config.keypair === 'own' ? options.own : readNamedKeypair('sponsor-keypair', config.keypair);
  if (keypair === null) return null;
  return {
    keypair,
    budget: openStoredBudget(keypair.address, config.limits, options),
    leastDollars: config.leastDollars,
    feeMints: new Set(config.feeMints),
  };
}

/**
 * Reads the keypair file that a setting names.
 * @throws OperatorError when the file cannot be read, or holds no keypair
 */
export function readNamedKeypair(setting: string, named: { readonly file: string } | null): Keypair | null {
  if (named === null) return null;
  const { file } = named;
  try {
    return parseKeypairFile(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${setting}: ${file} cannot be used: ${reason}`);
  }
}
