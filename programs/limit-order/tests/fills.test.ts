import { describe, expect, it } from 'vitest';
import { computeFillPayment } from '../../../src/protocols/jupiter-limit-order/amounts.ts';
import { LIMIT_ORDER_FEE } from '../../../src/protocols/jupiter-limit-order/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import { writable, writableSigner } from '../../../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { closeAccount, freezeAccount, thawAccount } from '../../../src/solana/programs/token/instructions.ts';
import { CODE, LimitWorld, ORDER_RENT, START, TOKEN_PROGRAMS, TOKEN_RENT } from './world.ts';

describe.each(TOKEN_PROGRAMS)('a fill in %s', (_, tokenProgram) => {
  it('of a part pays the maker the price without the fee, and leaves the rest', () => {
    const world = new LimitWorld({ tokenProgram });
    const order = world.place();
    world.network.setUnixTime(START + 5n);
    const events = world.must(...world.fill(order, 300_001n));
    // Half an atom of the price is rounded up to 150,001; a thousandth of that, rounded up, is the fee.
    expect(events).toEqual([
      {
        kind: 'filled',
        order: order.address,
        taker: world.keeper,
        remainingMaking: 699_999n,
        remainingTaking: 349_999n,
        making: 300_001n,
        taking: 150_001n,
      },
    ]);
    expect(world.balance(world.maker, world.output)).toBe(149_850n);
    expect(world.balance(LIMIT_ORDER_FEE, world.output)).toBe(151n);
    expect(world.balance(world.keeper, world.output)).toBe(1_000_000_000n - 150_001n);
    expect(world.balance(world.keeper, world.input)).toBe(300_001n);
    expect(world.read(order)).toMatchObject({
      making: 699_999n,
      taking: 349_999n,
      borrowedMaking: 0n,
      createdAt: START,
      updatedAt: START + 5n,
    });
  });

  it('of all closes the order, whose rent is the maker’s', () => {
    const world = new LimitWorld({ tokenProgram });
    const order = world.place();
    const rents = ORDER_RENT + world.lamports(order.inputReserve);
    const before = world.lamports(world.maker);
    world.must(...world.fill(order, 1_000_000n));
    expect(world.balance(world.maker, world.output)).toBe(499_500n);
    expect(world.balance(LIMIT_ORDER_FEE, world.output)).toBe(500n);
    expect(world.lamports(world.maker) - before).toBe(rents);
    expect([world.network.account(order.address), world.network.account(order.inputReserve)]).toEqual([
      null,
      null,
    ]);
  });

  it('of all gives the taker also what others have sent to the reserve, so that it can be closed', () => {
    const world = new LimitWorld({ tokenProgram });
    const order = world.place();
    world.hold(order.address, world.input, 1_000_003n);
    world.must(...world.fill(order, 999_998n));
    world.must(...world.fill(order, 2n));
    expect(world.balance(world.keeper, world.input)).toBe(1_000_003n);
    expect(world.balance(world.maker, world.output) + world.balance(LIMIT_ORDER_FEE, world.output)).toBe(
      500_000n,
    );
    expect(world.read(order)).toBeNull();
  });
});

describe('a fill', () => {
  it('costs as much as the same arithmetic in TypeScript says', () => {
    const world = new LimitWorld();
    const order = world.place({ making: 1_000_003n, taking: 7n });
    const [state] = [world.read(order)];
    if (state === null) throw new Error('no order');
    expect(computeFillPayment(state, 300_000n, 10n)).toEqual({ owed: 3n, paid: 3n, fee: 1n });
    world.must(...world.fill(order, 300_000n));
    expect(world.balance(world.maker, world.output)).toBe(2n);
  });

  it('pays fees to the referral account of the order', () => {
    const world = new LimitWorld();
    const partner = world.network.newWallet();
    const referral = world.hold(partner, world.output, 0n);
    const order = world.place({ referral, feeBps: 100 });
    world.must(...world.fill(order, 1_000_000n));
    expect([world.balanceAt(referral), world.balance(LIMIT_ORDER_FEE, world.output)]).toEqual([5_000n, 0n]);
    expect(world.balance(world.maker, world.output)).toBe(495_000n);
  });

  it('leaves the maker something of every payment, whatever the rounded fee is', () => {
    const world = new LimitWorld();
    const order = world.place({ making: 3n, taking: 3n, feeBps: 1_000 });
    world.must(...world.fill(order, 1n));
    expect(world.balance(world.maker, world.output)).toBe(1n);
    world.must(...world.fill(order, 2n));
    expect(world.balance(world.maker, world.output)).toBe(3n);
    const single = world.place({ making: 1_000n, taking: 1n });
    world.must(...world.fill(single, 1_000n));
    expect(world.balance(world.maker, world.output)).toBe(4n);
  });

  it('without a fee calls nothing of the fee account, which need not exist', () => {
    const world = new LimitWorld({ normalFeeBps: 0 });
    const order = world.place();
    const account = world.tokens(LIMIT_ORDER_FEE, world.output);
    world.network.setAccount(account, {
      lamports: 0n,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(0),
      executable: false,
      rentEpoch: 0n,
    });
    world.must(...world.fill(order, 1_000_000n));
    expect(world.balance(world.maker, world.output)).toBe(500_000n);
  });

  it('is anybody’s', () => {
    const world = new LimitWorld();
    const order = world.place();
    const stranger = world.network.newWallet();
    world.hold(stranger, world.input, 0n);
    world.hold(stranger, world.output, 250_000n);
    world.must(...world.fill(order, 500_000n, {}, stranger));
    expect(world.balance(world.maker, world.output)).toBe(249_750n);
  });

  it('leaves other instructions room in between, and another pair behind it', () => {
    const world = new LimitWorld();
    const [first, second] = [world.place(), world.place()];
    const [pre, flash] = world.fill(first, 1_000_000n);
    if (pre === undefined || flash === undefined) throw new Error('a fill is a pair');
    const friend = world.network.newWallet();
    world.must(
      pre,
      {
        programAddress: SYSTEM_PROGRAM,
        accounts: [writableSigner(world.keeper), writable(friend)],
        data: new ByteWriter(12).u32(2).u64(1_000_000n).finish(),
      },
      flash,
      ...world.fill(second, 10n),
      ...world.fill(second, 10n),
    );
    expect(world.read(first)).toBeNull();
    expect(world.read(second)?.making).toBe(999_980n);
  });

  it('is possible up to the last second before the expiry', () => {
    const world = new LimitWorld();
    const order = world.place({ expiredAt: START + 60n });
    world.network.setUnixTime(START + 59n);
    world.must(...world.fill(order, 1n));
    world.network.setUnixTime(START + 60n);
    expect(world.refusal(...world.fill(order, 1n))).toBe(CODE.OrderExpired);
  });

  it.each([
    ['nothing', 0n, CODE.InvalidMakingAmount],
    ['more than is left', 1_000_001n, CODE.InvalidMakingAmount],
    ['so much that the rest would be free', 999_999n, CODE.InvalidTakingAmount],
  ])('of %s is refused', (_, making, code) => {
    const world = new LimitWorld();
    const order = world.place({ taking: 2n });
    expect(world.refusal(...world.fill(order, making))).toBe(code);
    expect(world.read(order)).toMatchObject({ making: 1_000_000n, taking: 2n });
  });

  it('asks for no more than the taker allows', () => {
    const world = new LimitWorld();
    const order = world.place();
    const refused = world.fill(order, 300_000n, { maximum: 149_999n });
    expect(world.refusal(...refused)).toBe(CODE.InvalidMaxTakingAmount);
    world.must(...world.fill(order, 300_000n, { maximum: 150_000n }));
  });

  it('pays less within the slippage that the maker accepts, and the rest keeps its price', () => {
    const world = new LimitWorld();
    const order = world.place({ slippageBps: 100 });
    expect(world.refusal(...world.fill(order, 300_000n, { maximum: 148_499n }))).toBe(
      CODE.InvalidMaxTakingAmount,
    );
    world.must(...world.fill(order, 300_000n, { maximum: 148_500n }));
    expect(world.balance(world.maker, world.output)).toBe(148_500n - 149n);
    expect(world.read(order)).toMatchObject({ making: 700_000n, taking: 350_000n });
  });

  it('waits while the maker’s account is frozen', () => {
    const world = new LimitWorld();
    const order = world.place();
    const account = world.tokens(world.maker, world.output);
    const freezing = { account, mint: world.output.mint, freezeAuthority: world.network.payer };
    world.must(freezeAccount(TOKEN_PROGRAM, freezing));
    expect(world.refusal(...world.fill(order, 1_000_000n))).toBe(CODE.Frozen);
    world.must(thawAccount(TOKEN_PROGRAM, freezing), ...world.fill(order, 1_000_000n));
  });

  it('fails while the reserve or the fee account is frozen, and the maker can still cancel in the second case', () => {
    const world = new LimitWorld();
    const order = world.place();
    const freeze = (account: Address, mint: Address) =>
      freezeAccount(TOKEN_PROGRAM, { account, mint, freezeAuthority: world.network.payer });
    world.must(freeze(world.tokens(LIMIT_ORDER_FEE, world.output), world.output.mint));
    expect(world.refusal(...world.fill(order, 1_000_000n))).toBe(CODE.Frozen);
    world.must(world.cancel(order));
    const second = world.place();
    world.must(freeze(second.inputReserve, world.input.mint));
    expect(world.refusal(...world.fill(second, 1_000_000n))).toBe(CODE.Frozen);
    expect(world.refusal(world.cancel(second))).toBe(CODE.Frozen);
  });

  it('fails when the maker has closed its account, until somebody opens it again', () => {
    const world = new LimitWorld();
    const order = world.place();
    const account = world.tokens(world.maker, world.output);
    world.must(closeAccount(TOKEN_PROGRAM, { account, destination: world.maker, authority: world.maker }));
    expect(world.refusal(...world.fill(order, 1_000_000n))).toBe(3012);
    world.hold(world.maker, world.output, 0n);
    world.must(...world.fill(order, 1_000_000n));
  });
});

describe('a fill for SOL', () => {
  it('pays wrapped SOL out of a token account', () => {
    const world = new LimitWorld({ output: 'SOL' });
    world.must(...world.fill(world.place(), 1_000_000n));
    expect(world.balance(world.maker, world.output)).toBe(499_500n);
  });

  it('pays SOL itself into the maker’s account of wrapped SOL and the fee account', () => {
    const world = new LimitWorld({ output: 'SOL' });
    const order = world.place();
    const before = world.lamports(world.keeper);
    world.must(...world.fill(order, 400_000n, { source: null }));
    expect(before - world.lamports(world.keeper)).toBe(200_000n);
    expect(world.balance(world.maker, world.output)).toBe(199_800n);
    expect(world.balance(LIMIT_ORDER_FEE, world.output)).toBe(200n);
  });

  it('pays SOL itself to the maker', () => {
    const world = new LimitWorld({ output: 'SOL' });
    const order = world.place();
    const [makers, keepers] = [world.lamports(world.maker), world.lamports(world.keeper)];
    world.must(...world.fill(order, 1_000_000n, { source: null, destination: null }));
    expect(keepers - world.lamports(world.keeper)).toBe(500_000n);
    expect(world.lamports(world.maker) - makers).toBe(499_500n + ORDER_RENT + TOKEN_RENT);
  });

  it('cannot unwrap', () => {
    const world = new LimitWorld({ output: 'SOL' });
    const order = world.place();
    const refused = world.fill(order, 1_000_000n, { destination: null });
    expect(world.refusal(...refused)).toBe(CODE.InvalidMakerOutputAccount);
  });

  it('sells wrapped SOL, too', () => {
    const world = new LimitWorld({ input: 'SOL' });
    const order = world.place();
    const before = world.lamports(world.maker);
    world.must(...world.fill(order, 1_000_000n));
    expect(world.balance(world.keeper, world.input)).toBe(1_000_000n);
    expect(world.lamports(world.maker) - before).toBe(ORDER_RENT + TOKEN_RENT);
  });

  it.each([
    ['taker', { source: null }, CODE.InvalidTakerOutputAccount],
    ['maker', { destination: null }, CODE.InvalidMakerOutputAccount],
  ] as const)('is the only one that may leave the account of the %s out', (_, options, code) => {
    const world = new LimitWorld();
    expect(world.refusal(...world.fill(world.place(), 1n, options))).toBe(code);
  });
});
