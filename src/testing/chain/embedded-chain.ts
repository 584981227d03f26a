import { FAUCET, GENESIS } from './bank.ts';
import {
  type EmbeddedChain,
  type EmbeddedChainOptions,
  startEmbeddedChain,
} from '../../chain/embedded/network.ts';

/** How long a blockhash lives at least on a network of tests, so that a slow machine does not let it expire. */
const BLOCKHASH_LIFE_MS = 60_000;

/** Returns the number of slots of this length in which a blockhash of a test network can be used. */
export function computeBlockhashSlots(slotMs: number): number {
  return Math.max(150, Math.ceil(BLOCKHASH_LIFE_MS / slotMs));
}

/**
 * Starts an embedded network in memory on free ports of loopback, with the wallets of `bank.ts`. A blockhash
 * lives at least a minute; a test that needs its expiry passes `blockhashSlots` and lets the slots pass itself. A defect
 * fails the test.
 *
 * @param options - Options that replace the defaults.
 */
export function startTestChain({
  slotMs = 50,
  ...options
}: Partial<EmbeddedChainOptions> = {}): Promise<EmbeddedChain> {
  return startEmbeddedChain({
    folder: null,
    seed: 'test',
    genesis: () => GENESIS,
    overlay: [],
    faucet: FAUCET,
    mintAuthorities: [],
    slotMs,
    blockhashSlots: computeBlockhashSlots(slotMs),
    production: false,
    host: '127.0.0.1',
    rpcPort: 0,
    wsPort: 0,
    onDefect: (where, message) => {
      throw new Error(`${where}: ${message}`);
    },
    ...options,
  });
}
