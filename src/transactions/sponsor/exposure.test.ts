import { describe, expect, it } from 'vitest';
import { AGGREGATOR_PROGRAM } from '../../market/aggregator/program.ts';
import type { Address } from '../../solana/address.ts';
import {
  createAssociatedToken,
  createAssociatedTokenIdempotent,
} from '../../solana/programs/associated-token.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import { setComputeUnitLimit, setComputeUnitPrice } from '../../solana/programs/compute-budget.ts';
import {
  type Instruction,
  readonlySigner,
  writable,
  writableSigner,
} from '../../solana/messages/instruction.ts';
import { keypairFromSeed } from '../../solana/keypair.ts';
import { parseMessage } from '../../solana/messages/message.ts';
import { associatedTokenAddress } from '../../solana/pda.ts';
import { COMPUTE_BUDGET_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { sha256 } from '../../solana/encoding/sha256.ts';
import { assign, transferLamports } from '../../solana/programs/system.ts';
import { closeAccount, syncNative, transfer } from '../../solana/programs/token/instructions.ts';
import { exposureOf } from './exposure.ts';

const SWAPS = { program: AGGREGATOR_PROGRAM, noun: 'swap', plural: 'swaps' };

const wallet = (name: string): Address => keypairFromSeed(sha256(Buffer.from(name))).address;
const sponsor = wallet('sponsor');
const taker = wallet('taker');
const stranger = wallet('stranger');
const account = associatedTokenAddress(taker, WRAPPED_SOL_MINT, TOKEN_PROGRAM);
const sponsorAccount = associatedTokenAddress(sponsor, WRAPPED_SOL_MINT, TOKEN_PROGRAM);

const create = { payer: sponsor, owner: taker, mint: WRAPPED_SOL_MINT, tokenProgram: TOKEN_PROGRAM };
const swap: Instruction = {
  programAddress: AGGREGATOR_PROGRAM,
  accounts: [readonlySigner(taker), writable(account), writable(sponsorAccount)],
  data: Uint8Array.of(1, 2, 3),
};
const ordinary: readonly Instruction[] = [
  setComputeUnitLimit(300_000),
  setComputeUnitPrice(7n),
  createAssociatedTokenIdempotent(create),
  transferLamports(taker, account, 1_000n),
  syncNative(TOKEN_PROGRAM, account),
  swap,
  closeAccount(TOKEN_PROGRAM, { account, destination: taker, authority: taker }),
  transferLamports(taker, sponsor, 2_039_280n),
];

function exposure(instructions: readonly Instruction[], feePayer = sponsor) {
  const message = compileMessage({
    feePayer,
    blockhash: new Uint8Array(32),
    instructions,
    lookupTables: null,
  });
  return exposureOf(parseMessage(message), { sponsor, taker }, SWAPS);
}

/** An ordinary message with one more instruction. */
function problemWith(instruction: Instruction): string | undefined {
  return exposure([...ordinary, instruction]).problem;
}

describe('what a message can cost its sponsor', () => {
  it('is two signatures, the priority fee rounded up, and rent for each account that is created', () => {
    expect(exposure(ordinary)).toEqual({ lamports: 10_000n + 3n + 4_000_000n });
    expect(exposure([swap])).toEqual({ lamports: 10_000n });
    const own = createAssociatedTokenIdempotent({ ...create, payer: taker });
    expect(exposure([own, swap])).toEqual({ lamports: 10_000n });
  });

  it('counts the units of every instruction where there is no limit', () => {
    expect(exposure([setComputeUnitPrice(200_000n), swap])).toEqual({ lamports: 90_000n });
  });

  it('is never more for its priority than the sponsor bids by itself', () => {
    const priced = (price: bigint) =>
      exposure([setComputeUnitLimit(100_000), setComputeUnitPrice(price), swap]);
    expect(priced(1_000_000n)).toEqual({ lamports: 110_000n });
    expect(priced(1_000_001n).problem).toBe(
      'its priority fee is 100001 lamports, and a sponsor pays at most 100000',
    );
  });
});

describe('a message that a sponsor does not sign', () => {
  it.each<[string, Instruction, RegExp]>([
    ['moves its lamports', transferLamports(sponsor, stranger, 1n), /lamports that are not the taker's/],
    ['gives its account away', assign(sponsor, stranger), /something else than a transfer/],
    [
      'moves its tokens',
      transfer(TOKEN_PROGRAM, {
        source: sponsorAccount,
        destination: account,
        authority: sponsor,
        amount: 1n,
      }),
      /something else than wrapping/,
    ],
    [
      'closes its token account',
      closeAccount(TOKEN_PROGRAM, { account: sponsorAccount, destination: taker, authority: sponsor }),
      /names the sponsor in a call of Token/,
    ],
    [
      "pays for a stranger's token account",
      createAssociatedTokenIdempotent({ ...create, owner: stranger }),
      /not the taker's/,
    ],
    ['creates an account that may exist', createAssociatedToken(create), /other than idempotently/],
    ['swaps twice', swap, /2 swaps/],
    [
      'lends its signature to the swap',
      { ...swap, accounts: [...swap.accounts, writableSigner(sponsor)] },
      /names the sponsor in a call of JUP6/,
    ],
    [
      'calls another program',
      { programAddress: stranger, accounts: [], data: new Uint8Array() },
      new RegExp(`calls ${stranger}`),
    ],
    [
      'asks for more heap',
      { programAddress: COMPUTE_BUDGET_PROGRAM, accounts: [], data: Uint8Array.of(1, 0, 0, 4, 0) },
      /besides limit and price/,
    ],
    [
      'has half an instruction',
      { programAddress: COMPUTE_BUDGET_PROGRAM, accounts: [], data: Uint8Array.of(2, 0) },
      /not a valid compute budget instruction/,
    ],
  ])('is one that %s', (_what, instruction, problem) => {
    expect(problemWith(instruction)).toMatch(problem);
  });

  it('is one without a swap', () => {
    expect(exposure(ordinary.filter((each) => each !== swap)).problem).toMatch(/0 swaps/);
  });

  it('is one that somebody else pays for, or that a third wallet signs', () => {
    const signers = /its signers must be the sponsor .* and the taker/;
    expect(exposure(ordinary, stranger).problem).toMatch(signers);
    expect(exposure([transferLamports(taker, stranger, 1n)], taker).problem).toMatch(signers);
    expect(problemWith(transferLamports(stranger, taker, 1n))).toMatch(signers);
  });
});
