import { describe, expect, it } from 'vitest';
import {
  deriveForecastSide,
  deriveForecastVault,
  deriveOutcomeTokens,
  FORECAST_USDC,
} from '../../../src/protocols/bisonfi-forecast/forecast-program.ts';
import { createForecastSwap } from '../../../src/protocols/bisonfi-forecast/instructions/forecast-token-instructions.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import {
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { createAssociatedToken } from '../../../src/solana/programs/associated-token.ts';
import { transferLamports } from '../../../src/solana/programs/system.ts';
import { approve } from '../../../src/solana/programs/token/instructions.ts';
import { ForecastWorld, ONE, OPEN_PRICE, SCHEDULE } from './world.ts';

describe('whoever knows the addresses of a round before it opens', () => {
  it('keeps it from opening neither by lamports nor by its vault', () => {
    const world = new ForecastWorld();
    const { round } = world;
    const addresses = [
      round,
      deriveForecastSide(round, 'up').address,
      deriveForecastSide(round, 'down').address,
      world.mint('up'),
      world.mint('down'),
    ];
    for (const [at, to] of addresses.entries()) {
      // One of them gets more than its rent.
      const lamports = at === 3 ? 5_000_000_000n : 890_880n;
      world.must(transferLamports(world.stranger, to, lamports));
    }
    const setup = { payer: world.stranger, owner: round, mint: FORECAST_USDC, tokenProgram: TOKEN_PROGRAM };
    world.must(createAssociatedToken(setup));
    world.give(round, 3n);
    world.open();
    expect(world.vault).toBe(SCHEDULE.funding + 3n);
    world.must(world.buy(world.alice, 'up', ONE));
    world.publish(300n, OPEN_PRICE - 1n);
    world.must(world.settle(), world.payout(world.alice, 'up'), world.close());
    for (const each of [...addresses, deriveForecastVault(round)]) expect(world.exists(each)).toBe(false);
  });
});

describe('a holder', () => {
  it('sells by a delegate, and the event names the holder', () => {
    const world = new ForecastWorld();
    world.open();
    world.must(world.buy(world.alice, 'up', 10n * ONE));
    const tokens = deriveOutcomeTokens(world.alice, world.mint('up'));
    const accounts = {
      authority: world.bob,
      round: world.round,
      side: 'up',
      feed: world.feed,
      tokens,
    } as const;
    const sale = createForecastSwap(accounts, { isBuy: false, amountIn: ONE, minOut: 0n });
    expect(world.refusal(sale)).toBe(4);
    const approval = { account: tokens, delegate: world.bob, owner: world.alice, amount: ONE };
    world.must(approve(TOKEN_2022_PROGRAM, approval));
    expect(world.must(sale)).toMatchObject([
      { owner: world.alice, account: tokens, authority: world.bob, isBuy: false, contracts: ONE },
    ]);
    expect(world.refusal(sale)).toBe(4);
  });

  it('is paid although the account refuses calls of programs', () => {
    const world = new ForecastWorld();
    world.open();
    const tokens = deriveOutcomeTokens(world.alice, world.mint('up'));
    world.must(
      growForCpiGuard(tokens, world.alice, world.network.payer),
      enableCpiGuard(tokens, world.alice),
    );
    world.must(world.buy(world.alice, 'up', ONE));
    // A sale is such a call.
    expect(world.refusal(world.sell(world.alice, 'up', 100_000n))).toBeDefined();
    world.publish(300n);
    world.must(world.settle(), world.payout(world.alice, 'up'), world.close());
  });
});

/** Makes room for the extension by which an account refuses calls. */
function growForCpiGuard(account: Address, owner: Address, payer: Address): Instruction {
  return {
    programAddress: TOKEN_2022_PROGRAM,
    accounts: [writable(account), writableSigner(payer), readonly(SYSTEM_PROGRAM), readonlySigner(owner)],
    // Reallocate, for the extension number 11.
    data: Uint8Array.of(29, 11, 0),
  };
}

function enableCpiGuard(account: Address, owner: Address): Instruction {
  const accounts = [writable(account), readonlySigner(owner)];
  return { programAddress: TOKEN_2022_PROGRAM, accounts, data: Uint8Array.of(34, 0) };
}
