import {
  buy,
  type Launch,
  sell,
  USER,
  userParties,
} from '../../../programs/meteora-dbc/tests/swap-fixture.ts';
import { routeOver } from '../../../programs/meteora-dbc/tests/swap-routes.ts';
import { swap2Dbc } from '../../../src/protocols/meteora-dbc/program/instructions-swap.ts';
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
  const shown = { showsInstructions: true };
  const purchase = (amountIn: bigint) => buy(launch, amountIn, shown);
  const buy2 = (amount0: bigint) =>
    swap2Dbc(launch, userParties(true, shown), { amount0, amount1: 0n, swapMode: 1 });
  yield ['one purchase', [purchase(1_000n)]];
  yield ['two purchases', [purchase(1_000n), purchase(1_001n)]];
  yield ['two purchases of both forms', [buy2(1_000n), purchase(1_001n)]];
  yield ['two purchases of both forms, the other way round', [purchase(1_000n), buy2(1_001n)]];
  yield ['a purchase and a sale', [purchase(1_000n), sell(launch, 5n)]];
  yield ['a sale and a purchase', [sell(launch, 5n), purchase(1_000n)]];
  yield ['two sales', [sell(launch, 5n), sell(launch, 6n)]];
  yield ['a purchase after an instruction that names the pool', [idle(launch.pool), purchase(1_000n)]];
  yield ['a purchase before an instruction that names the pool', [purchase(1_000n), idle(launch.pool)]];
  yield ['a purchase after an instruction that does not', [idle(launch.config), purchase(1_000n)]];
  const pool = meteoraDbc.decode(launch.pool, (address) => network.account(address));
  if ('unusable' in pool) return;
  const route = (inAmount: bigint, shares: readonly number[], isPurchase = true) =>
    routeOver(pool, inAmount, { shares, isPurchase });
  yield ['a route', [route(1_000n, [10_000])]];
  yield ['a route that is split', [route(10_000n, [5_000, 5_000])]];
  yield ['a route of a sale that is split', [route(10_000n, [5_000, 5_000], false)]];
  yield ['two routes', [route(1_000n, [10_000]), route(1_001n, [10_000])]];
  yield ['a route and a purchase', [route(1_000n, [10_000]), purchase(1_000n)]];
  yield ['a purchase and a route', [purchase(1_000n), route(1_000n, [10_000])]];
  yield ['a route of a sale and a purchase', [route(10n, [10_000], false), purchase(1_000n)]];
  yield ['a purchase and a route of a sale', [purchase(1_000n), route(10n, [10_000], false)]];
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
