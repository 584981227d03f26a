import { type Chain, ChainUnavailable, type Simulation } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { parseTransaction } from '../../solana/messages/transaction.ts';
import { type AccountsAfter, listFundedAccounts, computeMaxFeePayerCost } from './fee-payer-cost.ts';

/** What a transaction would do if it landed now. */
export type SimulatedCost =
  | { readonly error: null; readonly lamports: bigint }
  | Pick<Simulation, 'error' | 'logs'>;

/** Some nodes do not state the balances that a simulation ran on. They are read separately, for the same slot. */
const ATTEMPTS = 4;

/**
 * Computes how many lamports a fully signed transaction would take from its fee payer, fees included. Both balances are
 * of the one state that the simulation ran on, so other transactions of the same wallet do not change the result. If the
 * node does not state both balances for a single state in four attempts, the result is the most that the message can cost.
 * @param noun - Name of the transaction in errors for clients, such as `swap`.
 * @returns lamports, negative if the fee payer gains; or the simulation's error
 * @throws ChainUnavailable when the network does not answer, or the cost cannot be bounded
 */
export async function simulateCost(
  chain: Chain,
  wire: Uint8Array,
  feePayer: Address,
  noun: string,
): Promise<SimulatedCost> {
  const { message } = parseTransaction(wire);
  if (message.staticAccounts[0] !== feePayer) throw new Error(`${feePayer} does not pay the fee`);
  const funded = listFundedAccounts(message);
  let after: AccountsAfter = new Map();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const simulation = await chain.simulate(wire, {
      verifySignatures: true,
      accounts: [feePayer, ...funded],
    });
    const { error, logs, slot, accounts } = simulation;
    if (error !== null) return { error, logs };
    if (simulation.feePayer !== null) {
      return { error, lamports: simulation.feePayer.before - simulation.feePayer.after };
    }
    const [left, ...created] = accounts;
    if (left === undefined) throw new Error(`the simulation left out the account ${feePayer}`);
    const [read] = await chain.getAccounts([feePayer]);
    // Nodes simulate on the state at the end of a slot, which no longer changes.
    if (read !== undefined && read.slot === slot) {
      return { error, lamports: (read.account?.lamports ?? 0n) - (left?.lamports ?? 0n) };
    }
    after = new Map(funded.map((address, index) => [address, created[index] ?? null]));
  }
  const bound = computeMaxFeePayerCost(message, after);
  if (bound !== null) return { error: null, lamports: bound };
  throw new ChainUnavailable(`the network does not say what the ${noun} would cost ${feePayer}; try again`);
}
