import { describe, expect, it } from 'vitest';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
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
import { createKeypairFromSeed } from '../../solana/keypair.ts';
import { parseMessage } from '../../solana/messages/message.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { COMPUTE_BUDGET_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { sha256 } from '../../solana/encoding/sha256.ts';
import { assign, transferLamports } from '../../solana/programs/system.ts';
import { closeAccount, syncNative, transfer } from '../../solana/programs/token/instructions.ts';
import { harvestWithheldFees } from '../../solana/programs/token/transfer-fee.ts';
import { computeExposure, type SponsorPolicy } from './exposure.ts';

describe('computeExposure', () => {
  it('is two signatures, the priority fee rounded up, and the rent of each account that is created', () => {
    expect(exposure(ordinary)).toEqual({ lamports: 10_000n + 3n + 4_000_000n });
    expect(exposure([swap])).toEqual({ lamports: 10_000n });
    const own = createAssociatedTokenIdempotent({ ...create, payer: taker });
    expect(exposure([own, swap])).toEqual({ lamports: 10_000n });
  });

  it('lets the taker close an account into the sponsor, and move withheld fees out of it before', () => {
    const close = closeAccount(TOKEN_PROGRAM, { account, destination: sponsor, authority: taker });
    const harvest = harvestWithheldFees(WRAPPED_SOL_MINT, [account]);
    expect(exposure([createAssociatedTokenIdempotent(create), swap, harvest, close])).toEqual({
      lamports: 10_000n + 4_000_000n,
    });
  });

  it('counts the default units of every instruction if there is no limit', () => {
    expect(exposure([setComputeUnitPrice(200_000n), swap])).toEqual({ lamports: 90_000n });
  });

  it('counts at most the sponsor’s own bound for priority', () => {
    const priced = (price: bigint) =>
      exposure([setComputeUnitLimit(100_000), setComputeUnitPrice(price), swap]);
    expect(priced(1_000_000n)).toEqual({ lamports: 110_000n });
    expect(priced(1_000_001n).problem).toBe(
      'its priority fee is 100001 lamports, and a sponsor pays at most 100000',
    );
  });
});

describe('SponsorPolicy', () => {
  it('admits as many calls of its programs as it declares', () => {
    expect(exposure([call], sponsor, policy)).toEqual({ lamports: 10_000n });
    expect(exposure([call, swap, call], sponsor, policy)).toEqual({ lamports: 10_000n });
    expect(exposure([call, swap, call, swap], sponsor, policy).problem).toBe(
      'it makes 4 calls instead of 1 to 3',
    );
    expect(exposure([], sponsor, policy).problem).toMatch(/its signers must be/);
  });

  it('admits no other program, and no call with the sponsor’s signature', () => {
    expect(exposure([call]).problem).toBe(`it calls ${lending}`);
    const signed = { ...call, accounts: [...call.accounts, writableSigner(sponsor)] };
    expect(exposure([signed], sponsor, policy).problem).toBe(`it names the sponsor in a call of ${lending}`);
  });

  const lending = wallet('lending program');
  const call = { ...swap, programAddress: lending };
  const policy: SponsorPolicy = {
    programs: new Set([lending, AGGREGATOR_PROGRAM]),
    calls: { min: 1, max: 3 },
    noun: 'deposit',
    plural: 'calls',
    paysBack: true,
  };
});

describe('exposureOf: a message that a sponsor does not sign', () => {
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
      /more of the compute budget than limit and price/,
    ],
    [
      'has half an instruction',
      { programAddress: COMPUTE_BUDGET_PROGRAM, accounts: [], data: Uint8Array.of(2, 0) },
      /not a valid compute budget instruction/,
    ],
  ])('is one that %s', (_what, instruction, problem) => {
    expect(problemWith(instruction)).toMatch(problem);
  });

  it('refuses a message without a swap', () => {
    expect(exposure(ordinary.filter((each) => each !== swap)).problem).toMatch(/0 swaps/);
  });

  it('refuses a message that another wallet pays for, or that a third wallet signs', () => {
    const signers = /its signers must be the sponsor .* and the taker/;
    expect(exposure(ordinary, stranger).problem).toMatch(signers);
    expect(exposure([transferLamports(taker, stranger, 1n)], taker).problem).toMatch(signers);
    expect(problemWith(transferLamports(stranger, taker, 1n))).toMatch(signers);
  });
});

const SWAPS: SponsorPolicy = {
  programs: new Set([AGGREGATOR_PROGRAM]),
  calls: { min: 1, max: 1 },
  noun: 'swap',
  plural: 'swaps',
  paysBack: true,
};

const wallet = (name: string): Address => createKeypairFromSeed(sha256(Buffer.from(name))).address;
const sponsor = wallet('sponsor');
const taker = wallet('taker');
const stranger = wallet('stranger');
const account = deriveAssociatedTokenAddress(taker, WRAPPED_SOL_MINT, TOKEN_PROGRAM);
const sponsorAccount = deriveAssociatedTokenAddress(sponsor, WRAPPED_SOL_MINT, TOKEN_PROGRAM);

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

function exposure(instructions: readonly Instruction[], feePayer = sponsor, policy = SWAPS) {
  const message = compileMessage({
    feePayer,
    blockhash: new Uint8Array(32),
    instructions,
    lookupTables: null,
  });
  return computeExposure(parseMessage(message), { sponsor, taker }, policy);
}

/** Adds an instruction to an ordinary message, and returns why a sponsor does not sign it. */
function problemWith(instruction: Instruction): string | undefined {
  return exposure([...ordinary, instruction]).problem;
}
