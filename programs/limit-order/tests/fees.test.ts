import { describe, expect, it } from 'vitest';
import { LIMIT_ORDER_FEE, LIMIT_ORDER_PROGRAM } from '../../../src/protocols/jupiter-limit-order/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import {
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { tagOf } from '../../liquidity/tests/instructions.ts';
import { CODE, LimitWorld } from './world.ts';

describe('update_fee and withdraw_fee', () => {
  it('change the rates of new orders only, and move what was collected to the admin', () => {
    const world = new LimitWorld();
    const old = world.place();
    world.must(updateFee(world, 20, 4));
    expect(world.read(world.place())?.feeBps).toBe(20);
    expect(world.read(old)?.feeBps).toBe(10);
    world.must(...world.fill(old, 1_000_000n));
    world.hold(world.admin, world.output, 0n);
    world.must(withdrawFee(world));
    expect([world.balance(world.admin, world.output), world.balance(LIMIT_ORDER_FEE, world.output)]).toEqual([
      500n,
      0n,
    ]);
  });

  it('are the admin’s', () => {
    const world = new LimitWorld();
    world.hold(world.keeper, world.output, 0n);
    expect(world.refusal(updateFee(world, 0, 0, world.keeper))).toBe(CODE.InvalidAdmin);
    expect(world.refusal(withdrawFee(world, { admin: world.keeper }))).toBe(CODE.InvalidAdmin);
  });

  it('refuse rates above a tenth', () => {
    const world = new LimitWorld();
    world.must(updateFee(world, 1_000, 1_000));
    expect(world.refusal(updateFee(world, 1_001, 0))).toBe(CODE.FeeBpsTooHigh);
    expect(world.refusal(updateFee(world, 0, 1_001))).toBe(CODE.FeeBpsTooHigh);
  });

  it('make no account of rates, so that nobody becomes the admin by coming first', () => {
    const world = new LimitWorld();
    world.network.setAccount(LIMIT_ORDER_FEE, {
      lamports: 0n,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(0),
      executable: false,
      rentEpoch: 0n,
    });
    expect(world.refusal(updateFee(world, 1, 1))).toBe(3012);
  });

  it('move nothing out of other accounts, and only to the admin', () => {
    const world = new LimitWorld();
    world.hold(world.admin, world.output, 0n);
    const keepers = world.tokens(world.keeper, world.output);
    expect(world.refusal(withdrawFee(world, { source: keepers }))).toBe(CODE.TokenOwner);
    expect(world.refusal(withdrawFee(world, { destination: keepers }))).toBe(CODE.TokenOwner);
    expect(world.refusal(withdrawFee(world, { mint: world.input.mint }))).toBe(2014);
    expect(world.refusal(withdrawFee(world, { tokenProgram: TOKEN_2022_PROGRAM }))).toBe(2021);
    expect(world.refusal(withdrawFee(world, { fee: world.keeper }))).toBe(CODE.Seeds);
  });
});

function updateFee(world: LimitWorld, normal: number, stable: number, admin = world.admin) {
  return {
    programAddress: LIMIT_ORDER_PROGRAM,
    accounts: [writableSigner(admin), writable(LIMIT_ORDER_FEE), readonly(SYSTEM_PROGRAM)],
    data: new ByteWriter(12).bytes(tagOf('update_fee')).u16(normal).u16(stable).finish(),
  };
}

interface Withdrawal {
  readonly admin?: Address;
  readonly fee?: Address;
  readonly source?: Address;
  readonly destination?: Address;
  readonly mint?: Address;
  readonly tokenProgram?: Address;
}

function withdrawFee(world: LimitWorld, changes: Withdrawal = {}) {
  const {
    admin = world.admin,
    fee = LIMIT_ORDER_FEE,
    mint = world.output.mint,
    tokenProgram = TOKEN_PROGRAM,
  } = changes;
  return {
    programAddress: LIMIT_ORDER_PROGRAM,
    accounts: [
      readonlySigner(admin),
      readonly(fee),
      writable(changes.source ?? world.tokens(LIMIT_ORDER_FEE, world.output)),
      writable(changes.destination ?? world.tokens(world.admin, world.output)),
      readonly(tokenProgram),
      readonly(mint),
    ],
    data: tagOf('withdraw_fee'),
  };
}
