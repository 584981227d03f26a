import { createHash } from 'node:crypto';
import { type Keypair, createKeypairFromSeed } from '../../solana/keypair.ts';

export const DEFAULT_SEED = 'sluice';

/**
 * The keys of the genesis. They can be derived from the seed, so they must not hold anything of value on other networks.
 */
export interface GenesisKeys {
  /** Ten wallets, of which the start-up message shows the first. */
  readonly demoWallets: readonly Keypair[];
  /** Holds the lamports that airdrops pay out. */
  readonly faucet: Keypair;
  /** The mint authority of every mint except wrapped SOL, and every other authority that a mint has on mainnet. */
  readonly mintAuthority: Keypair;
  /** Created the pools and holds their LP tokens. May extend the lookup tables. */
  readonly poolCreator: Keypair;
  /** Owns the shares of pool fees of the protocol and the fund. */
  readonly feeOwner: Keypair;
  /** A wallet that holds thousands of tokens. */
  readonly collector: Keypair;
  /** Pays for the swaps of wallets without SOL unless another sponsor is configured. */
  readonly sponsor: Keypair;
  /** Administers the lending programs. */
  readonly lendingAuthority: Keypair;
  /** Has deposited most of the tokens that can be borrowed. */
  readonly lender: Keypair;
  /** Trades in pools when these follow the prices of the feeds. It starts without any balance. */
  readonly arbitrageur: Keypair;
  /** Borrows from the liquidity program without a vault. */
  readonly borrower: Keypair;
  /** Signs for the demo maker with a webhook. */
  readonly webhookMaker: Keypair;
  /** Liquidates vaults, if the operator enables it. */
  readonly liquidator: Keypair;
  /** Fills the orders of the DCA program, if the operator enables it. */
  readonly dcaKeeper: Keypair;
  /** Co-signs the creation of every order on a prediction market. */
  readonly predictionAuthority: Keypair;
  /** Fills and closes orders on prediction markets, posts results and pays out. Administers the vault. */
  readonly predictionKeeper: Keypair;
  /** The second signature of every fill on a prediction market. */
  readonly predictionCosigner: Keypair;
  /** Opens, settles and closes rounds of forecasts, and pays out. Administers their configuration. */
  readonly forecastOperator: Keypair;
  /** Three wallets that trade once on prediction markets when the network begins. */
  readonly predictionTraders: readonly Keypair[];
}

const DEMO_WALLETS = 10;
const PREDICTION_TRADERS = 3;

/**
 * Derives the keys of the genesis.
 *
 * @param seed - The text of the setting `seed`.
 *
 * @example
 * ```ts
 * import { DEFAULT_SEED, deriveGenesisKeys } from './keys.ts';
 *
 * const [wallet] = deriveGenesisKeys(DEFAULT_SEED).demoWallets;
 * wallet?.address; // the wallet that the start-up message shows
 * ```
 */
export function deriveGenesisKeys(seed: string): GenesisKeys {
  return {
    demoWallets: Array.from({ length: DEMO_WALLETS }, (_, index) => genesisKey(seed, `demo-wallet/${index}`)),
    faucet: genesisKey(seed, 'faucet'),
    mintAuthority: genesisKey(seed, 'mint-authority'),
    poolCreator: genesisKey(seed, 'pool-creator'),
    feeOwner: genesisKey(seed, 'fee-owner'),
    collector: genesisKey(seed, 'collector'),
    sponsor: genesisKey(seed, 'sponsor'),
    lendingAuthority: genesisKey(seed, 'lending-authority'),
    lender: genesisKey(seed, 'lender'),
    arbitrageur: genesisKey(seed, 'arbitrageur'),
    borrower: genesisKey(seed, 'borrower'),
    webhookMaker: genesisKey(seed, 'webhook-maker'),
    liquidator: genesisKey(seed, 'liquidator'),
    dcaKeeper: genesisKey(seed, 'dca-keeper'),
    predictionAuthority: genesisKey(seed, 'prediction-authority'),
    predictionKeeper: genesisKey(seed, 'prediction-keeper'),
    predictionCosigner: genesisKey(seed, 'prediction-cosigner'),
    forecastOperator: genesisKey(seed, 'forecast-operator'),
    predictionTraders: Array.from({ length: PREDICTION_TRADERS }, (_, index) =>
      genesisKey(seed, `prediction-trader/${index}`),
    ),
  };
}

/** The key of `role` has the Ed25519 seed SHA-256("sluice genesis" 00 seed 00 role), all in UTF-8. */
function genesisKey(seed: string, role: string): Keypair {
  return createKeypairFromSeed(createHash('sha256').update(`sluice genesis\0${seed}\0${role}`).digest());
}
