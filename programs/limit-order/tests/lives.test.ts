import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeFillPayment } from '../../../src/protocols/jupiter-limit-order/amounts.ts';
import {
  createInitializeOrder,
  type OrderToken,
} from '../../../src/protocols/jupiter-limit-order/instructions.ts';
import { LIMIT_ORDER_FEE } from '../../../src/protocols/jupiter-limit-order/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { SYSTEM_PROGRAM, WRAPPED_SOL_MINT } from '../../../src/solana/program-addresses.ts';
import { divideUp } from '../../../src/solana/units.ts';
import { assertProperty } from '../../../src/testing/random.ts';
import {
  type FillOptions,
  LimitWorld,
  ORDER_RENT,
  type PlacedOrder,
  START,
  TOKEN_PROGRAMS,
} from './world.ts';

// Every atom and every lamport is in a model beside the network, and the two are compared after each step.
describe.each([
  ...TOKEN_PROGRAMS.map(([name, tokenProgram]) => [`in ${name}`, { tokenProgram }] as const),
  ['that sell SOL', { input: 'SOL' }] as const,
  ['that buy SOL', { output: 'SOL' }] as const,
])('random lives of orders %s', (_, options) => {
  it('account for every atom and lamport, and pay each maker at least its price', () => {
    // A network for each life would be more programs in memory than a process may map.
    const world = new LimitWorld(options);
    assertProperty(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
        const life = new Life(world);
        for (const each of steps) life.take(each);
        life.end();
      }),
      { cases: 500, short: 40, seed: 20_261_128 },
    );
  });
});

const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: 20n }),
  fc.bigInt({ min: 1n, max: 2_000_000n }),
  fc.bigInt({ min: 1n, max: 1n << 44n }),
);

const step = fc.record({
  kind: fc.constantFrom(
    'place',
    'place',
    'fill',
    'fill',
    'fill',
    'fillRest',
    'cancel',
    'cancelAsStranger',
    'wait',
    'donate',
  ),
  maker: fc.nat(1),
  keeper: fc.nat(1),
  /** Which of the open orders, counted around. */
  order: fc.nat(9),
  making: amount,
  taking: amount,
  /** The share of the rest that is filled, in thousandths. */
  share: fc.integer({ min: 0, max: 1_050 }),
  feeBps: fc.option(fc.integer({ min: 3, max: 1_000 }), { nil: null }),
  slippageBps: fc.option(fc.constantFrom(0, 1, 50, 5_000, 9_999), { nil: null }),
  /** How much below what is owed the taker's maximum is, in basis points. */
  discount: fc.constantFrom(0n, 0n, 0n, 1n, 50n, 4_999n),
  lifetime: fc.option(fc.integer({ min: 1, max: 50 }), { nil: null }),
  hasReferral: fc.boolean(),
  /** How SOL is paid: out of an account of wrapped SOL, in SOL itself into the maker's account, or to its wallet. */
  pays: fc.constantFrom('wrapped', 'lamports', 'wallet'),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What the model knows of an open order. */
interface Open {
  readonly order: PlacedOrder;
  readonly originalTaking: bigint;
  readonly feeBps: number;
  readonly slippageBps: number;
  readonly expiredAt: bigint | null;
  readonly reserveRent: bigint;
  making: bigint;
  taking: bigint;
  /** What others have sent to the reserve. */
  donated: bigint;
  /** What the maker and the fee account got so far. */
  received: bigint;
  fees: bigint;
  hasSlipped: boolean;
  /** Such a payment has no fee. */
  hasPaidOneAtom: boolean;
}

const RICH = 1n << 50n;

class Life {
  readonly #world: LimitWorld;
  readonly #makers: readonly Address[];
  readonly #keepers: readonly Address[];
  readonly #referral: Address;
  readonly #accounts: ReadonlyMap<string, readonly [Address, OrderToken]>;
  readonly #atoms = new Map<string, bigint>();
  readonly #lamports = new Map<Address, bigint>();
  readonly #open: Open[] = [];
  #now = START;
  #nextId = 0n;

  constructor(world: LimitWorld) {
    this.#world = world;
    const { network, input, output } = world;
    network.setUnixTime(START);
    this.#makers = [network.newWallet(), network.newWallet()];
    this.#keepers = [network.newWallet(), network.newWallet()];
    const partner = network.newWallet();
    this.#referral = this.#world.tokens(partner, output);
    const owners = [...this.#makers, ...this.#keepers, partner, LIMIT_ORDER_FEE];
    const accounts = owners.flatMap((owner) =>
      [input, output].map((token) => [nameOf(owner, token), [owner, token]] as const),
    );
    this.#accounts = new Map(accounts);
    for (const [name, [owner, token]] of this.#accounts) {
      const isRich = token === input ? this.#makers.includes(owner) : this.#keepers.includes(owner);
      this.#world.hold(owner, token, isRich ? RICH : 0n);
      this.#atoms.set(name, isRich ? RICH : 0n);
    }
    for (const wallet of [...this.#makers, ...this.#keepers]) {
      const funded = { lamports: RICH, owner: SYSTEM_PROGRAM, data: new Uint8Array(0) };
      network.setAccount(wallet, { ...funded, executable: false, rentEpoch: 0n });
      this.#lamports.set(wallet, this.#world.lamports(wallet));
    }
  }

  take(step: Step): void {
    const run = {
      place: () => this.#place(step),
      fill: () => this.#fill(step, false),
      fillRest: () => this.#fill(step, true),
      cancel: () => this.#cancel(step, false),
      cancelAsStranger: () => this.#cancel(step, true),
      wait: () => this.#wait(step),
      donate: () => this.#donate(step),
    }[step.kind];
    run();
    this.#compare();
  }

  /** Cancels what is open. Then no program account holds anything but fees. */
  end(): void {
    for (const open of [...this.#open]) this.#close(open, open.order.maker);
    this.#compare();
    const { input, output } = this.#world;
    const sum = (token: OrderToken) =>
      [...this.#accounts.values()]
        .filter(([, each]) => each === token)
        .reduce((total, [owner]) => total + this.#world.balance(owner, token), 0n);
    expect(sum(output)).toBe(2n * RICH + this.#wrapped);
    expect(sum(input)).toBe(2n * RICH + this.#donations);
  }

  #donations = 0n;
  /** What takers paid in SOL itself and is in accounts of wrapped SOL now. */
  #wrapped = 0n;

  #place({ maker, making, taking, feeBps, slippageBps, lifetime, hasReferral }: Step): void {
    const wallet = this.#makers[maker] as Address;
    const world = this.#world;
    const terms = world.terms({
      payer: wallet,
      maker: wallet,
      uniqueId: this.#nextId++,
      making,
      taking,
      feeBps,
      slippageBps,
      expiredAt: lifetime === null ? null : this.#now + BigInt(lifetime),
      referral: hasReferral ? this.#referral : null,
    });
    world.must(createInitializeOrder(terms));
    const order = world.placed(terms);
    const isSol = order.inputMint === WRAPPED_SOL_MINT;
    const reserveRent = world.lamports(order.inputReserve) - (isSol ? making : 0n);
    this.#open.push({
      order,
      originalTaking: taking,
      feeBps: feeBps ?? 10,
      slippageBps: slippageBps ?? 0,
      expiredAt: terms.expiredAt,
      reserveRent,
      making,
      taking,
      donated: 0n,
      received: 0n,
      fees: 0n,
      hasSlipped: false,
      hasPaidOneAtom: false,
    });
    this.#move(wallet, world.input, -making);
    this.#pay(wallet, -(ORDER_RENT + reserveRent));
  }

  #fill({ keeper, order: index, share, discount, pays }: Step, isRest: boolean): void {
    const open = this.#open[index % Math.max(1, this.#open.length)];
    if (open === undefined) return;
    const taker = this.#keepers[keeper] as Address;
    const world = this.#world;
    const making = isRest ? open.making : (open.making * BigInt(share)) / 1_000n;
    const isWhole = making === open.making;
    const owed = isWhole ? open.taking : divideUp(making * open.taking, open.making);
    const maximum = owed - (owed * discount) / 10_000n;
    const payment = computeFillPayment(open, making, maximum);
    const { error } = world.send(
      ...world.fill(open.order, making, { maximum, ...this.#waysToPay(pays) }, taker),
    );
    const isExpired = open.expiredAt !== null && this.#now >= open.expiredAt;
    expect(error === null).toBe(payment !== null && !isExpired);
    if (error !== null || payment === null) return;
    const { paid, fee } = payment;
    expect(fee <= divideUp(paid * BigInt(open.feeBps), 10_000n)).toBe(true);
    expect(paid > fee).toBe(true);
    this.#move(taker, world.input, isWhole ? making + open.donated : making);
    this.#settle(pays, [taker, open.order.maker], { paid, fee });
    this.#collect(open, fee);
    open.making -= making;
    open.taking -= payment.owed;
    open.received += paid - fee;
    open.fees += fee;
    open.hasSlipped ||= paid < payment.owed;
    open.hasPaidOneAtom ||= paid === 1n;
    this.#checkPrice(open);
    if (open.making > 0n) return;
    this.#remove(open);
    this.#pay(open.order.maker, ORDER_RENT + open.reserveRent);
  }

  #waysToPay(pays: Step['pays']): FillOptions {
    if (pays === 'wrapped' || this.#world.output.mint !== WRAPPED_SOL_MINT) return {};
    return pays === 'lamports' ? { source: null } : { source: null, destination: null };
  }

  #settle(
    pays: Step['pays'],
    [taker, maker]: readonly [Address, Address],
    { paid, fee }: { readonly paid: bigint; readonly fee: bigint },
  ): void {
    const { output } = this.#world;
    const { source, destination } = this.#waysToPay(pays);
    if (source === null) this.#pay(taker, -paid);
    else this.#move(taker, output, -paid);
    if (destination === null) this.#pay(maker, paid - fee);
    else this.#move(maker, output, paid - fee);
    if (source === null) this.#wrapped += destination === null ? fee : paid;
  }

  /** Holds that what was sold so far earned at least the order's price, less one rounding of the fee. */
  #checkPrice({
    order,
    making,
    originalTaking,
    received,
    fees,
    feeBps,
    hasSlipped,
    hasPaidOneAtom,
  }: Open): void {
    if (hasSlipped) return;
    const earned = received + fees;
    expect(earned * order.making >= (order.making - making) * originalTaking).toBe(true);
    const due = divideUp(earned * BigInt(feeBps), 10_000n);
    expect(fees <= due).toBe(true);
    if (!hasPaidOneAtom) expect(fees).toBe(due);
    if (making === 0n) expect(earned).toBe(originalTaking);
  }

  #cancel({ keeper, order: index }: Step, isStranger: boolean): void {
    const open = this.#open[index % Math.max(1, this.#open.length)];
    if (open === undefined) return;
    const signer = isStranger ? (this.#keepers[keeper] as Address) : open.order.maker;
    if (!isStranger || (open.expiredAt !== null && this.#now >= open.expiredAt)) {
      this.#close(open, signer);
      return;
    }
    expect(this.#world.refusal(this.#world.cancel(open.order, signer))).toBe(6008);
  }

  #close(open: Open, signer: Address): void {
    this.#world.must(this.#world.cancel(open.order, signer));
    this.#remove(open);
    this.#move(open.order.maker, this.#world.input, open.making + open.donated);
    this.#pay(open.order.maker, ORDER_RENT + open.reserveRent);
  }

  #wait({ share }: Step): void {
    this.#now += BigInt(share % 60);
    this.#world.network.setUnixTime(this.#now);
  }

  #donate({ order: index, share }: Step): void {
    const open = this.#open[index % Math.max(1, this.#open.length)];
    // Wrapped SOL would need the lamports, too.
    if (open === undefined || open.order.inputMint === WRAPPED_SOL_MINT) return;
    const gift = BigInt(share);
    open.donated += gift;
    this.#donations += gift;
    const { network } = this.#world;
    const account = network.account(open.order.inputReserve);
    if (account === null) throw new Error('an open order has a reserve');
    const data = Buffer.from(account.data);
    data.writeBigUInt64LE(open.making + open.donated, 64);
    network.setAccount(open.order.inputReserve, { ...account, data });
  }

  #collect({ order }: Open, fee: bigint): void {
    const account = [...this.#accounts].find(
      ([, [owner, token]]) => this.#world.tokens(owner, token) === order.feeAccount,
    );
    if (account === undefined) throw new Error('no such fee account');
    this.#move(account[1][0], account[1][1], fee);
  }

  #move(owner: Address, token: OrderToken, atoms: bigint): void {
    const name = nameOf(owner, token);
    this.#atoms.set(name, (this.#atoms.get(name) ?? 0n) + atoms);
  }

  #pay(wallet: Address, lamports: bigint): void {
    this.#lamports.set(wallet, (this.#lamports.get(wallet) ?? 0n) + lamports);
  }

  #remove(open: Open): void {
    this.#open.splice(this.#open.indexOf(open), 1);
    const { network } = this.#world;
    expect([network.account(open.order.address), network.account(open.order.inputReserve)]).toEqual([
      null,
      null,
    ]);
  }

  #compare(): void {
    const world = this.#world;
    for (const [name, [owner, token]] of this.#accounts) {
      expect(world.balance(owner, token), name).toBe(this.#atoms.get(name));
    }
    for (const [wallet, lamports] of this.#lamports) expect(world.lamports(wallet)).toBe(lamports);
    for (const { order, making, taking, donated } of this.#open) {
      expect(world.read(order)).toMatchObject({ making, taking, borrowedMaking: 0n });
      expect(world.balanceAt(order.inputReserve)).toBe(making + donated);
    }
  }
}

function nameOf(owner: Address, { mint }: OrderToken): string {
  return `${owner} ${mint}`;
}
