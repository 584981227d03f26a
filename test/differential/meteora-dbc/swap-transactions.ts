import {
  type Launch,
  USER,
  USER_TOKENS,
  userParties,
} from '../../../programs/meteora-dbc/tests/swap-fixture.ts';
import { routeV2 } from '../../../src/market/aggregator/route-v2.ts';
import { swap2Dbc, swapDbc } from '../../../src/protocols/meteora-dbc/program/instructions-swap.ts';
import { meteoraDbc } from '../../../src/protocols/meteora-dbc/venue.ts';
import type { Address } from '../../../src/solana/address.ts';
import {
  type Instruction,
  readonly,
  writable,
  writableSigner,
} from '../../../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import type { TestNetwork } from '../../../src/testing/svm/network.ts';

/** Transactions with purchases and sales in the same pool, in every order, and through the aggregator. */
export function* transactions(
  network: TestNetwork,
  launch: Launch,
): Iterable<readonly [name: string, Instruction[]]> {
  const buy = (amountIn: bigint) =>
    swapDbc(launch, userParties(true, { showsInstructions: true }), { amountIn, minimumAmountOut: 0n });
  const buy2 = (amount0: bigint) =>
    swap2Dbc(launch, userParties(true, { showsInstructions: true }), { amount0, amount1: 0n, swapMode: 1 });
  const sell = (amountIn: bigint) => swapDbc(launch, userParties(false), { amountIn, minimumAmountOut: 0n });
  yield ['one purchase', [buy(1_000n)]];
  yield ['two purchases', [buy(1_000n), buy(1_001n)]];
  yield ['two purchases of both forms', [buy2(1_000n), buy(1_001n)]];
  yield ['two purchases of both forms, the other way round', [buy(1_000n), buy2(1_001n)]];
  yield ['a purchase and a sale', [buy(1_000n), sell(5n)]];
  yield ['a sale and a purchase', [sell(5n), buy(1_000n)]];
  yield ['two sales', [sell(5n), sell(6n)]];
  yield ['a purchase after an instruction that names the pool', [idle(launch.pool), buy(1_000n)]];
  yield ['a purchase before an instruction that names the pool', [buy(1_000n), idle(launch.pool)]];
  yield ['a purchase after an instruction that does not', [idle(launch.config), buy(1_000n)]];
  const state = meteoraDbc.decode(launch.pool, (address) => network.account(address));
  if ('unusable' in state) return;
  const route = (inAmount: bigint, shares: readonly number[], isPurchase = true) => {
    const [base, quote] = USER_TOKENS;
    const [source, destination] = isPurchase ? [quote, base] : [base, quote];
    const [sourceMint, destinationMint] = isPurchase
      ? [launch.quoteMint, launch.baseMint]
      : [launch.baseMint, launch.quoteMint];
    const step = meteoraDbc.routeStep(state, sourceMint, { authority: USER, source, destination });
    const steps = shares.map((bps) => ({ step, bps, inputIndex: 0, outputIndex: 1 }));
    return routeV2(
      { inAmount, quotedOutAmount: 0n, slippageBps: 10_000, steps },
      {
        userTransferAuthority: USER,
        userSourceTokenAccount: source,
        userDestinationTokenAccount: destination,
        sourceMint,
        destinationMint,
        sourceTokenProgram: launch.tokenQuoteProgram,
        destinationTokenProgram: launch.tokenBaseProgram,
      },
    );
  };
  yield ['a route', [route(1_000n, [10_000])]];
  yield ['a route that is split', [route(10_000n, [5_000, 5_000])]];
  yield ['a route of a sale that is split', [route(10_000n, [5_000, 5_000], false)]];
  yield ['two routes', [route(1_000n, [10_000]), route(1_001n, [10_000])]];
  yield ['a route and a purchase', [route(1_000n, [10_000]), buy(1_000n)]];
  yield ['a purchase and a route', [buy(1_000n), route(1_000n, [10_000])]];
  yield ['a route of a sale and a purchase', [route(10n, [10_000], false), buy(1_000n)]];
  yield ['a purchase and a route of a sale', [buy(1_000n), route(10n, [10_000], false)]];
}

/** A transfer of nothing that names an account without using it. */
function idle(named: Address): Instruction {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2, 0);
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [writableSigner(USER), writable(USER), readonly(named)],
    data,
  };
}
