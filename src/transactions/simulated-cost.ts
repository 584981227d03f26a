import type { Chain, Simulation } from '../chain/chain.ts';
import type { Address } from '../solana/address.ts';

/** What a transaction would do if it landed now. */
export type SimulatedCost =
  | { readonly error: null; readonly lamports: bigint }
  | Pick<Simulation, 'error' | 'logs'>;

/** The balance of a wallet that many swaps use at once may change during each simulation. */
const ATTEMPTS = 4;

/**
 * Lamports by which a fully signed transaction would reduce the wallet's balance, fees included; negative when it gains.
 * Simulates at most four times: again only while the balance changes meanwhile. Where it keeps changing, the cost is
 * taken from the higher balance, so that what others pay in does not hide it.
 * @throws ChainUnavailable when the network does not answer
 */
export async function simulatedCost(chain: Chain, wire: Uint8Array, wallet: Address): Promise<SimulatedCost> {
  for (let attempt = 1; ; attempt++) {
    const before = await lamportsOf(chain, wallet);
    const { error, logs, accounts } = await chain.simulate(wire, {
      verifySignatures: true,
      accounts: [wallet],
    });
    if (error !== null) return { error, logs };
    const [left] = accounts;
    if (left === undefined) throw new Error(`the simulation left out the account ${wallet}`);
    const after = await lamportsOf(chain, wallet);
    if (before === after || attempt === ATTEMPTS) {
      const gained = after > before ? after - before : 0n;
      return { error, lamports: before + gained - (left?.lamports ?? 0n) };
    }
  }
}

async function lamportsOf(chain: Chain, wallet: Address): Promise<bigint> {
  const [read] = await chain.getAccounts([wallet]);
  return read?.account?.lamports ?? 0n;
}
