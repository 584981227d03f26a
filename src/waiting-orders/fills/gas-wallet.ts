import type { Chain } from '../../chain/chain.ts';
import { waitUnlessUnavailable } from '../../common/unavailable.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../solana/programs/message-fee.ts';
import { MIN_WALLET_LAMPORTS } from '../../solana/rent.ts';
import type { Store } from '../../store/index.ts';
import { GasBudget, type GasLimits } from './gas-budget.ts';

/** The least that a fill costs: two signatures, and what a wallet must keep. */
const LEAST_LAMPORTS = MIN_WALLET_LAMPORTS + 2n * LAMPORTS_PER_SIGNATURE;

export interface GasWalletOptions {
  readonly limits: GasLimits;
  readonly store: Store;
  readonly chain: Pick<Chain, 'getAccounts' | 'watchAccounts'>;
}

/** The operator's wallet that pays for fills. Its balance is followed, so that orders wait at once when it is empty. */
export class GasWallet {
  readonly keypair: Keypair;
  readonly budget: GasBudget;
  readonly #stop: () => void;
  #lamports: bigint | null = null;

  private constructor(keypair: Keypair, { limits, store, chain }: GasWalletOptions) {
    this.keypair = keypair;
    this.budget = new GasBudget(keypair.address, limits, store);
    this.#stop = chain.watchAccounts([keypair.address], (updates) => {
      for (const { account } of updates) this.#lamports = account?.lamports ?? 0n;
    });
  }

  static async open(keypair: Keypair, options: GasWalletOptions): Promise<GasWallet> {
    const wallet = new GasWallet(keypair, options);
    const read = await waitUnlessUnavailable(options.chain.getAccounts([keypair.address]));
    // What the watch has told since is newer.
    if (read !== null) wallet.#lamports ??= read[0]?.account?.lamports ?? 0n;
    return wallet;
  }

  /** Returns the lamports that the wallet holds; null until the network has said. */
  lamports(): bigint | null {
    return this.#lamports;
  }

  /** Whether the wallet is known to hold too little for any fill. */
  isEmpty(): boolean {
    return this.#lamports !== null && this.#lamports < LEAST_LAMPORTS;
  }

  close(): void {
    this.#stop();
  }
}
