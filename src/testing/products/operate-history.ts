import fc from 'fast-check';
import { expect } from 'vitest';
import {
  updateUserBorrowConfig,
  updateUserSupplyConfig,
} from '../../../programs/liquidity/tests/instructions.ts';
import { type VaultSpec, VaultWorld } from '../../../programs/vaults/tests/world.ts';
import { SvmChain } from '../svm/chain.ts';
import type { TestOutcome } from '../svm/network.ts';
import { ORACLE_PROGRAM } from '../../protocols/jupiter-lend/lending-base/programs.ts';
import {
  MIN_I128,
  getMinimumOperateAmount,
  toVaultUnits,
} from '../../protocols/jupiter-lend/vaults/state/limits.ts';
import type { OperateAmounts } from '../../protocols/jupiter-lend/vaults/model/predict-operate.ts';
import { EMPTY_POSITION_STATE } from '../../protocols/jupiter-lend/vaults/state/position-state.ts';
import { RATIO_ONE, computeRatioAtTick } from '../../protocols/jupiter-lend/vaults/state/ticks.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { BorrowAccounts } from '../../lend/borrow/borrow-accounts.ts';
import { VaultMarkets } from '../../lend/borrow/markets.ts';
import { buildOperate, type BuiltOperate } from '../../lend/borrow/build-operate.ts';
import { BorrowRefused } from '../../lend/borrow/refusals.ts';

/** How many events a history has. */
const EVENTS = 80;
const USERS = 4;
const PRICE_ONE = 10n ** 12n;
const FIRST_PRICE = 100_000_000n;
const [MIN_PRICE, MAX_PRICE] = [5_000_000n, 500_000_000n];

const KINDS = { open: 6, operate: 16, price: 4, unsafe: 2, time: 2, stale: 1, liquidate: 5 } as const;

/** One event; what the numbers mean depends on the kind. Shares are 10,000ths. */
export interface OperateStep {
  readonly kind: keyof typeof KINDS;
  readonly user: number;
  readonly share: bigint;
  readonly otherShare: bigint;
  readonly collateral: number;
  readonly debt: number;
  readonly byOther: boolean;
}

export const steps: fc.Arbitrary<readonly OperateStep[]> = fc.noBias(
  fc.array(
    fc.record({
      kind: fc.oneof(
        ...Object.entries(KINDS).map(([name, weight]) => ({
          weight,
          arbitrary: fc.constant(name as keyof typeof KINDS),
        })),
      ),
      user: fc.nat(USERS - 1),
      share: fc.bigInt(1n, 10_000n),
      otherShare: fc.bigInt(1n, 10_000n),
      collateral: fc.nat(7),
      debt: fc.nat(7),
      byOther: fc.nat(9).map((number) => number === 0),
    }),
    { minLength: EVENTS, maxLength: EVENTS },
  ),
);

/** A vault with narrow limits, whose positions are operated as the endpoint builds it. */
export class RestHistory {
  readonly world: VaultWorld;
  readonly #chain: SvmChain;
  readonly #accounts: BorrowAccounts;
  readonly #users: readonly Address[];
  readonly #positions: number[];
  /** How often the endpoint built an operation, and why it refused others. */
  readonly tally: Map<string, number>;
  #price = FIRST_PRICE;

  private constructor(
    world: VaultWorld,
    chain: SvmChain,
    accounts: BorrowAccounts,
    users: readonly Address[],
    tally: Map<string, number>,
  ) {
    this.world = world;
    this.#chain = chain;
    this.#accounts = accounts;
    this.tally = tally;
    this.#users = users;
    this.#positions = users.map((_, at) => 2 + at);
  }

  static async open(spec: VaultSpec, tally: Map<string, number>): Promise<RestHistory> {
    const world = new VaultWorld({ ...spec, terms: { withdrawGap: 500 } });
    const collateral = 100n * 10n ** BigInt(world.supply.decimals);
    // What that is worth at the first price.
    const debt =
      (FIRST_PRICE * 100n * 10n ** BigInt(world.borrow.decimals)) / 10n ** BigInt(world.priceDecimals);
    const limits = { mode: 1, expandPercent: 3_000n, expandDuration: 36_000n };
    const supply = { ...limits, baseWithdrawalLimit: collateral / 4n };
    world.must(updateUserSupplyConfig(world.admin, world.config, world.supply.mint, supply));
    const borrow = { ...limits, baseDebtCeiling: debt / 4n, maxDebtCeiling: debt * 2n };
    world.must(updateUserBorrowConfig(world.admin, world.config, world.borrow.mint, borrow));
    // The first position stays: the last debt of a vault cannot be paid back in full.
    const first = world.user();
    const opened = world.operate(world.open(first), first, {
      collateral: collateral / 10n,
      debt: debt / 500n,
    });
    expect(opened.error).toBeNull();
    const users = Array.from({ length: USERS }, () => world.user());
    for (const user of users) world.open(user);
    const chain = new SvmChain(world.network);
    const accounts = await BorrowAccounts.open(chain, (_, error) => {
      throw error;
    });
    return new RestHistory(world, chain, accounts, users, tally);
  }

  close(): void {
    this.#accounts.close();
  }

  async run(step: OperateStep): Promise<void> {
    const { world } = this;
    const { share, otherShare } = step;
    if (step.kind === 'price') this.#setPrice((this.#price * (9_000n + share / 5n)) / 10_000n);
    else if (step.kind === 'unsafe') this.#bringTopTo(7_900n + share / 7n);
    else if (step.kind === 'time') this.#pass(() => world.pass(share * 50n));
    else if (step.kind === 'stale') await this.#whileStale(step);
    else if (step.kind === 'liquidate') this.#liquidate(share, otherShare);
    else await this.#operate(step);
  }

  #pass(change: () => void): void {
    change();
    this.#publish([]);
  }

  /** Lets clients see what the accounts are now: those of the instructions, and the feed. */
  #publish(instructions: readonly Instruction[]): void {
    const named = instructions.flatMap(({ accounts }) => accounts.map(({ address }) => address));
    this.#chain.publish([...new Set([this.world.feed, ...named])]);
  }

  #setPrice(price: bigint): void {
    this.#price = price < MIN_PRICE ? MIN_PRICE : price > MAX_PRICE ? MAX_PRICE : price;
    this.#pass(() => this.world.setPrice(this.#price));
  }

  /** Sets the price at which the debt at the top is that share of its collateral's worth. */
  #bringTopTo(share: bigint): void {
    const { topmostTick } = this.world.state();
    const one = 10n ** BigInt(this.world.priceDecimals);
    this.#setPrice((computeRatioAtTick(topmostTick) * one * 10_000n) / RATIO_ONE / share);
  }

  /** The feed is too old for users, or even for liquidations, during one operation. */
  async #whileStale(step: OperateStep): Promise<void> {
    const { world } = this;
    world.now += step.otherShare > 5_000n ? 601n : 7_201n;
    world.network.setUnixTime(world.now);
    await this.#operate(step);
    this.#pass(() => world.pass(1n));
  }

  #liquidate(share: bigint, otherShare: bigint): void {
    const { world } = this;
    this.#bringTopTo(8_500n + otherShare / 10n);
    const liquidator = world.user();
    const most = world.state().totalBorrow / toVaultUnits(1n, world.borrow.decimals);
    const instruction = world.liquidation(liquidator, { debt: (most * share) / 10_000n, absorb: false });
    const { error } = world.network.send([instruction]);
    if (error === null) this.#count('liquidation');
    this.#publish([instruction]);
  }

  #count(what: string): void {
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1);
  }

  #collateralOf(step: OperateStep, held: bigint): bigint {
    const whole = 10n ** BigInt(this.world.supply.decimals);
    const choices = [
      0n,
      0n,
      (50n * whole * step.share) / 10_000n,
      (whole * step.share) / 10_000n,
      -((held * step.share) / 10_000n),
      -(held + step.share - 5_000n),
      -((held * step.share) / 40_000n),
      MIN_I128,
    ];
    return choices[step.collateral] ?? 0n;
  }

  /** @param room - What may be borrowed in addition at the whole worth of the collateral. */
  #debtOf(step: OperateStep, owed: bigint, room: bigint): bigint {
    const least = getMinimumOperateAmount(this.world.borrow.decimals);
    const choices = [
      0n,
      0n,
      (room * step.otherShare) / 10_000n,
      (room * step.otherShare) / 10_000n,
      least + step.otherShare / 10n - 20n,
      -((owed * step.otherShare) / 10_000n),
      -(owed + (step.otherShare % 5n) - 2n),
      MIN_I128,
    ];
    return choices[step.debt] ?? 0n;
  }

  /** Atoms of debt that collateral is worth. */
  #worth(collateral: bigint): bigint {
    const { supply, borrow, priceDecimals } = this.world;
    return (
      (toVaultUnits(collateral, supply.decimals) * this.#price) /
      10n ** BigInt(priceDecimals) /
      toVaultUnits(1n, borrow.decimals)
    );
  }

  #firstAmounts({ share, otherShare }: OperateStep): OperateAmounts {
    const collateral = (20n * 10n ** BigInt(this.world.supply.decimals) * share) / 10_000n;
    return { collateral, debt: (this.#worth(collateral) * (4_000n + (otherShare * 9n) / 20n)) / 10_000n };
  }

  #amountsOf(step: OperateStep, position: number | null): OperateAmounts {
    const { world } = this;
    const now = position === null ? EMPTY_POSITION_STATE : world.positionState(position);
    const { supply, borrow } = world.prices();
    const held = (now.collateral * supply) / PRICE_ONE / toVaultUnits(1n, world.supply.decimals);
    const owed = (now.debt * borrow + PRICE_ONE - 1n) / PRICE_ONE / toVaultUnits(1n, world.borrow.decimals);
    const collateral = this.#collateralOf(step, held);
    const left = held + (collateral === MIN_I128 ? -held : collateral);
    return { collateral, debt: this.#debtOf(step, owed, this.#worth(left) - owed) };
  }

  async #operate(step: OperateStep): Promise<void> {
    const opens = step.kind === 'open';
    const position = opens ? null : (this.#positions[step.user] ?? null);
    const owner = this.#users[step.user] ?? this.world.admin;
    const signer = step.byOther && !opens ? this.world.user() : owner;
    const amounts = opens ? this.#firstAmounts(step) : this.#amountsOf(step, position);
    // What the endpoint refuses while it reads the request.
    const isNothing = amounts.collateral === 0n && amounts.debt === 0n;
    if (isNothing || (opens && (amounts.collateral < 0n || amounts.debt < 0n))) return;
    const built = await this.#build(signer, owner, position ?? 0, amounts);
    if (built instanceof BorrowRefused) {
      this.#expectRefused(built, position ?? this.#openFor(step.user, owner), signer, owner, amounts);
      return;
    }
    this.#count('built');
    this.#expectPredicted(built, signer);
    if (opens) this.#positions[step.user] = built.positionId;
  }

  #openFor(user: number, owner: Address): number {
    const id = this.world.open(owner);
    this.#positions[user] = id;
    return id;
  }

  async #build(
    signer: Address,
    positionOwner: Address,
    positionId: number,
    amounts: OperateAmounts,
  ): Promise<BuiltOperate | BorrowRefused> {
    const dependencies = { chain: this.#chain, accounts: this.#accounts, markets: new VaultMarkets([]) };
    const request = { market: 'main', vaultId: 1, positionId, signer, positionOwner, amounts } as const;
    try {
      return await buildOperate(dependencies, request);
    } catch (error) {
      if (error instanceof BorrowRefused) return error;
      throw error;
    }
  }

  /** What the endpoint built lands, and changes what it said. */
  #expectPredicted({ instructions, outcome, positionId }: BuiltOperate, signer: Address): void {
    const { world } = this;
    const before = this.#balances(signer);
    const landed = world.network.send(instructions);
    this.#publish(instructions);
    expect({ error: landed.error, logs: landed.error === null ? [] : landed.logs }).toEqual({
      error: null,
      logs: [],
    });
    const { supplyAmount, tick, dustDebtAmount } = world.position(positionId);
    expect({ supplyAmount, tick, dustDebtAmount }).toEqual({
      supplyAmount: outcome.collateral,
      tick: outcome.tick,
      dustDebtAmount: outcome.dust,
    });
    const after = this.#balances(signer);
    const moved = { collateral: before.supply - after.supply, debt: after.borrow - before.borrow };
    expect(moved).toEqual(outcome.moved);
  }

  #balances(owner: Address) {
    const { world } = this;
    return { supply: world.balance(owner, world.supply), borrow: world.balance(owner, world.borrow) };
  }

  /** What the endpoint refuses, the programs refuse with the same error. */
  #expectRefused(
    refused: BorrowRefused,
    position: number,
    signer: Address,
    owner: Address,
    amounts: OperateAmounts,
  ): void {
    const { world } = this;
    this.#count(refused.message.split(':')[0] ?? '');
    const { prepare, operate } = world.operation(position, signer, amounts, owner);
    if (prepare.length > 0) world.must(...prepare);
    const before = { position: world.position(position), ...this.#balances(signer) };
    const outcome = world.network.send([operate]);
    this.#publish([...prepare, operate]);
    if (outcome.error === null) {
      // The one request that the program does not refuse changes nothing.
      expect(refused.message).toContain('nothing to withdraw');
      expect({ position: world.position(position), ...this.#balances(signer) }).toEqual(before);
      return;
    }
    if (refused.message.startsWith('VaultCpiToOracleFailed')) expectProgramFailure(ORACLE_PROGRAM, outcome);
    else if (refused.programCode !== null) expect(outcome.error?.custom).toBe(refused.programCode);
  }
}

function expectProgramFailure(program: Address, { logs }: TestOutcome): void {
  expect(logs.some((line) => line.startsWith(`Program ${program} failed`))).toBe(true);
}
