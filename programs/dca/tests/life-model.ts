import type { DcaEnding } from '../../../src/protocols/jupiter-dca/dca-fills.ts';
import type { DcaOpening, DcaSide } from '../../../src/protocols/jupiter-dca/dca-instructions.ts';
import type { DcaOrder } from '../../../src/protocols/jupiter-dca/dca-order.ts';
import { DCA_FEE_AUTHORITY, deriveDcaOrderAddress } from '../../../src/protocols/jupiter-dca/dca-program.ts';
import {
  computeDcaBounds,
  computeDcaCycle,
  computeDcaDueAfter,
  computeDcaFee,
  computeDcaInputLeft,
} from '../../../src/protocols/jupiter-dca/dca-schedule.ts';
import type { Address } from '../../../src/solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../src/solana/program-addresses.ts';
import { ORDER_RENT, TOKEN_RENT } from './world.ts';

/** Thrown by a step that the program must refuse. Its message is the code. */
export class ModelRefused extends Error {
  readonly code: number;

  constructor(code: number) {
    super(String(code));
    this.code = code;
  }
}

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

/** An order of the model. */
export type ModelOrder = Writable<DcaOrder> & { readonly address: Address };

/**
 * What every order, token account and wallet must hold. It knows the rules of the program and none of its code, except for
 * the schedule.
 */
export class LifeModel {
  readonly lamports = new Map<Address, bigint>();
  readonly tokens = new Map<Address, { readonly mint: Address; amount: bigint }>();
  readonly orders = new Map<Address, ModelOrder>();
  readonly #keeper: Address;
  now: bigint;

  constructor(keeper: Address, now: bigint) {
    this.#keeper = keeper;
    this.now = now;
  }

  account(owner: Address, mint: Address): Address {
    return deriveAssociatedTokenAddress(owner, mint, TOKEN_PROGRAM);
  }

  /** Opens the associated account of a wallet unless it exists. Returns its address. */
  openTokens(payer: Address, owner: Address, mint: Address): Address {
    const account = this.account(owner, mint);
    if (!this.tokens.has(account)) {
      this.tokens.set(account, { mint, amount: 0n });
      this.pay(payer, account, TOKEN_RENT);
    }
    return account;
  }

  pay(from: Address, to: Address, lamports: bigint): void {
    this.lamports.set(from, (this.lamports.get(from) ?? 0n) - lamports);
    this.lamports.set(to, (this.lamports.get(to) ?? 0n) + lamports);
  }

  move(from: Address, to: Address, amount: bigint): void {
    const [source, destination] = [this.tokens.get(from), this.tokens.get(to)];
    if (source === undefined || destination === undefined) throw new Error('a token account is missing');
    source.amount -= amount;
    destination.amount += amount;
    if (source.mint === WRAPPED_SOL_MINT) this.pay(from, to, amount);
  }

  #amount(account: Address): bigint {
    return this.tokens.get(account)?.amount ?? 0n;
  }

  /** Closes a token account. Whatever lamports it has go to `to`. */
  #closeTokens(account: Address, to: Address): void {
    this.pay(account, to, this.lamports.get(account) ?? 0n);
    this.tokens.delete(account);
  }

  open(opening: DcaOpening, payer: Address): ModelOrder {
    const { user, inputMint, outputMint, idx, inAmount, inAmountPerCycle, cycleFrequency } = opening;
    const { address, bump } = deriveDcaOrderAddress(opening);
    this.pay(payer, address, ORDER_RENT);
    const inAccount = this.openTokens(payer, address, inputMint);
    const outAccount = this.openTokens(payer, address, outputMint);
    this.move(this.account(user, inputMint), inAccount, inAmount);
    const order: ModelOrder = {
      address,
      user,
      inputMint,
      outputMint,
      idx,
      inAmountPerCycle,
      cycleFrequency,
      bump,
      inAccount,
      outAccount,
      inDeposited: inAmount,
      inWithdrawn: 0n,
      inUsed: 0n,
      outReceived: 0n,
      outWithdrawn: 0n,
      nextCycleAmountLeft: 0n,
      createdAt: this.now,
      minOutAmount: opening.minOutAmount ?? 0n,
      maxOutAmount: opening.maxOutAmount ?? 0n,
      keeperInBalanceBeforeBorrow: 0n,
      dcaOutBalanceBeforeSwap: 0n,
      nextCycleAt: this.now,
    };
    this.orders.set(address, order);
    this.#plan(order);
    return order;
  }

  deposit(order: ModelOrder, amount: bigint): void {
    this.move(this.account(order.user, order.inputMint), order.inAccount, amount);
    order.inDeposited += amount;
    this.#plan(order);
  }

  withdraw(order: ModelOrder, side: DcaSide, amount: bigint): void {
    const left = side === 'in' ? computeDcaInputLeft(order) : order.outReceived - order.outWithdrawn;
    if (amount === 0n) throw new ModelRefused(6000);
    if (amount > left) throw new ModelRefused(6012);
    const mint = side === 'in' ? order.inputMint : order.outputMint;
    const own = this.openTokens(order.user, order.user, mint);
    this.move(side === 'in' ? order.inAccount : order.outAccount, own, amount);
    if (side === 'in') order.inWithdrawn += amount;
    else order.outWithdrawn += amount;
    this.#plan(order);
  }

  /** A fill in which the market pays `paid` atoms for a cycle. */
  fill(order: ModelOrder, market: Address, paid: bigint): void {
    if (this.now < order.nextCycleAt) throw new ModelRefused(6018);
    const amount = computeDcaCycle(order);
    if (amount === 0n) throw new ModelRefused(6012);
    const fee = computeDcaFee(paid);
    if (paid - fee < 1n) throw new ModelRefused(6020);
    const { least, most } = computeDcaBounds(order, amount);
    if (paid - fee < least) throw new ModelRefused(6045);
    if (most !== null && paid - fee > most) throw new ModelRefused(6046);
    const keeper = this.#keeper;
    const between = this.openTokens(keeper, keeper, order.inputMint);
    this.move(order.inAccount, between, amount);
    this.move(between, this.account(market, order.inputMint), amount);
    this.move(this.account(market, order.outputMint), order.outAccount, paid);
    const fees = this.openTokens(keeper, DCA_FEE_AUTHORITY.address, order.outputMint);
    this.move(order.outAccount, fees, fee);
    order.inUsed += amount;
    order.outReceived += paid - fee;
    order.nextCycleAt = computeDcaDueAfter(order, this.now);
    this.#plan(order);
  }

  /** Pays out what was bought. */
  transfer(order: ModelOrder): void {
    const amount = order.outReceived - order.outWithdrawn;
    if (amount === 0n) throw new ModelRefused(6035);
    const own = this.account(order.user, order.outputMint);
    if (order.outputMint === WRAPPED_SOL_MINT) {
      const account = this.tokens.get(order.outAccount);
      if (account === undefined) throw new Error('an order has its accounts');
      account.amount -= amount;
      this.pay(order.outAccount, order.user, amount);
    } else {
      if (!this.tokens.has(own)) throw new ModelRefused(3012);
      this.move(order.outAccount, own, amount);
    }
    order.outWithdrawn += amount;
  }

  /** The user closes the order, whatever it holds. */
  close(order: ModelOrder): void {
    const { user } = order;
    for (const [account, mint] of [
      [order.inAccount, order.inputMint],
      [order.outAccount, order.outputMint],
    ] as const) {
      this.move(account, this.openTokens(user, user, mint), this.#amount(account));
      this.#closeTokens(account, user);
    }
    this.#remove(order);
  }

  /** Somebody closes a finished order. */
  end(order: ModelOrder, { opensAccount, paysDonation }: DcaEnding): void {
    const { user, inputMint, outputMint, inAccount, outAccount } = order;
    if (computeDcaInputLeft(order) > 0n) throw new ModelRefused(6041);
    const own = this.account(user, inputMint);
    const hasGift = inputMint !== WRAPPED_SOL_MINT && this.#amount(inAccount) > 0n;
    const hasOutput = outputMint !== WRAPPED_SOL_MINT && this.#amount(outAccount) > 0n;
    if (hasGift && paysDonation !== true) throw new ModelRefused(6041);
    if (hasGift && !this.tokens.has(own)) throw new ModelRefused(3012);
    if (hasOutput && opensAccount !== true && !this.tokens.has(this.account(user, outputMint))) {
      throw new ModelRefused(3012);
    }
    if (hasGift) this.move(inAccount, own, this.#amount(inAccount));
    this.#closeTokens(inAccount, user);
    // The rent of the order pays for the account.
    if (hasOutput) {
      this.move(outAccount, this.openTokens(order.address, user, outputMint), this.#amount(outAccount));
    }
    this.#closeTokens(outAccount, user);
    this.#remove(order);
  }

  withdrawFees(mint: Address, amount: bigint, receiver: Address): void {
    const fees = this.account(DCA_FEE_AUTHORITY.address, mint);
    if (!this.tokens.has(fees)) throw new ModelRefused(3012);
    if (amount === 0n) throw new ModelRefused(6000);
    if (amount > this.#amount(fees)) throw new ModelRefused(6012);
    this.move(fees, receiver, amount);
  }

  #plan(order: ModelOrder): void {
    order.nextCycleAmountLeft = computeDcaCycle(order);
  }

  #remove({ address, user }: ModelOrder): void {
    this.pay(address, user, this.lamports.get(address) ?? 0n);
    this.orders.delete(address);
  }
}
