import { describe, expect, it } from 'vitest';
import { createCancelOrder } from '../../../src/protocols/jupiter-limit-order/instructions.ts';
import type { Address } from '../../../src/solana/address.ts';
import { TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { CODE, LimitWorld, ORDER_RENT, START, TOKEN_PROGRAMS, TOKEN_RENT } from './world.ts';

describe.each(TOKEN_PROGRAMS)('cancel_order in %s', (_, tokenProgram) => {
  it('returns the input and every lamport to the maker', () => {
    const world = new LimitWorld({ tokenProgram });
    const payer = world.network.newWallet();
    const order = world.place({ payer });
    const rents = ORDER_RENT + world.lamports(order.inputReserve);
    const before = world.lamports(world.maker);
    expect(world.must(world.cancel(order))).toEqual([{ kind: 'cancelled', order: order.address }]);
    expect(world.balance(world.maker, world.input)).toBe(1_000_000_000n);
    expect(world.lamports(world.maker) - before).toBe(rents);
    expect([world.network.account(order.address), world.network.account(order.inputReserve)]).toEqual([
      null,
      null,
    ]);
  });

  it('returns also what others have sent to the reserve and to the order', () => {
    const world = new LimitWorld({ tokenProgram });
    const order = world.place();
    world.must(...world.fill(order, 400_000n));
    world.hold(order.address, world.input, 600_007n);
    world.must(world.cancel(order));
    expect(world.balance(world.maker, world.input)).toBe(999_600_007n);
  });
});

describe('cancel_order', () => {
  it('is the maker’s before the expiry, and anybody’s from its second on', () => {
    const world = new LimitWorld();
    const order = world.place({ expiredAt: START + 60n });
    const stranger = world.network.newWallet();
    world.network.setUnixTime(START + 59n);
    expect(world.refusal(world.cancel(order, stranger))).toBe(CODE.OrderNotExpired);
    world.network.setUnixTime(START + 60n);
    const before = [world.lamports(world.maker), world.lamports(stranger)];
    world.must(world.cancel(order, stranger));
    expect(world.balance(world.maker, world.input)).toBe(1_000_000_000n);
    expect([world.lamports(world.maker), world.lamports(stranger)]).toEqual([
      (before[0] ?? 0n) + ORDER_RENT + TOKEN_RENT,
      before[1],
    ]);
  });

  it('is never anybody’s for an order without an expiry', () => {
    const world = new LimitWorld();
    const order = world.place();
    world.network.setUnixTime(1n << 40n);
    expect(world.refusal(world.cancel(order, world.keeper))).toBe(CODE.OrderNotExpired);
  });

  it('lets the maker choose among its accounts, and nobody else', () => {
    const world = new LimitWorld();
    const order = world.place({ expiredAt: START + 60n });
    const second = world.hold(world.maker, world.input, 0n, world.network.newAddress());
    world.network.setUnixTime(START + 60n);
    const strangers = createCancelOrder(order, world.keeper, second);
    expect(world.refusal(strangers)).toBe(CODE.InvalidInputAccount);
    world.must(createCancelOrder(order, world.maker, second));
    expect(world.balanceAt(second)).toBe(1_000_000n);
  });

  it('returns wrapped SOL as SOL itself when the account is left out', () => {
    const world = new LimitWorld({ input: 'SOL' });
    const order = world.place();
    const before = world.lamports(world.maker);
    world.must(createCancelOrder(order, world.maker, null));
    expect(world.lamports(world.maker) - before).toBe(1_000_000n + ORDER_RENT + TOKEN_RENT);
  });

  it('needs the account for every other input', () => {
    const world = new LimitWorld();
    const order = world.place();
    expect(world.refusal(createCancelOrder(order, world.maker, null))).toBe(CODE.InvalidInputAccount);
  });

  it('refuses an account of another owner', () => {
    const world = new LimitWorld();
    const order = world.place();
    const keepers = world.tokens(world.keeper, world.input);
    expect(world.refusal(createCancelOrder(order, world.maker, keepers))).toBe(CODE.InvalidInputAccount);
  });

  it('refuses every account that the order does not name', () => {
    const world = new LimitWorld();
    const order = world.place();
    const other = world.place();
    const { accounts, ...rest } = world.cancel(order);
    const substitutes: readonly (readonly [number, Address, number])[] = [
      [1, world.keeper, CODE.HasOne],
      [2, other.address, CODE.HasOne],
      [3, other.inputReserve, CODE.HasOne],
      [5, world.output.mint, CODE.HasOne],
      [6, TOKEN_2022_PROGRAM, CODE.HasOne],
      [7, world.keeper, CODE.Seeds],
    ];
    for (const [index, address, code] of substitutes) {
      const changed = accounts.map((meta, at) => (at === index ? { ...meta, address } : meta));
      expect(world.refusal({ ...rest, accounts: changed }), `account ${index}`).toBe(code);
    }
  });
});
