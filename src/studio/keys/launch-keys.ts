import { createHmac } from 'node:crypto';
import type { Address } from '../../solana/address.ts';
import { createKeypairFromSeed, createRandomKeypair, type Keypair } from '../../solana/keypair.ts';

/** The keys that sign a launch beside its creator. */
export interface LaunchKeyPairs {
  readonly mint: Keypair;
  /** The configuration of the curve, which is created for this launch alone. */
  readonly config: Keypair;
}

/**
 * Makes the keys of launches. The key of a configuration follows from a secret and the mint, so instances with the same secret
 * recognise launches of each other, and nothing has to be stored before a launch is submitted.
 */
export class LaunchKeys {
  readonly #secret: Uint8Array;

  /** @param secret - Whoever has it can create configurations that are taken for those of this gateway. */
  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  /** Creates the keys of a new launch. */
  create(): LaunchKeyPairs {
    const mint = createRandomKeypair();
    return { mint, config: this.#deriveConfig(mint.address) };
  }

  /** Returns the address of the configuration under which the studio launches this mint, if it does. */
  deriveConfigAddress(mint: Address): Address {
    return this.#deriveConfig(mint).address;
  }

  /** Whether a launch was prepared here, so that its terms and its partner are those of the studio. */
  isStudioLaunch = ({ config, mint }: { readonly config: Address; readonly mint: Address }): boolean =>
    this.deriveConfigAddress(mint) === config;

  #deriveConfig(mint: Address): Keypair {
    return createKeypairFromSeed(createHmac('sha256', this.#secret).update(`config|${mint}`).digest());
  }
}
