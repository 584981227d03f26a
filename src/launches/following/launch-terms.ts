import type { Account } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import { decodeDbcConfig, isDbcConfigData } from '../../protocols/meteora-dbc/program/layout-config.ts';
import { METEORA_DBC_PROGRAM } from '../../protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../solana/address.ts';
import type { ReadKnownAccount } from '../launch.ts';

/** What the facts of a launch need of its configuration, which never changes. */
export interface LaunchTerms {
  readonly quoteMint: Address;
  /** The quote tokens with which the curve is complete. */
  readonly threshold: bigint;
  /** The program that the liquidity migrates to. */
  readonly migrationOption: number;
  /** Says under which configuration of DAMM v2 the pool is created that the launch migrates to. */
  readonly migrationFeeOption: number;
  /** The unit in which the curve counts its time. */
  readonly activationType: number;
}

export interface LaunchTermsOptions {
  readonly chain: Pick<Chain, 'getAccounts'>;
  readonly readKnown: ReadKnownAccount;
}

/** How many are read at a time: an outside RPC takes one call for them. */
const READ_AT_ONCE = 100;
/** How many are kept. Anybody can create any number of them. */
const MAX_KNOWN = 50_000;
/** How many may wait to be read. Further ones are asked for again with the next request. */
const MAX_WAITING = 10_000;

/**
 * The terms of configurations, each read once. The market knows those of launches that trade. Others are read in the background
 * when somebody asks for them, so that no request causes a call of its own.
 */
export class LaunchTermsCache {
  readonly #options: LaunchTermsOptions;
  readonly #known = new Map<Address, LaunchTerms | null>();
  readonly #waiting = new Set<Address>();

  constructor(options: LaunchTermsOptions) {
    this.#options = options;
  }

  /** Returns the terms of a configuration; null if they are not known yet, or there is no configuration at the address. */
  get(config: Address): LaunchTerms | null {
    const known = this.#known.get(config);
    if (known !== undefined) return known;
    const account = this.#options.readKnown(config);
    if (account !== null) return this.#keep(config, account);
    if (this.#waiting.size < MAX_WAITING) this.#waiting.add(config);
    return null;
  }

  /**
   * Reads the next configurations that were asked for.
   *
   * @throws ChainUnavailable when the network does not answer
   */
  async readSome(): Promise<void> {
    const some = [...this.#waiting].slice(0, READ_AT_ONCE);
    if (some.length === 0) return;
    for (const { address, account } of await this.#options.chain.getAccounts(some)) {
      this.#waiting.delete(address);
      // A launch cannot exist without its configuration, so a node that does not know it is behind, and is asked again.
      if (account !== null) this.#keep(address, account);
    }
  }

  #keep(config: Address, { owner, data }: Account): LaunchTerms | null {
    const isConfig = owner === METEORA_DBC_PROGRAM && isDbcConfigData(data);
    const terms = isConfig ? toLaunchTerms(data) : null;
    this.#known.set(config, terms);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    return terms;
  }
}

function toLaunchTerms(data: Uint8Array): LaunchTerms {
  const { quoteMint, migrationQuoteThreshold, migrationOption, migrationFeeOption, activationType } =
    decodeDbcConfig(data);
  return {
    quoteMint,
    threshold: migrationQuoteThreshold,
    migrationOption,
    migrationFeeOption,
    activationType,
  };
}
