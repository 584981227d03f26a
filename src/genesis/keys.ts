import { createHash } from 'node:crypto';
import { type Keypair, keypairFromSeed } from '../solana/keypair.ts';

export const DEFAULT_SEED = 'sluice';

/** Every key that the genesis uses. Whoever knows the seed has them all: they are worth nothing outside. */
export interface GenesisKeys {
  /** Ten; the first is the demo wallet that the start-up message shows. */
  readonly demoWallets: readonly Keypair[];
  /** Holds the lamports that airdrops are paid from. */
  readonly faucet: Keypair;
  /** Mint authority of every mint but wrapped SOL, and each other authority that a mint has on mainnet. */
  readonly mintAuthority: Keypair;
  /** Made the pools and holds their LP tokens; may extend the lookup tables. */
  readonly poolCreator: Keypair;
  /** Owner of the protocol's and the fund's share of pool fees. */
  readonly feeOwner: Keypair;
  /** Pays for the swaps of wallets without SOL, where no other sponsor is named. */
  readonly sponsor: Keypair;
}

const DEMO_WALLETS = 10;

export function genesisKeys(seed: string): GenesisKeys {
  return {
    demoWallets: Array.from({ length: DEMO_WALLETS }, (_, index) => genesisKey(seed, `demo-wallet/${index}`)),
    faucet: genesisKey(seed, 'faucet'),
    mintAuthority: genesisKey(seed, 'mint-authority'),
    poolCreator: genesisKey(seed, 'pool-creator'),
    feeOwner: genesisKey(seed, 'fee-owner'),
    sponsor: genesisKey(seed, 'sponsor'),
  };
}

/** The key of `role` is that of the Ed25519 seed SHA-256("sluice genesis" 00 seed 00 role), all in UTF-8. */
function genesisKey(seed: string, role: string): Keypair {
  return keypairFromSeed(createHash('sha256').update(`sluice genesis\0${seed}\0${role}`).digest());
}
