import { describe, expect, it } from 'vitest';
import { createTestKey } from '../../testing/chain/bank.ts';
import type { Address } from '../../solana/address.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import { type Instruction, writableSigner } from '../../solana/messages/instruction.ts';
import { parseMessage } from '../../solana/messages/message.ts';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { closeAccount } from '../../solana/programs/token/instructions.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { computeMaxFeePayerCost } from './fee-payer-cost.ts';

describe('computeMaxFeePayerCost', () => {
  it('is the fees where nothing else is taken from the fee payer', () => {
    expect(costOf(creation(TOKEN_PROGRAM, TAKER))).toBe(10_000n);
    expect(costOf(closing(PAYER, TAKER))).toBe(10_000n);
  });

  it('adds the rent of token accounts that it funds, and what it transfers', () => {
    expect(costOf(creation(TOKEN_PROGRAM), transferLamports(PAYER, TAKER, 7n))).toBe(
      5_000n + 2_039_280n + 7n,
    );
    expect(costOf(creation(TOKEN_2022_PROGRAM))).toBe(4_005_000n);
  });

  it('takes off what certainly comes back: rent of an account that the message closes, and what others transfer', () => {
    const into = (destination: Address) =>
      closeAccount(TOKEN_PROGRAM, { account: ATA, destination, authority: TAKER });
    expect(costOf(transferLamports(TAKER, PAYER, 7n))).toBe(9_993n);
    expect(costOf(creation(TOKEN_PROGRAM), into(PAYER))).toBe(10_000n);
    expect(costOf(into(PAYER), creation(TOKEN_PROGRAM))).toBe(10_000n + 2_039_280n);
    expect(costOf(creation(TOKEN_PROGRAM), into(TAKER))).toBe(10_000n + 2_039_280n);
    const lent = [creation(TOKEN_PROGRAM), into(TAKER), transferLamports(TAKER, PAYER, 2_039_280n)];
    expect(costOf(...lent)).toBe(10_000n);
    expect(costOf(creation(TOKEN_PROGRAM), closing(PAYER, TAKER))).toBe(10_000n + 2_039_280n);
    // Only the closing that follows gives the rent back: what is opened again is paid again.
    const again = [creation(TOKEN_PROGRAM), into(TAKER), creation(TOKEN_PROGRAM), into(PAYER)];
    expect(costOf(...again)).toBe(10_000n + 2_039_280n);
    expect(costOf(creation(TOKEN_PROGRAM), creation(TOKEN_PROGRAM), into(PAYER))).toBe(10_000n);
  });

  it('returns null when an instruction has the signature of the fee payer for something else', () => {
    const accounts = [writableSigner(PAYER)];
    expect(costOf({ programAddress: AGGREGATOR_PROGRAM, accounts, data: new Uint8Array(1) })).toBeNull();
    expect(costOf(closing(TAKER, PAYER))).toBeNull();
  });
});

const PAYER = createTestKey(1).address;
const TAKER = createTestKey(2).address;
const ATA = deriveAssociatedTokenAddress(TAKER, WRAPPED_SOL_MINT, TOKEN_PROGRAM);
const ACCOUNT = createTestKey(3).address;

function costOf(...instructions: Instruction[]): bigint | null {
  const bytes = compileMessage({ feePayer: PAYER, instructions, blockhash: new Uint8Array(32) });
  const message = parseMessage(bytes);
  const created = {
    lamports: 0n,
    owner: TOKEN_PROGRAM,
    data: new Uint8Array(165),
    executable: false,
    rentEpoch: 0n,
  };
  return computeMaxFeePayerCost(message, new Map([[ATA, created]]));
}

function creation(tokenProgram: Address, payer = PAYER): Instruction {
  return createAssociatedTokenIdempotent({ payer, owner: TAKER, mint: WRAPPED_SOL_MINT, tokenProgram });
}

function closing(destination: Address, authority: Address): Instruction {
  return closeAccount(TOKEN_PROGRAM, { account: ACCOUNT, destination, authority });
}
