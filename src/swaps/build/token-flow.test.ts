import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { closeAccount } from '../../solana/programs/token/instructions.ts';
import { createClosingInstructions, TOKEN_ACCOUNT_RENT } from '../../transactions/build/closings.ts';
import { createSwapTerms, type InputSource } from './swap-terms.ts';
import { getIntermediateTokenAccount, toClosingParties } from './token-flow.ts';

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

describe('an account of SOL that a swap passes through', () => {
  it('is closed to the taker, who gives the rent back, unless the taker is a key that keeps nothing', () => {
    const passed = { account: numbered(4), mint: WRAPPED_SOL_MINT, tokenProgram: TOKEN_PROGRAM };
    const terms = { inputMint: numbered(5), outputMint: numbered(6), amount: 1n, taker: ONE, payer: TWO };
    const closingsOf = (source?: InputSource) =>
      createClosingInstructions(
        toClosingParties(createSwapTerms({ ...terms, ...(source === undefined ? {} : { source }) })),
        passed,
      ).instructions;
    const closeTo = (destination: Address) =>
      closeAccount(TOKEN_PROGRAM, { account: passed.account, destination, authority: ONE });
    expect(closingsOf()).toEqual([closeTo(ONE), transferLamports(ONE, TWO, TOKEN_ACCOUNT_RENT)]);
    expect(closingsOf({ account: numbered(7), rentGoesTo: null })).toEqual([closeTo(TWO)]);
  });
});

const SEED = 20_261_121;
const numbered = (number: number): Address => toAddress(new Uint8Array(32).fill(number));
const [ONE, TWO] = [numbered(1), numbered(2)];
/** More mints than are cached for a wallet. */
const MINTS = Array.from({ length: 10 }, (_, index) => numbered(10 + index));
