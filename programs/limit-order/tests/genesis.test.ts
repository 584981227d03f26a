import { describe, expect, it } from 'vitest';
import {
  createCancelOrder,
  createFlashFill,
  createPreFlashFill,
} from '../../../src/protocols/jupiter-limit-order/instructions.ts';
import {
  decodeLimitOrder,
  decodeLimitOrderRates,
} from '../../../src/protocols/jupiter-limit-order/layout.ts';
import {
  deriveLimitOrder,
  LIMIT_ORDER_FEE,
  LIMIT_ORDER_PROGRAM,
} from '../../../src/protocols/jupiter-limit-order/program.ts';
import { GENESIS_TIME } from '../../../src/sandbox/genesis/build-genesis.ts';
import { getGenesisToken } from '../../../src/solana/known-tokens.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { createAssociatedTokenIdempotent } from '../../../src/solana/programs/associated-token.ts';
import { GenesisNetwork } from '../../../src/testing/svm/genesis-network.ts';

describe('the limit orders of the genesis', () => {
  it('have the rates of mainnet', () => {
    const { network } = new GenesisNetwork();
    const account = network.account(LIMIT_ORDER_FEE);
    expect(account?.owner).toBe(LIMIT_ORDER_PROGRAM);
    expect(decodeLimitOrderRates(account?.data ?? new Uint8Array(0))).toEqual({
      normalFeeBps: 10,
      stableFeeBps: 3,
    });
  });

  it('are filled and cancelled by the program as any other', () => {
    const world = new GenesisNetwork(['limit-order']);
    const { network, alice, bob } = world;
    network.setUnixTime(GENESIS_TIME);
    const { address } = deriveLimitOrder(alice, 1n);
    const order = { address, ...decodeLimitOrder(network.account(address)?.data ?? new Uint8Array(0)) };
    const [usdc, sol] = [getGenesisToken('USDC'), getGenesisToken('SOL')];
    const open = (owner: typeof bob, { mint }: typeof sol) =>
      createAssociatedTokenIdempotent({ payer: bob, owner, mint, tokenProgram: order.outputTokenProgram });
    const tokens = (owner: typeof bob, { mint }: typeof sol) =>
      deriveAssociatedTokenAddress(owner, mint, order.inputTokenProgram);
    const making = 160_000_000n;
    const filled = world.send(
      [
        open(LIMIT_ORDER_FEE, sol),
        open(alice, sol),
        open(bob, usdc),
        createPreFlashFill(order, bob, tokens(bob, usdc), making),
        createFlashFill(order, {
          taker: bob,
          source: null,
          destination: tokens(alice, sol),
          maximum: 1_000_000_000n,
        }),
      ],
      bob,
    );
    expect(filled.error, filled.logs.join('\n')).toBeNull();
    expect(network.tokenBalance(order.feeAccount)).toBe(1_000_000n);
    const left = decodeLimitOrder(network.account(address)?.data ?? new Uint8Array(0));
    expect(left).toMatchObject({ making: order.making - making, taking: order.taking - 1_000_000_000n });
    const before = world.balance(alice, usdc);
    const cancelled = world.send([createCancelOrder(order, alice, tokens(alice, usdc))], alice);
    expect(cancelled.error, cancelled.logs.join('\n')).toBeNull();
    expect(world.balance(alice, usdc) - before).toBe(left.making);
    expect(network.account(address)).toBeNull();
  });
});
