import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import {
  FLASHLOAN_ADMIN,
  flashloanBorrow,
  flashloanPayback,
  computeFlashloanPayback,
} from '../../../src/protocols/jupiter-lend/flashloan/instructions.ts';
import { FLASHLOAN_ADMIN_ACCOUNT } from '../../../src/protocols/jupiter-lend/flashloan/layouts.ts';
import {
  FLASHLOAN_PROGRAM,
  LIQUIDITY_PROGRAM,
} from '../../../src/protocols/jupiter-lend/lending-base/programs.ts';
import type { Address } from '../../../src/solana/address.ts';
import { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import {
  type Instruction,
  readonlySigner,
  writable,
  writableSigner,
  readonly,
} from '../../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { transferChecked } from '../../../src/solana/programs/token/instructions.ts';
import type { Failure } from '../../../src/testing/svm/network.ts';
import { substituteAccounts } from '../../../src/testing/svm/substitution.ts';
import { FORWARDER } from '../../../src/testing/svm/forwarder.ts';
import { NEEDS_TOOLCHAIN, ProgramCompiler, toolchain } from '../../../src/testing/svm/program-compiler.ts';
import { borrowPositionAddress, supplyPositionAddress } from '../../liquidity/tests/addresses.ts';
import { tagOf } from '../../liquidity/tests/instructions.ts';
import { LiquidityWorld } from '../../liquidity/tests/world.ts';
import { writeTokenAccount } from '../../raydium-cpmm/tests/fixture.ts';

describe('a loan with another account in any place', () => {
  it.each([false, true])('is refused, or does the same (in the payback too: %s)', (everywhere) => {
    const world = new FlashloanWorld(9);
    const { liquidity, network, token } = world;
    const other = network.newWallet();
    writeTokenAccount(network, world.account(other), other, token, LOAN);
    const protocol = liquidity.protocol();
    const others = [
      other,
      world.account(other),
      liquidity.payee,
      supplyPositionAddress(token.mint, protocol),
      borrowPositionAddress(token.mint, protocol),
    ];
    const loan = [world.borrow(), world.payback()];
    const found = substituteAccounts(network, loan, others, everywhere);
    expect(found.surprises).toEqual([]);
    expect(found.refused).toBeGreaterThan(50);
  });
});

describe('flashloan_borrow', () => {
  it('lends for one transaction, for a fee that is rounded up', () => {
    const world = new FlashloanWorld(9);
    const held = world.liquidity.held();
    expect(world.fails(world.borrow(1_234_567n), world.payback(1_234_567n))).toBeNull();
    const fee = computeFlashloanPayback(1_234_567n, 9n) - 1_234_567n;
    expect(fee).toBe(1_112n);
    expect(world.balance()).toBe(1_000_000n - fee);
    expect(world.liquidity.held()).toBe(held + fee);
    expect(world.state()).toMatchObject({
      isFlashloanActive: false,
      activeFlashloanAmount: 0n,
      flashloanFee: 9,
    });
    expect(world.state().flashloanTimestamp).toBe(world.liquidity.now());
  });

  it('makes the token account of a borrower who has none', () => {
    const world = new FlashloanWorld();
    const borrower = world.network.newWallet();
    const [borrow, payback] = [flashloanBorrow, flashloanPayback].map((make) =>
      make(borrower, world.token, LOAN),
    );
    expect(world.fails(borrow as Instruction, payback as Instruction)).toBeNull();
    expect(world.network.tokenBalance(world.account(borrower))).toBe(0n);
  });

  it('lets the tokens be used in between, and fails as a whole when they do not come back', () => {
    const world = new FlashloanWorld();
    const friend = world.network.newWallet();
    writeTokenAccount(world.network, world.account(friend), friend, world.token, 0n);
    const away = world.move(LOAN, world.account(friend));
    expect(world.fails(world.borrow(), away, world.payback())?.instruction).toBe(2);
    expect(world.network.tokenBalance(world.account(friend))).toBe(0n);
    world.hold(LOAN);
    expect(world.fails(world.borrow(), away, world.payback())).toBeNull();
  });

  it.each([
    ['no payback', (world: FlashloanWorld) => [world.borrow()], 6009],
    ['the payback first', (world: FlashloanWorld) => [world.payback(), world.borrow()], 6002],
    ['two paybacks', (world: FlashloanWorld) => [world.borrow(), world.payback(), world.payback()], 6013],
    ['two loans', (world: FlashloanWorld) => [world.borrow(), world.borrow(), world.payback()], 6010],
    [
      'a second loan behind',
      (world: FlashloanWorld) => [world.borrow(), world.payback(), world.borrow(), world.payback()],
      6010,
    ],
    ['a smaller payback', (world: FlashloanWorld) => [world.borrow(), world.payback(LOAN - 1n)], 6010],
    ['a payback with the fee', (world: FlashloanWorld) => [world.borrow(), world.payback(LOAN + 1n)], 6010],
    ['999 atoms', (world: FlashloanWorld) => [world.borrow(999n), world.payback(999n)], 6002],
    [
      'a payback of another borrower',
      (world: FlashloanWorld) => {
        const other = world.network.newWallet();
        return [world.borrow(), flashloanPayback(other, world.token, LOAN)];
      },
      6010,
    ],
    [
      'a payback with one account more',
      (world: FlashloanWorld) => {
        const payback = world.payback();
        return [world.borrow(), { ...payback, accounts: [...payback.accounts, readonly(world.admin)] }];
      },
      6010,
    ],
    [
      'a pause in between',
      (world: FlashloanWorld) => [world.borrow(), administer('pause_protocol', world.admin), world.payback()],
      6010,
    ],
  ] as const)('refuses %s', (_, make, code) => {
    const world = new FlashloanWorld(9);
    const before = [world.balance(), world.liquidity.held()];
    expect(world.fails(...make(world))?.custom).toBe(code);
    expect([world.balance(), world.liquidity.held()]).toEqual(before);
  });

  it('refuses the wrong accounts', () => {
    const world = new FlashloanWorld();
    const stranger = world.network.newWallet();
    const other = world.account(stranger);
    writeTokenAccount(world.network, other, stranger, world.token, 0n);
    const plain = world.network.newAddress();
    writeTokenAccount(world.network, plain, world.borrower, world.token, 0n);
    const borrow = world.borrow();
    const withAccount = (at: number, address: Address) => ({
      ...borrow,
      accounts: borrow.accounts.map((meta, index) => (index === at ? { ...meta, address } : meta)),
    });
    expect(world.fails(withAccount(2, other), world.payback())?.custom).toBe(2015);
    expect(world.fails(withAccount(2, plain), world.payback())?.custom).toBe(2009);
    expect(world.fails(withAccount(9, FLASHLOAN_PROGRAM), world.payback())?.custom).toBe(2001);
    // This account is checked also if the token account exists and the program is not called.
    expect(world.fails(withAccount(11, SYSTEM_PROGRAM), world.payback())?.custom).toBe(3008);
    const strangers = borrow.accounts.map((meta, at) => (at === 2 ? readonly(other) : meta));
    expect(world.fails({ ...borrow, accounts: strangers }, world.payback())?.custom).toBe(2015);
    expect(world.fails(withAccount(13, SYSTEM_PROGRAM), world.payback())?.custom).toBe(2012);
    expect(world.fails(withAccount(1, other), world.payback())?.custom).toBe(3007);
  });

  it('leaves no reserve worse off, whatever instructions a transaction combines', () => {
    const world = new FlashloanWorld(9);
    const step = fc.record({
      kind: fc.constantFrom('borrow', 'borrow', 'payback', 'payback', 'payback', 'away'),
      amount: fc.constantFrom(1_000n, LOAN, LOAN, LOAN, 999n, 60_000_000n),
    });
    const friend = world.network.newWallet();
    writeTokenAccount(world.network, world.account(friend), friend, world.token, 0n);
    let succeeded = 0;
    const property = fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), (steps) => {
      const held = world.liquidity.held();
      world.hold(1_000_000n);
      const error = world.fails(
        ...steps.map(({ kind, amount }) => {
          if (kind === 'away') return world.move(1_000n, world.account(friend));
          return kind === 'borrow' ? world.borrow(amount) : world.payback(amount);
        }),
      );
      expect(world.liquidity.held()).toBeGreaterThanOrEqual(held);
      expect(world.state().isFlashloanActive).toBe(false);
      const loans = steps.filter(({ kind }) => kind === 'borrow').length;
      if (error === null && loans > 0) {
        succeeded++;
        expect(world.liquidity.held()).toBeGreaterThan(held);
      }
    });
    assertProperty(property, { cases: 400, seed: SEED });
    expect(succeeded).toBeGreaterThan(0);
  });
});

describe('flashloan_payback', () => {
  it('refuses if there is no loan', () => {
    const world = new FlashloanWorld();
    expect(world.fails(world.payback())?.custom).toBe(6002);
  });
});

describe('the administration', () => {
  it('pauses and resumes, and sets a fee of at most half a percent', () => {
    const world = new FlashloanWorld();
    const as = (name: string, write?: (to: ByteWriter) => ByteWriter) => administer(name, world.admin, write);
    expect(world.fails(as('activate_protocol'))?.custom).toBe(6002);
    expect(world.fails(as('pause_protocol'))).toBeNull();
    expect(world.fails(as('pause_protocol'))?.custom).toBe(6002);
    expect(world.fails(world.borrow(), world.payback())?.custom).toBe(6011);
    expect(world.fails(as('activate_protocol'))).toBeNull();
    expect(world.fails(as('set_flashloan_fee', (to) => to.u16(51)))?.custom).toBe(6001);
    expect(world.fails(as('set_flashloan_fee', (to) => to.u16(50)))).toBeNull();
    expect(world.state().flashloanFee).toBe(50);
  });

  it('is the authority’s, set up once and over the liquidity program', () => {
    const world = new FlashloanWorld();
    const stranger = world.network.newWallet();
    expect(world.fails(administer('pause_protocol', stranger))?.custom).toBe(6000);
    expect(world.fails(initAdmin(stranger, stranger, 0))?.custom).toBe(0);
    const handOver = (to: Address) => administer('update_authority', world.admin, (data) => data.address(to));
    expect(world.fails(handOver(stranger))?.custom).toBe(6002);
    const { network } = new LiquidityWorld();
    network.loadShipped('flashloan');
    const payer = network.newWallet();
    expect(network.send([initAdmin(payer, payer, 51)]).error?.custom).toBe(6001);
    expect(network.send([initAdmin(payer, payer, 0, FLASHLOAN_PROGRAM)]).error?.custom).toBe(6002);
    expect(network.send([initAdmin(payer, SYSTEM_PROGRAM, 0)]).error?.custom).toBe(6002);
  });
});

describe.skipIf(toolchain === null)(`a program that calls flashloan (${NEEDS_TOOLCHAIN})`, () => {
  let elf: Uint8Array;
  beforeAll(async () => {
    const compiler = await ProgramCompiler.open();
    elf = await compiler.compile(FORWARDER);
    await compiler.close();
  });

  it('gets no loan', () => {
    const world = new FlashloanWorld();
    expect(world.fails(forwarded(world, world.borrow()), world.payback())?.custom).toBe(6002);
  });

  it('cannot pay back, so that the program sees the end of every loan', () => {
    const world = new FlashloanWorld();
    expect(world.fails(world.borrow(), forwarded(world, world.payback()))?.custom).toBe(6009);
    // An outstanding loan. No transaction leaves one.
    const active = { ...world.state(), isFlashloanActive: true, activeFlashloanAmount: LOAN };
    const data = FLASHLOAN_ADMIN_ACCOUNT.encode(active);
    world.network.setData(FLASHLOAN_ADMIN.address, FLASHLOAN_PROGRAM, data);
    expect(world.fails(forwarded(world, world.payback()))?.custom).toBe(6012);
  });

  function forwarded(world: FlashloanWorld, { accounts, data }: Instruction): Instruction {
    const programAddress = world.network.newAddress();
    world.network.loadProgram(programAddress, elf);
    return { programAddress, accounts: [...accounts, readonly(FLASHLOAN_PROGRAM)], data };
  }
});

const SEED = 20_261_126;
const SUPPLIED = 50_000_000n;
const LOAN = 5_000_000n;

/** The flashloan program over a reserve with tokens, and a borrower who can pay the fee. */
class FlashloanWorld {
  readonly liquidity = new LiquidityWorld();
  readonly network = this.liquidity.network;
  readonly token = this.liquidity.token;
  readonly borrower = this.network.newWallet();
  readonly admin = this.liquidity.admin;

  constructor(fee = 0) {
    this.network.loadShipped('flashloan');
    this.liquidity.must(initAdmin(this.admin, this.admin, fee));
    this.liquidity.admit(FLASHLOAN_ADMIN.address, 1);
    this.liquidity.operate(this.liquidity.protocol(), SUPPLIED, 0n);
    this.hold(1_000_000n);
  }

  hold(amount: bigint): void {
    writeTokenAccount(this.network, this.account(), this.borrower, this.token, amount);
  }

  account(of = this.borrower): Address {
    return deriveAssociatedTokenAddress(of, this.token.mint, this.token.tokenProgram);
  }

  balance(): bigint {
    return this.network.tokenBalance(this.account());
  }

  borrow(amount = LOAN): Instruction {
    return flashloanBorrow(this.borrower, this.token, amount);
  }

  payback(amount = LOAN): Instruction {
    return flashloanPayback(this.borrower, this.token, amount);
  }

  /** Transfers tokens of the borrower away, or back. */
  move(amount: bigint, to: Address): Instruction {
    const { mint, tokenProgram, decimals } = this.token;
    const transfer = {
      source: this.account(),
      destination: to,
      authority: this.borrower,
      mint,
      amount,
      decimals,
    };
    return transferChecked(tokenProgram, transfer);
  }

  fails(...instructions: Instruction[]): Failure | null {
    return this.network.send(instructions).error;
  }

  state() {
    return FLASHLOAN_ADMIN_ACCOUNT.decode(
      this.network.account(FLASHLOAN_ADMIN.address)?.data ?? new Uint8Array(0),
    );
  }
}

function initAdmin(
  payer: Address,
  authority: Address,
  fee: number,
  program = LIQUIDITY_PROGRAM,
): Instruction {
  const data = new ByteWriter(80).bytes(tagOf('init_flashloan_admin')).address(authority).u16(fee);
  return {
    programAddress: FLASHLOAN_PROGRAM,
    accounts: [writableSigner(payer), writable(FLASHLOAN_ADMIN.address), readonly(SYSTEM_PROGRAM)],
    data: data.address(program).finish(),
  };
}

function administer(
  name: string,
  signer: Address,
  write: (to: ByteWriter) => ByteWriter = (to) => to,
): Instruction {
  return {
    programAddress: FLASHLOAN_PROGRAM,
    accounts: [readonlySigner(signer), writable(FLASHLOAN_ADMIN.address)],
    data: write(new ByteWriter(48).bytes(tagOf(name))).finish(),
  };
}
