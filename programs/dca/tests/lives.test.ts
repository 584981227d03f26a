import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEndAndCloseDca, createTransferDca } from '../../../src/protocols/jupiter-dca/dca-fills.ts';
import {
  createCloseDca,
  createDepositDca,
  createOpenDca,
  createOpenDcaV1,
  createWithdrawDca,
  createWithdrawDcaFees,
} from '../../../src/protocols/jupiter-dca/dca-instructions.ts';
import { computeDcaInputLeft } from '../../../src/protocols/jupiter-dca/dca-schedule.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../src/solana/program-addresses.ts';
import { transferLamports } from '../../../src/solana/programs/system.ts';
import { transfer } from '../../../src/solana/programs/token/instructions.ts';
import { minimum } from '../../../src/solana/units.ts';
import { assertProperty } from '../../../src/testing/random.ts';
import { yieldToOtherWork } from '../../../src/testing/waits.ts';
import { LifeModel, type ModelOrder, ModelRefused } from './life-model.ts';
import { DcaWorld, HOLDING } from './world.ts';

describe('the lives of orders', () => {
  it('leave every atom and every lamport where the rules say', async () => {
    const seen = new Map<string, number>();
    await assertProperty(
      fc.asyncProperty(
        fc.constantFrom(...PAIRS),
        fc.array(STEP, { minLength: 10, maxLength: 60 }),
        async (pair, steps) => {
          await yieldToOtherWork();
          const lives = new Lives(pair);
          for (const step of steps) {
            const outcome = `${step.kind} ${lives.take(step)}`;
            seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
            lives.compare();
          }
        },
      ),
      { cases: 600, short: 60, seed: SEED, against: 'the program' },
    );
    // The random lives reach what they are meant to.
    for (const kind of ['open', 'deposit', 'withdraw', 'fill', 'transfer', 'close', 'end', 'fees']) {
      expect(seen.get(`${kind} done`) ?? 0, kind).toBeGreaterThan(2);
    }
    for (const refused of ['fill 6018', 'fill 6045', 'fill 6046', 'withdraw 6012', 'end 6041']) {
      expect(seen.get(refused) ?? 0, refused).toBeGreaterThan(0);
    }
  });
});

const SEED = 20_261_128;

type Pair = 'tokens' | 'sells SOL' | 'buys SOL';
const PAIRS: readonly Pair[] = ['tokens', 'sells SOL', 'buys SOL'];

const amount = fc.oneof(fc.bigInt(0n, 12n), fc.bigInt(0n, 5_000n), fc.bigInt(1n, 10_000_000n));
const STEP = fc.record({
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constant('open' as const) },
    { weight: 10, arbitrary: fc.constant('fill' as const) },
    { weight: 6, arbitrary: fc.constant('wait' as const) },
    {
      weight: 12,
      arbitrary: fc.constantFrom(
        'deposit' as const,
        'withdraw' as const,
        'transfer' as const,
        'close' as const,
        'end' as const,
        'donate' as const,
        'donateLamports' as const,
        'fees' as const,
      ),
    },
  ),
  which: fc.nat(),
  amount,
  cycles: fc.bigInt(1n, 4n),
  seconds: fc.oneof(fc.bigInt(0n, 70n), fc.bigInt(0n, 1_000n)),
  bound: fc.constantFrom('none' as const, 'least' as const, 'most' as const),
  first: fc.boolean(),
  second: fc.boolean(),
});
type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

/** The program and the model, side by side. */
class Lives {
  readonly #world: DcaWorld;
  readonly #model: LifeModel;
  readonly #users: readonly Address[];
  readonly #receiver: Address;
  #idx = 0n;

  constructor(pair: Pair) {
    this.#world = new DcaWorld({
      ...(pair === 'sells SOL' ? { input: WRAPPED_SOL_MINT } : {}),
      ...(pair === 'buys SOL' ? { output: WRAPPED_SOL_MINT } : {}),
    });
    const { user, keeper, market, network, input, output, now } = this.#world;
    // The second user has no account of the output yet.
    this.#users = [user, network.newWallet()];
    const [, second] = this.#users as [Address, Address];
    this.#receiver = network.newWallet();
    this.#model = new LifeModel(keeper, now);
    for (const wallet of [...this.#users, keeper, market]) {
      this.#model.lamports.set(wallet, this.#world.lamports(wallet));
    }
    this.#world.hold(second, input, HOLDING);
    for (const [owner, mint, held] of [
      [user, input, HOLDING],
      [user, output, HOLDING],
      [second, input, HOLDING],
      [market, input, HOLDING],
      [market, output, HOLDING],
      [this.#receiver, output, 0n],
    ] as const) {
      const account = this.#world.hold(owner, mint, held);
      this.#model.tokens.set(account, { mint, amount: held });
      this.#model.lamports.set(account, this.#world.lamports(account));
    }
  }

  /** Takes the step in both. Returns the code with which both refuse it, or `done`. */
  take(step: Step): string {
    const orders = [...this.#model.orders.values()];
    const order = orders[step.which % Math.max(1, orders.length)];
    if (step.kind === 'wait') {
      this.#world.now += step.seconds;
      this.#model.now += step.seconds;
      return 'done';
    }
    if (step.kind === 'open') return this.#open(step);
    if (step.kind === 'fees') {
      const { output: mint, admin } = this.#world;
      const receiver = this.#world.tokens(this.#receiver, mint);
      const build = () => [createWithdrawDcaFees(admin, { mint, amount: step.amount, receiver })];
      return this.#both(build, () => this.#model.withdrawFees(mint, step.amount, receiver));
    }
    return order === undefined ? 'nothing' : this.#takeWith(order, step);
  }

  #takeWith(order: ModelOrder, step: Step): string {
    const [model, world] = [this.#model, this.#world];
    const { keeper, market } = world;
    const side = step.first ? 'in' : 'out';
    switch (step.kind) {
      case 'fill':
        if (step.first && order.nextCycleAt > model.now) {
          world.now = model.now = order.nextCycleAt;
        }
        return this.#both(
          () => world.fill(order, step.amount),
          () => {
            model.fill(order, market, step.amount);
          },
          step.amount > 0n,
        );
      case 'deposit':
        return this.#both(
          () => [createDepositDca(order, step.amount)],
          () => {
            if (step.amount === 0n) throw new ModelRefused(6013);
            model.deposit(order, step.amount);
          },
        );
      case 'withdraw': {
        const left = side === 'in' ? computeDcaInputLeft(order) : order.outReceived - order.outWithdrawn;
        const withdrawn = step.second ? left : step.amount;
        return this.#both(
          () => [createWithdrawDca(order, side, withdrawn)],
          () => model.withdraw(order, side, withdrawn),
        );
      }
      case 'transfer':
        return this.#both(
          () => [createTransferDca(keeper, order)],
          () => model.transfer(order),
        );
      case 'close':
        return this.#both(
          () => [createCloseDca(order)],
          () => model.close(order),
        );
      case 'end': {
        const ending = { opensAccount: step.first, paysDonation: step.second };
        const caller = step.second ? keeper : order.user;
        return this.#both(
          () => [createEndAndCloseDca(caller, order, ending)],
          () => model.end(order, ending),
        );
      }
      case 'donate': {
        const mint = side === 'in' ? order.inputMint : order.outputMint;
        const source = world.tokens(market, mint);
        const destination = side === 'in' ? order.inAccount : order.outAccount;
        const gift = { source, destination, authority: market, amount: step.amount };
        return this.#both(
          () => [transfer(TOKEN_PROGRAM, gift)],
          () => model.move(source, destination, step.amount),
        );
      }
      default: {
        const target = [order.address, order.inAccount, order.outAccount][step.which % 3] ?? order.address;
        const lamports = minimum(step.amount, 5_000n);
        return this.#both(
          () => [transferLamports(market, target, lamports)],
          () => model.pay(market, target, lamports),
        );
      }
    }
  }

  #open(step: Step): string {
    const [model, world] = [this.#model, this.#world];
    const inAmount = step.amount + 1n;
    const most = step.amount / 2n + 2n;
    const opening = world.opening({
      user: this.#users[step.which % 2] ?? world.user,
      idx: this.#idx++,
      inAmount,
      inAmountPerCycle:
        (inAmount + step.cycles - 1n) / step.cycles === 0n ? 1n : inAmount / step.cycles || 1n,
      cycleFrequency: 30n + (step.seconds % 60n),
      ...(step.bound === 'least' ? { minOutAmount: 3n } : {}),
      ...(step.bound === 'most' ? { maxOutAmount: most } : {}),
    });
    const payer = step.first ? world.market : opening.user;
    return this.#both(
      () => [
        payer === opening.user && step.second
          ? createOpenDcaV1(opening, false)
          : createOpenDca(opening, payer),
      ],
      () => {
        model.open(opening, payer);
      },
    );
  }

  /** Runs both, of which the model refuses before it changes anything. */
  #both(build: () => readonly Instruction[], run: () => void, isChecked = true): string {
    const instructions = build();
    let expected: number | null = null;
    try {
      run();
    } catch (error) {
      if (!(error instanceof ModelRefused)) throw error;
      expected = error.code;
    }
    const { error, logs } = this.#world.send(...instructions);
    // A fill that promises nothing has a code of its own.
    const code = isChecked ? expected : 6025;
    expect(error?.custom ?? error?.kind ?? null, logs.join('\n')).toBe(code);
    return expected === null ? 'done' : String(expected);
  }

  /** Compares every order, balance and wallet. */
  compare(): void {
    const [model, world] = [this.#model, this.#world];
    for (const order of model.orders.values()) expect(world.order(order.address)).toEqual(order);
    for (const [account, { amount: held }] of model.tokens) {
      expect(world.balance(account), account).toBe(held);
    }
    for (const [address, lamports] of model.lamports) {
      expect(world.lamports(address), address).toBe(lamports);
    }
    for (const order of model.orders.values()) {
      const [counted, bought] = [
        order.inDeposited - order.inWithdrawn - order.inUsed,
        order.outReceived - order.outWithdrawn,
      ];
      expect(world.balance(order.inAccount)).toBeGreaterThanOrEqual(counted);
      expect(world.balance(order.outAccount)).toBeGreaterThanOrEqual(bought);
    }
  }
}
