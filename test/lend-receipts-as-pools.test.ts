import { beforeEach, describe, expect, it } from 'vitest';
import { deposit } from '../programs/lending/tests/instructions.ts';
import { LendingWorld } from '../programs/lending/tests/world.ts';
import { LENDING } from '../src/protocols/jupiter-lend/lending/layouts.ts';
import { LIQUIDITY, deriveRateModelAddress } from '../src/protocols/jupiter-lend/liquidity/addresses.ts';
import {
  LIQUIDITY_ACCOUNT,
  PositionStatus,
  SUPPLY_POSITION,
} from '../src/protocols/jupiter-lend/liquidity/layouts.ts';
import { LENDING_PROGRAM, LIQUIDITY_PROGRAM } from '../src/protocols/jupiter-lend/lending-base/programs.ts';
import type { Address } from '../src/solana/address.ts';
import { deriveAssociatedTokenAddress } from '../src/solana/pda.ts';
import { decodeTokenAccount, encodeTokenAccount } from '../src/solana/programs/token/account.ts';
import { U64_MAX } from '../src/solana/units.ts';
import { routeV2 } from '../src/market/aggregator/route-v2.ts';
import { lending } from '../src/protocols/jupiter-lend/venue/venue.ts';
import type { LendingPool } from '../src/protocols/jupiter-lend/venue/pool.ts';
import { openForEach } from '../src/testing/opened.ts';

const world = openForEach(() => new LendingWorld());
beforeEach(setUp);

describe('a lending as a pool', () => {
  it('trades the token against its receipt token, and names what it depends on', () => {
    const pool = usable();
    const account = world.network.account(world.lending);
    if (account === null) throw new Error('no lending');
    expect(lending.isPool(account)).toBe(true);
    expect(pool.mints).toEqual([world.token.mint, world.receipt.mint]);
    const named = [pool.mint, pool.receiptMint, pool.reserve, pool.supplyPosition, pool.rewards, pool.vault];
    expect(lending.dependencies(world.lending, account)).toEqual(
      expect.arrayContaining([...named, deriveRateModelAddress(pool.mint), LIQUIDITY.address]),
    );
  });

  it('is unusable with a reason while the liquidity program is locked', () => {
    const state = LIQUIDITY_ACCOUNT.decode(dataOf(LIQUIDITY.address));
    const locked = LIQUIDITY_ACCOUNT.encode({ ...state, locked: true });
    world.network.setData(LIQUIDITY.address, LIQUIDITY_PROGRAM, locked);
    expect(read()).toEqual({ unusable: 'the liquidity program is locked' });
  });

  it('is unusable with a reason while its position is paused, or its limit cannot expand', () => {
    const { supplyPosition } = usable();
    const position = SUPPLY_POSITION.decode(dataOf(supplyPosition));
    const write = (change: Partial<typeof position>) =>
      world.network.setData(
        supplyPosition,
        LIQUIDITY_PROGRAM,
        SUPPLY_POSITION.encode({ ...position, ...change }),
      );
    write({ status: PositionStatus.PAUSED });
    expect(read()).toMatchObject({ unusable: expect.stringContaining('paused') });
    write({ withdrawalLimit: 1n, expandDuration: 0 });
    expect(read()).toMatchObject({ unusable: expect.stringContaining('no duration') });
  });

  it('is unusable with a reason without an exchange price, or with a frozen vault', () => {
    const { vault } = usable();
    const state = LENDING.decode(dataOf(world.lending));
    const holding = decodeTokenAccount(dataOf(vault));
    const frozen = encodeTokenAccount({ ...holding, state: 'frozen' });
    world.network.setData(vault, world.token.tokenProgram, frozen);
    expect(read()).toMatchObject({ unusable: expect.stringContaining('frozen') });
    world.network.setData(vault, world.token.tokenProgram, encodeTokenAccount(holding));
    const worthless = LENDING.encode({ ...state, tokenExchangePrice: 0n });
    world.network.setData(world.lending, LENDING_PROGRAM, worthless);
    expect(read()).toMatchObject({ unusable: expect.stringContaining('exchange price') });
  });

  it('quotes nothing for a mint that is not its own, nor for an amount that means everything', () => {
    const pool = usable();
    const stranger = world.network.newAddress();
    for (const quote of [lending.quoteExactIn, lending.quoteExactOut]) {
      expect(quote(pool, stranger, 1_000_000n, clock())).toBeNull();
      expect(quote(pool, pool.mint, 0n, clock())).toBeNull();
    }
    expect(lending.quoteExactIn(pool, pool.mint, U64_MAX, clock())).toBeNull();
  });

  it('estimates what it quotes while nothing limits it, and no more than what can leave', () => {
    const pool = usable();
    const quoted = (mint: Address, amount: bigint) =>
      Number(lending.quoteExactIn(pool, mint, amount, clock())?.outAmount ?? 0n);
    for (const mint of pool.mints) {
      const estimated = lending.estimate(pool, mint, 1_000_000, clock());
      expect(Math.abs(estimated - quoted(mint, 1_000_000n))).toBeLessThanOrEqual(1);
    }
    // A fifth of the 20 million may leave at once.
    expect(lending.estimate(pool, pool.receiptMint, 20_000_000, clock())).toBe(4_000_000);
    expect(quoted(pool.receiptMint, 20_000_000n)).toBe(0);
  });
});

describe('the steps of a lending in a route', () => {
  it.each([true, false])('deposit and redeem what was quoted (deposit: %s)', (deposits) => {
    world.network.loadShipped('aggregator');
    world.liquidity.operate(world.liquidity.protocol(), 0n, 6_000_000n);
    world.liquidity.pass(500_000n);
    const pool = usable();
    const [source, destination] = deposits ? [pool.mint, pool.receiptMint] : [pool.receiptMint, pool.mint];
    const quote = lending.quoteExactIn(pool, source, 1_234_567n, clock());
    if (quote === null) throw new Error('a million is quoted');
    const parties = { authority: world.user, source: ata(source), destination: ata(destination) };
    const step = lending.routeStep(pool, source, parties, quote);
    const before = world.network.tokenBalance(parties.destination);
    const { error, logs } = world.network.send([
      routeV2(
        {
          inAmount: quote.inAmount,
          quotedOutAmount: quote.outAmount,
          slippageBps: 0,
          steps: [{ step, bps: 10_000, inputIndex: 0, outputIndex: 1 }],
        },
        {
          userTransferAuthority: world.user,
          userSourceTokenAccount: parties.source,
          userDestinationTokenAccount: parties.destination,
          sourceMint: source,
          destinationMint: destination,
          sourceTokenProgram: world.token.tokenProgram,
          destinationTokenProgram: world.token.tokenProgram,
        },
      ),
    ]);
    expect(error, logs.join('\n')).toBeNull();
    expect(world.network.tokenBalance(parties.destination) - before).toBe(quote.outAmount);
  });
});

function setUp(): void {
  world.liquidity.must(deposit('deposit', world.parties(), world.token, [20_000_000n]));
}

const read = () => lending.decode(world.lending, (address) => world.network.account(address));

function usable(): LendingPool {
  const state = read();
  if ('unusable' in state) throw new Error(state.unusable);
  return state;
}

const clock = () => ({ slot: 0n, epoch: 0n, unixTimestamp: world.liquidity.now() });

function dataOf(address: Address): Uint8Array {
  const account = world.network.account(address);
  if (account === null) throw new Error(`no account ${address}`);
  return account.data;
}

function ata(mint: Address): Address {
  return deriveAssociatedTokenAddress(world.user, mint, world.token.tokenProgram);
}
