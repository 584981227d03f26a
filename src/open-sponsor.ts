import { readFileSync } from 'node:fs';
import type { SponsorConfig } from './config/sponsor-settings.ts';
import { OperatorError } from './operator-error.ts';
import { type Keypair, parseKeypairFile } from './solana/keypair.ts';
import { SponsorBudget } from './swap/sponsor/budget.ts';
import type { Sponsor } from './swap/sponsor/sponsor.ts';

/**
 * @param own of the network, if it has one
 * @throws OperatorError when the file that is named cannot be read, or holds no keypair
 */
export function openSponsor(config: SponsorConfig, own: Keypair | null): Sponsor | null {
  const keypair =
    config.keypair === null ? null : config.keypair === 'own' ? own : readKeypair(config.keypair.file);
  if (keypair === null) return null;
  return { keypair, budget: new SponsorBudget(config.limits), leastDollars: config.leastDollars };
}

function readKeypair(file: string): Keypair {
  try {
    return parseKeypairFile(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`sponsor-keypair: ${file} cannot be used: ${reason}`);
  }
}
