import { routeV2 } from '../../../src/market/aggregator/route-v2.ts';
import type { MeteoraDbcPool } from '../../../src/protocols/meteora-dbc/pool.ts';
import { meteoraDbc } from '../../../src/protocols/meteora-dbc/venue.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import type { TestNetwork } from '../../../src/testing/svm/network.ts';
import { USER, userParties } from './swap-fixture.ts';

/** @throws Error if the venue cannot use the pool */
export function readState(network: TestNetwork, pool: Address): MeteoraDbcPool {
  const state = meteoraDbc.decode(pool, (address) => network.account(address));
  if ('unusable' in state) throw new Error(state.unusable);
  return state;
}

/** A route of the aggregator by the user, whose legs are all in the same pool. `shares` are in basis points. */
export function routeOver(
  pool: MeteoraDbcPool,
  inAmount: bigint,
  { shares = [10_000], isPurchase = true }: { shares?: readonly number[]; isPurchase?: boolean } = {},
): Instruction {
  const { inputTokenAccount: source, outputTokenAccount: destination } = userParties(isPurchase);
  const [input, output] = isPurchase ? ([1, 0] as const) : ([0, 1] as const);
  const step = meteoraDbc.routeStep(pool, pool.mints[input], { authority: USER, source, destination });
  const steps = shares.map((bps) => ({ step, bps, inputIndex: 0, outputIndex: 1 }));
  return routeV2(
    { inAmount, quotedOutAmount: 0n, slippageBps: 10_000, steps },
    {
      userTransferAuthority: USER,
      userSourceTokenAccount: source,
      userDestinationTokenAccount: destination,
      sourceMint: pool.mints[input],
      destinationMint: pool.mints[output],
      sourceTokenProgram: pool.tokenPrograms[input],
      destinationTokenProgram: pool.tokenPrograms[output],
    },
  );
}
