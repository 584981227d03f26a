import { describe, expect, it } from 'vitest';
import {
  deriveForecastUsdc,
  deriveOutcomeTokens,
  FORECAST_AUTHORITY,
  FORECAST_USDC,
} from '../../../src/protocols/bisonfi-forecast/forecast-program.ts';
import { createForecastPayout } from '../../../src/protocols/bisonfi-forecast/instructions/forecast-token-instructions.ts';
import type { Address } from '../../../src/solana/address.ts';
import { findProgramAddress } from '../../../src/solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { closeAccount, mintTo } from '../../../src/solana/programs/token/instructions.ts';
import { ordinaryTokenAccount } from '../../../src/testing/token-account.ts';
import { ForecastWorld, ONE, OPEN_PRICE, replaceForecastAccount } from './world.ts';

describe('pay_out', () => {
  it('pays once, whoever calls again', () => {
    const world = settledWorld();
    expect(world.must(world.payout(world.alice, 'up'))).toMatchObject([{ paid: TOKENS }]);
    expect(world.refusal(world.payout(world.alice, 'up'))).toBe(ZERO_AMOUNT);
    expect(world.refusal(world.payout(world.alice, 'up', world.alice))).toBe(ZERO_AMOUNT);
    // Both calls in one transaction fail together.
    const twice = settledWorld();
    const call = twice.payout(twice.alice, 'up');
    expect(twice.refusal(call, { ...call, data: call.data.slice() })).toBe(ZERO_AMOUNT);
    expect(twice.tokens(twice.alice, 'up')).toBe(TOKENS);
  });

  it('is for the operator and the owner, and waits for the result', () => {
    const world = tradedWorld();
    expect(world.refusal(world.payout(world.alice, 'up'))).toBe(6009);
    world.publish(300n, OPEN_PRICE);
    world.must(world.settle());
    expect(world.refusal(world.payout(world.alice, 'up', world.bob))).toBe(INVALID_OPERATOR);
    world.must(world.payout(world.alice, 'up', world.alice));
  });

  it('opens an account that is missing for at least a dollar, and keeps half a dollar for its rent', () => {
    const world = settledWorld();
    closeUsdc(world, world.alice);
    const lamports = world.lamports(world.operator);
    const kept = 500_000n;
    expect(world.must(world.payout(world.alice, 'up'))).toMatchObject([
      { burned: TOKENS, paid: TOKENS - kept },
    ]);
    expect(world.usdc(world.alice)).toBe(TOKENS - kept);
    expect(lamports - world.lamports(world.operator)).toBe(2_039_280n);
    // What was kept goes to the reserve.
    world.must(world.payout(world.bob, 'down'));
    expect(world.must(world.close())).toMatchObject([{ returned: kept }]);
  });

  it('waits a day for an owner without an account where it is less, and burns the tokens then', () => {
    const world = settledWorld();
    const small = give(world, world.stranger, 999_999n);
    expect(world.refusal(small)).toBe(PAYOUT_TOO_SMALL);
    world.must(world.payout(world.alice, 'up'), world.payout(world.bob, 'down'));
    world.clock(300n + DAY - 1n);
    expect(world.refusal(small)).toBe(PAYOUT_TOO_SMALL);
    world.clock(300n + DAY);
    expect(world.must(small)).toMatchObject([{ owner: world.stranger, burned: 999_999n, paid: 0n }]);
    expect(world.exists(deriveForecastUsdc(world.stranger))).toBe(false);
    expect(world.must(world.close())).toMatchObject([{ returned: 999_999n }]);
  });

  it('opens the account at the cost of an owner who calls, for any amount', () => {
    const world = settledWorld();
    give(world, world.stranger, 7n);
    expect(world.must(world.payout(world.stranger, 'up', world.stranger))).toMatchObject([{ paid: 7n }]);
    expect(world.usdc(world.stranger)).toBe(7n);
  });

  it.each([
    ['is frozen', (owner: Address) => ({ owner, state: 'frozen' as const })],
    ['was given to somebody else', (_: Address, other: Address) => ({ owner: other })],
  ])('does not pay an account that %s, and the owner names another one within a day', (_, change) => {
    const world = settledWorld();
    const account = deriveForecastUsdc(world.alice);
    const fields = { mint: FORECAST_USDC, amount: 0n, ...change(world.alice, world.stranger) };
    world.network.setData(account, TOKEN_PROGRAM, ordinaryTokenAccount(fields));
    expect(world.refusal(world.payout(world.alice, 'up'))).toBe(INVALID_TOKEN_ACCOUNT);
    expect(world.refusal(world.payout(world.alice, 'up', world.alice))).toBe(INVALID_TOKEN_ACCOUNT);
    const before = world.network.account(world.round);
    const other = world.network.newAddress();
    const own = ordinaryTokenAccount({ mint: FORECAST_USDC, owner: world.alice, amount: 0n });
    world.network.setData(other, TOKEN_PROGRAM, own);
    // The operator does not choose where.
    expect(world.refusal(replaceForecastAccount(world.payout(world.alice, 'up'), 5, other))).toBe(6015);
    expect(world.network.account(world.round)).toEqual(before);
    world.must(replaceForecastAccount(world.payout(world.alice, 'up', world.alice), 5, other));
    expect(world.balance(other)).toBe(TOKENS);

    const late = settledWorld();
    late.network.setData(account, TOKEN_PROGRAM, ordinaryTokenAccount(fields));
    late.clock(300n + DAY);
    expect(late.must(late.payout(late.alice, 'up'))).toMatchObject([{ burned: TOKENS, paid: 0n }]);
  });

  it('pays an owner into no account of another mint or owner', () => {
    const world = settledWorld();
    const call = world.payout(world.alice, 'up', world.alice);
    expect(world.refusal(replaceForecastAccount(call, 5, deriveForecastUsdc(world.bob)))).toBe(
      INVALID_TOKEN_ACCOUNT,
    );
    const tokens = deriveOutcomeTokens(world.alice, world.mint('down'));
    expect(world.refusal(replaceForecastAccount(call, 5, tokens))).toBe(INVALID_TOKEN_ACCOUNT);
  });

  it('burns the tokens of a lost side without any account of USDC', () => {
    const world = settledWorld();
    closeUsdc(world, world.bob);
    expect(world.must(world.payout(world.bob, 'down'))).toMatchObject([{ paid: 0n, outcome: 'up' }]);
    expect(world.exists(deriveForecastUsdc(world.bob))).toBe(false);
  });

  it('pays the associated account of a program, of the round itself and of the reserve', () => {
    const world = settledWorld();
    const pool = findProgramAddress(SYSTEM_PROGRAM, [Buffer.from('a pool of another venue')]).address;
    const calls = [pool, world.round, FORECAST_AUTHORITY.address].map((owner) => give(world, owner, ONE));
    expect(world.must(...calls)).toMatchObject([{ paid: 500_000n }, { paid: ONE }, { paid: ONE }]);
    world.must(world.payout(world.alice, 'up'), world.payout(world.bob, 'down'));
    // What the round has paid itself is left over, and so is half a dollar for the pool's account.
    expect(world.must(world.close())).toMatchObject([{ returned: ONE + 500_000n }]);
  });

  it('pays tokens outside the associated account too, to whoever owns the account', () => {
    const world = settledWorld();
    give(world, world.stranger, 5n * ONE);
    const tokens = deriveOutcomeTokens(world.stranger, world.mint('up'));
    const payout = { round: world.round, side: 'up', owner: world.bob, tokens } as const;
    expect(world.refusal(createForecastPayout(world.operator, payout))).toBe(INVALID_TOKEN_ACCOUNT);
    expect(world.refusal(createForecastPayout(world.bob, payout))).toBe(INVALID_TOKEN_ACCOUNT);
    world.give(world.stranger, 0n);
    world.must(createForecastPayout(world.operator, { ...payout, owner: world.stranger }));
    expect(world.usdc(world.stranger)).toBe(5n * ONE);
  });
});

/** What Alice has of UP, and Bob of DOWN. */
const TOKENS = 19_604_075n;

function tradedWorld(): ForecastWorld {
  const world = new ForecastWorld();
  world.open();
  world.must(world.buy(world.alice, 'up', 10n * ONE), world.buy(world.bob, 'down', 10n * ONE));
  expect(world.tokens(world.alice, 'up')).toBe(TOKENS);
  return world;
}

/** Returns a world in which UP has won. */
function settledWorld(): ForecastWorld {
  const world = tradedWorld();
  world.publish(300n, OPEN_PRICE);
  world.must(world.settle());
  return world;
}

/** Mints an owner tokens of UP that are counted and covered, and returns the operator's call that pays for them. */
function give(world: ForecastWorld, owner: Address, amount: bigint) {
  const account = world.openTokens(owner, 'up');
  world.set({ upOutstanding: world.read().upOutstanding + amount });
  world.give(world.round, world.vault + amount);
  // Nobody checks signatures here, so that the round can sign for its mint.
  world.must(mintTo(TOKEN_2022_PROGRAM, { mint: world.mint('up'), account, authority: world.round, amount }));
  return world.payout(owner, 'up');
}

function closeUsdc(world: ForecastWorld, owner: Address): void {
  const account = deriveForecastUsdc(owner);
  world.give(owner, 0n);
  world.must(closeAccount(TOKEN_PROGRAM, { account, destination: owner, authority: owner }));
}

const INVALID_OPERATOR = 6000;
const ZERO_AMOUNT = 6012;
const INVALID_TOKEN_ACCOUNT = 6016;
const PAYOUT_TOO_SMALL = 6017;
const DAY = 86_400n;
