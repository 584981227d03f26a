import { expect, it } from 'vitest';
import { routeV2 } from '../../../src/market/aggregator/route-v2.ts';
import {
  createFlashFill,
  createInitializeOrder,
  createPreFlashFill,
  type NewLimitOrder,
} from '../../../src/protocols/jupiter-limit-order/instructions.ts';
import { decodeLimitOrder, encodeLimitOrderFee } from '../../../src/protocols/jupiter-limit-order/layout.ts';
import {
  deriveLimitOrder,
  LIMIT_ORDER_FEE,
  LIMIT_ORDER_PROGRAM,
} from '../../../src/protocols/jupiter-limit-order/program.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import type { TestOutcome } from '../../../src/testing/svm/network.ts';
import { RouteWorld } from '../../aggregator/tests/route-world.ts';

const MAKING = 1_000_000n;
const TAKING = 1_500_000n;

it('a keeper without any of the output fills an order by a route of the aggregator, and keeps what is above the price', () => {
  const { keeper, send, order } = openMarket();
  const { world, tokens } = keeper;
  // The route pays 2,000,000 for what the order sells at 1,500,000.
  const outcome = send(2_000_000n);
  expect(outcome.error, outcome.logs.join('\n')).toBeNull();
  expect(world.balance(tokens.a)).toBe(0n);
  expect(world.balance(tokens.b)).toBe(500_000n);
  expect(world.balance(order.makerOutput)).toBe(TAKING - 1_500n);
  expect(world.balance(order.feeAccount)).toBe(1_500n);
  expect(outcome.units).toBeLessThan(40_000n);
});

it('a route that pays less than the order asks for fails with the fill, and the order keeps its input', () => {
  const { send, order, keeper } = openMarket();
  const outcome = send(TAKING - 1n);
  // The token program's InsufficientFunds.
  expect(outcome.error).toMatchObject({ instruction: 2, custom: 1 });
  expect(keeper.world.balance(order.reserve)).toBe(MAKING);
});

/** Returns a market with an order, and a keeper with empty accounts who sells at what a pool of its own pays. */
function openMarket() {
  const world = new RouteWorld();
  const { network, user, mints } = world;
  network.loadShipped('limit-order');
  const maker = network.newWallet();
  const rates = { normalFeeBps: 10, stableFeeBps: 3, admin: maker };
  network.setData(LIMIT_ORDER_FEE, LIMIT_ORDER_PROGRAM, encodeLimitOrderFee(rates));
  const of = (owner: typeof user, mint: typeof user) =>
    deriveAssociatedTokenAddress(owner, mint, TOKEN_PROGRAM);
  world.setTokenAccount(of(maker, mints.a), mints.a, maker, MAKING);
  for (const owner of [maker, LIMIT_ORDER_FEE]) world.setTokenAccount(of(owner, mints.b), mints.b, owner, 0n);
  const tokens = { a: world.newTokenAccount(mints.a, user), b: world.newTokenAccount(mints.b, user) };
  const terms: NewLimitOrder = {
    payer: maker,
    maker,
    input: { mint: mints.a, tokenProgram: TOKEN_PROGRAM },
    output: { mint: mints.b, tokenProgram: TOKEN_PROGRAM },
    referral: null,
    uniqueId: 1n,
    making: MAKING,
    taking: TAKING,
    expiredAt: null,
    feeBps: null,
    slippageBps: null,
  };
  expect(world.send(createInitializeOrder(terms)).error).toBeNull();
  const { address } = deriveLimitOrder(maker, terms.uniqueId);
  const placed = { address, ...decodeLimitOrder(network.account(address)?.data ?? new Uint8Array(0)) };

  const send = (received: bigint): TestOutcome => {
    const step = world.step(tokens.a, tokens.b, { numerator: received, denominator: MAKING });
    const route = routeV2(
      {
        inAmount: MAKING,
        quotedOutAmount: received,
        slippageBps: 0,
        steps: [{ step, bps: 10_000, inputIndex: 0, outputIndex: 1 }],
      },
      world.accounts({ userSourceTokenAccount: tokens.a, userDestinationTokenAccount: tokens.b }),
    );
    return world.send(
      createPreFlashFill(placed, user, tokens.a, MAKING),
      route,
      createFlashFill(placed, {
        taker: user,
        source: tokens.b,
        destination: of(maker, mints.b),
        maximum: TAKING,
      }),
    );
  };
  const order = {
    makerOutput: of(maker, mints.b),
    feeAccount: placed.feeAccount,
    reserve: placed.inputReserve,
  };
  return { keeper: { world, tokens }, send, order };
}
