import { expect } from 'vitest';
import type { ForecastSchedule } from '../../../src/protocols/bisonfi-forecast/forecast-config.ts';
import {
  deriveForecastUsdc,
  deriveForecastVault,
  deriveOutcomeTokens,
  OUTCOME_SIDES,
  type OutcomeSide,
} from '../../../src/protocols/bisonfi-forecast/forecast-program.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { burn, transfer, transferChecked } from '../../../src/solana/programs/token/instructions.ts';
import { decodeMint } from '../../../src/solana/programs/token/mint.ts';
import { ForecastWorld, OPEN_PRICE, PURSE, RESERVE } from './world.ts';

/** What somebody does in the life of two rounds. */
export type HouseStep =
  | { readonly kind: 'move'; readonly seconds: number; readonly moved: number }
  | { readonly kind: 'donate'; readonly index: number; readonly trader: number; readonly amount: bigint }
  | {
      readonly kind: 'sell-all';
      readonly index: number;
      readonly trader: number;
      readonly side: OutcomeSide;
    }
  | {
      readonly kind: 'buy' | 'sell' | 'burn' | 'send';
      readonly index: number;
      readonly trader: number;
      readonly side: OutcomeSide;
      readonly amount: bigint;
    };

/** Two rounds of one feed, three traders, and all the USDC that there is. */
export class HouseModel {
  readonly world: ForecastWorld;
  /** The steps that were accepted, and the results. */
  readonly seen = new Set<string>();
  readonly #rounds: readonly Address[];
  readonly #traders: readonly Address[];
  #second = 0n;

  constructor(terms: Partial<ForecastSchedule>) {
    const world = new ForecastWorld(terms);
    this.world = world;
    world.give(world.stranger, PURSE);
    this.#traders = [world.alice, world.bob, world.stranger];
    this.#rounds = [0, 1].map((index) => {
      const round = world.open(index);
      for (const side of OUTCOME_SIDES) world.openTokens(world.stranger, side);
      return round;
    });
  }

  /** Tries a step, which may be refused. */
  run(step: HouseStep): void {
    if (step.kind === 'move') {
      this.#second += BigInt(step.seconds);
      this.world.publish(this.#second, OPEN_PRICE + (OPEN_PRICE * BigInt(step.moved)) / 1_000_000n);
      this.seen.add('move');
      return;
    }
    this.world.round = this.#rounds[step.index] ?? this.world.round;
    if (this.world.send(this.#create(step)).error === null) this.seen.add(step.kind);
  }

  #create(step: Exclude<HouseStep, { kind: 'move' }>): Instruction {
    const { world } = this;
    const owner = this.#traders[step.trader] ?? world.alice;
    if (step.kind === 'donate') {
      const [source, destination] = [deriveForecastUsdc(owner), deriveForecastVault(world.round)];
      return transfer(TOKEN_PROGRAM, { source, destination, authority: owner, amount: step.amount });
    }
    const { side } = step;
    if (step.kind === 'buy') return world.buy(owner, side, step.amount);
    if (step.kind === 'sell-all') return world.sell(owner, side, world.tokens(owner, side));
    if (step.kind === 'sell') return world.sell(owner, side, step.amount);
    const mint = world.mint(side);
    const source = deriveOutcomeTokens(owner, mint);
    const { amount } = step;
    if (step.kind === 'burn') {
      return burn(TOKEN_2022_PROGRAM, { mint, account: source, authority: owner, amount });
    }
    const next = this.#traders[(step.trader + 1) % this.#traders.length] ?? world.bob;
    const destination = deriveOutcomeTokens(next, mint);
    return transferChecked(TOKEN_2022_PROGRAM, {
      source,
      mint,
      destination,
      authority: owner,
      amount,
      decimals: 6,
    });
  }

  /** Expects every open round to be covered, and all USDC to be there. */
  check(): void {
    for (const round of this.#rounds) {
      this.world.round = round;
      const { upOutstanding, downOutstanding } = this.world.read();
      expect(this.world.vault).toBeGreaterThanOrEqual(upOutstanding);
      expect(this.world.vault).toBeGreaterThanOrEqual(downOutstanding);
      expect(this.#getSupply('up')).toBeLessThanOrEqual(upOutstanding);
      expect(this.#getSupply('down')).toBeLessThanOrEqual(downOutstanding);
    }
    expect(this.#sumUsdc()).toBe(RESERVE + 3n * PURSE);
  }

  /**
   * Gives a round its result, pays every holder and closes it.
   *
   * @param closePrice - Null for a round that gets no result in time.
   * @param byOwner - For each holder whether the owner calls, and not the operator.
   */
  end(index: number, closePrice: bigint | null, byOwner: readonly boolean[]): void {
    const { world } = this;
    world.round = this.#rounds[index] ?? world.round;
    const { closeTime, openTime } = world.read();
    const close = closeTime - openTime;
    if (closePrice !== null) world.publish(close, closePrice);
    else world.clock(close + 600n);
    const [settled] = world.must(closePrice === null ? world.void() : world.settle());
    if (settled?.kind !== 'round-settled') throw new Error('no result');
    this.seen.add(settled.outcome);
    for (const [at, owner] of this.#traders.entries()) {
      for (const side of OUTCOME_SIDES) {
        const tokens = world.tokens(owner, side);
        if (tokens === 0n) continue;
        const before = world.usdc(owner);
        const isOwner = byOwner[2 * at + OUTCOME_SIDES.indexOf(side)] === true;
        world.must(world.payout(owner, side, isOwner ? owner : world.operator));
        const won = settled.outcome === side ? tokens : 0n;
        expect(world.usdc(owner) - before).toBe(settled.outcome === 'void' ? tokens / 2n : won);
        expect(this.#sumUsdc()).toBe(RESERVE + 3n * PURSE);
      }
    }
    world.must(world.close());
  }

  /** Expects no account of a round to be left, and all USDC to be with the traders and in the reserve. */
  checkEmpty(): void {
    for (const round of this.#rounds) expect(this.world.exists(round)).toBe(false);
    const { world } = this;
    const held = this.#traders.reduce((sum, owner) => sum + world.usdc(owner), 0n);
    expect(held + world.reserve).toBe(RESERVE + 3n * PURSE);
  }

  #sumUsdc(): bigint {
    const owners = [...this.#traders, ...this.#rounds];
    return owners.reduce((sum, owner) => sum + this.world.usdc(owner), this.world.reserve);
  }

  #getSupply(side: OutcomeSide): bigint {
    return decodeMint(this.world.network.account(this.world.mint(side))?.data ?? new Uint8Array()).supply;
  }
}
