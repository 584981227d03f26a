import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { getIntermediateTokenAccount } from './token-flow.ts';

describe('getIntermediateTokenAccount', () => {
  it('depends on the owner, payer, mint and token program only, whatever is cached', () => {
    const wallet = fc.constantFrom(ONE, TWO);
    const program = fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM);
    const asked = fc.tuple(wallet, wallet, fc.constantFrom(...MINTS), program);
    assertProperty(
      fc.property(fc.array(asked, { size: 'max', maxLength: 60 }), (all) => {
        for (const [owner, payer, mint, tokenProgram] of all) {
          const { account, create, creation } = getIntermediateTokenAccount(owner, payer, mint, tokenProgram);
          expect(account).toBe(deriveAssociatedTokenAddress(owner, mint, tokenProgram));
          expect(create).toEqual(createAssociatedTokenIdempotent({ payer, owner, mint, tokenProgram }));
          expect(creation).toEqual({ account, mint, paidBy: payer, rentGoesTo: null });
        }
      }),
      { cases: 50, seed: SEED },
    );
  });

  it('is cached for the mints that a wallet used last', () => {
    const owner = numbered(3);
    const of = (mint: Address) => getIntermediateTokenAccount(owner, owner, mint, TOKEN_PROGRAM);
    const [first, second] = [of(numbered(20)), of(numbered(21))];
    for (const mint of MINTS.slice(0, 6)) of(mint);
    expect(of(numbered(20))).toBe(first);
    of(numbered(22));
    expect(of(numbered(21))).toBe(second);
    expect(of(numbered(20))).not.toBe(first);
  });
});

const SEED = 20_261_121;
const numbered = (number: number): Address => toAddress(new Uint8Array(32).fill(number));
const [ONE, TWO] = [numbered(1), numbered(2)];
/** More mints than are cached for a wallet. */
const MINTS = Array.from({ length: 10 }, (_, index) => numbered(10 + index));
