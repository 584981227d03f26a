import { FAUCET, GENESIS } from './bank/bank-for-tests.ts';
import { type EmbeddedChain, type EmbeddedChainOptions, startEmbeddedChain } from './network.ts';

/**
 * Starts an embedded network in memory on free ports of loopback, with the wallets of `bank-for-tests.ts`. A defect fails
 * the test.
 *
 * @param options - Options that replace the defaults.
 */
export function startTestChain(options: Partial<EmbeddedChainOptions> = {}): Promise<EmbeddedChain> {
  return startEmbeddedChain({
    folder: null,
    seed: 'test',
    genesis: () => GENESIS,
    overlay: [],
    faucet: FAUCET,
    mintAuthorities: [],
    slotMs: 50,
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
