import { describe, expect, it } from 'vitest';
import type { LandedTransaction } from '../../../src/chain/landed-transactions.ts';
import {
  type EarnAction,
  createEarnInstruction,
} from '../../../src/protocols/jupiter-lend/lending/instructions.ts';
import { listEarnMovements } from '../../../src/protocols/jupiter-lend/lending/movements.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { mintTo } from '../../../src/solana/programs/token/instructions.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { LendingWorld } from './world.ts';

describe('listEarnMovements', () => {
  it('reads what deposits and withdrawals of all kinds moved, in order', () => {
    const world = new LendingWorld();
    const borrower = world.liquidity.protocol();
    landed(world, [act(world, 'deposit', 30_000_000n)]);
    world.liquidity.operate(borrower, 0n, 9_000_000n);
    world.liquidity.pass(9_000_000n);
    const before = { assets: world.balance(world.token), shares: world.balance(world.receipt) };
    const { error, movements } = landed(world, [
      act(world, 'deposit', 5_000_000n),
      act(world, 'mint', 700_001n),
      act(world, 'withdraw', 1_000_000n),
      act(world, 'redeem', 300_000n),
    ]);
    expect(error).toBeNull();
    expect(movements.map(({ kind }) => kind)).toEqual(['deposit', 'deposit', 'withdrawal', 'withdrawal']);
    const signed = (field: 'assets' | 'shares') =>
      movements.reduce((sum, each) => sum + (each.kind === 'deposit' ? each[field] : -each[field]), 0n);
    expect(world.balance(world.token)).toBe(before.assets - signed('assets'));
    expect(world.balance(world.receipt)).toBe(before.shares + signed('shares'));
    for (const { owner, mint, receiptMint } of movements) {
      expect([owner, mint, receiptMint]).toEqual([world.user, world.token.mint, world.receipt.mint]);
    }
  });

  it('ignores failed transactions, other lendings, and shares without a deposit', () => {
    const world = new LendingWorld();
    expect(landed(world, [act(world, 'deposit', 1n << 60n)]).movements).toEqual([]);
    const { error, inner } = world.network.send([act(world, 'deposit', 5_000n)]);
    const calls = inner.flatMap((each, instruction) => each.map((call) => ({ instruction, depth: 2, call })));
    expect(listEarnMovements({ error, calls }, new Map())).toEqual([]);
    const account = deriveAssociatedTokenAddress(world.user, world.receipt.mint, world.receipt.tokenProgram);
    const { tokenProgram, mint } = world.receipt;
    const forged = mintTo(tokenProgram, { mint, account, authority: world.user, amount: 5n });
    const call = {
      program: forged.programAddress,
      accounts: forged.accounts.map(({ address }) => address),
      data: forged.data,
    };
    const lendings = new Map([[world.lending, world.state().lending]]);
    expect(listEarnMovements({ error: null, calls: [{ instruction: 0, depth: 2, call }] }, lendings)).toEqual(
      [],
    );
  });
});

/** Runs instructions and returns the amounts that they moved. */
function landed(world: LendingWorld, instructions: readonly Instruction[]) {
  const { error, inner } = world.network.send(instructions);
  const calls: LandedTransaction['calls'] = inner.flatMap((each, instruction) =>
    each.map(({ program, accounts, data }) => ({ instruction, depth: 2, call: { program, accounts, data } })),
  );
  const lendings = new Map([[world.lending, world.state().lending]]);
  return { error, movements: listEarnMovements({ error, calls }, lendings) };
}

function act(world: LendingWorld, action: EarnAction, amount: bigint): Instruction {
  const { user: signer, token } = world;
  return createEarnInstruction(
    action,
    { signer, mint: token.mint, tokenProgram: token.tokenProgram },
    amount,
  );
}
