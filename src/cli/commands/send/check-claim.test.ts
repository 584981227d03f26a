import { describe, expect, it } from 'vitest';
import {
  createClaimInvite,
  createClawbackInvite,
  type OpenInvite,
} from '../../../protocols/jupiter-send/invite-instructions.ts';
import { deriveInvite, deriveInviteVault } from '../../../protocols/jupiter-send/invite-program.ts';
import type { Address } from '../../../solana/address.ts';
import { compileMessage, type MessageSource } from '../../../solana/messages/compile-message.ts';
import { addSigner, type Instruction, readonly } from '../../../solana/messages/instruction.ts';
import { encodeUnsigned } from '../../../solana/messages/transaction.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../solana/program-addresses.ts';
import {
  createAssociatedToken,
  createAssociatedTokenIdempotent,
} from '../../../solana/programs/associated-token.ts';
import { setComputeUnitLimit, setComputeUnitPrice } from '../../../solana/programs/compute-budget.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import { createTestKey } from '../../../testing/chain/bank.ts';
import { checkClaim, type OfferedClaim, type WantedClaim } from './check-claim.ts';

describe('checkClaim', () => {
  it.each([
    ['of SOL', SOL_INVITE],
    ['of a token', TOKEN_INVITE],
  ])('accepts a claim %s with a compute budget, in either version', (_, invite) => {
    for (const version of ['legacy', 0] as const) {
      // One lamport, rounded up.
      const budget = [setComputeUnitLimit(50_000), setComputeUnitPrice(1n)];
      const instructions = [...budget, createClaimInvite(invite, RECEIVER)];
      expect(check(instructions, { invite }, { version, statedCost: 10_001n })).toBeNull();
    }
  });

  it('accepts the opening of the receiver’s token account, and fees that go to the mint', () => {
    const claim = createClaimInvite(TOKEN_INVITE, RECEIVER, true);
    const cost = 10_000n + RENT;
    expect(check([OPENING, claim], { invite: TOKEN_INVITE }, { statedCost: cost })).toBeNull();
    expect(check([claim], { invite: TOKEN_INVITE })).toBeNull();
  });

  it('accepts a receiver who pays, and a sender who does', () => {
    for (const payer of [RECEIVER, SENDER]) {
      expect(check([createClaimInvite(SOL_INVITE, RECEIVER)], { payer }, { feePayer: payer })).toBeNull();
    }
  });

  it.each<[string, readonly Instruction[], RegExp]>([
    ['no claim', [setComputeUnitLimit(1)], /^has 0 claims/],
    ['two claims', [CLAIM, CLAIM], /^has 2 claims/],
    [
      'a claim that the key of the invite does not sign',
      [{ ...CLAIM, accounts: CLAIM.accounts.map((meta, at) => (at === 0 ? readonly(meta.address) : meta)) }],
      /^does not take the signature of \w+$/,
    ],
    ['a claim for somebody else', [createClaimInvite(SOL_INVITE, THIEF)], SOMETHING_ELSE],
    [
      'a claim of another invite',
      [createClaimInvite({ ...SOL_INVITE, inviteKey: THIEF }, RECEIVER)],
      /^has to be signed by \w+ too$/,
    ],
    [
      'a claim that names another sender',
      [createClaimInvite({ ...SOL_INVITE, sender: THIEF }, RECEIVER)],
      SOMETHING_ELSE,
    ],
    ['a claim of a token instead of SOL', [createClaimInvite(TOKEN_INVITE, RECEIVER)], SOMETHING_ELSE],
    ['a claim with a byte more', [{ ...CLAIM, data: new Uint8Array([...CLAIM.data, 0]) }], SOMETHING_ELSE],
    ['a claim with an account more', [addSigner(CLAIM, PAYER)], SOMETHING_ELSE],
    [
      'a clawback by the payer',
      [CLAIM, createClawbackInvite({ ...SOL_INVITE, sender: PAYER })],
      SOMETHING_ELSE,
    ],
    [
      'a transfer',
      [CLAIM, transferLamports(PAYER, THIEF, 1n)],
      /^calls the program 1{32}, which a claim does not need$/,
    ],
    ['an opening, for SOL', [OPENING, CLAIM], /^opens another account than the token account of/],
    [
      'a compute budget that nobody can read',
      [CLAIM, { programAddress: COMPUTE_BUDGET_PROGRAM, accounts: [], data: Uint8Array.of(9) }],
      /compute budget/,
    ],
    [
      'a compute budget that is cut short',
      [CLAIM, { programAddress: COMPUTE_BUDGET_PROGRAM, accounts: [], data: Uint8Array.of(3, 1) }],
      /compute budget/,
    ],
  ])('refuses a message with %s', (_, instructions, reason) => {
    expect(check(instructions)).toMatch(reason);
  });

  it.each<[string, Instruction]>([
    ['of somebody else', createOpening({ owner: THIEF })],
    ['of another mint', createOpening({ mint: THIEF })],
    ['of the other token program', createOpening({ tokenProgram: TOKEN_2022_PROGRAM })],
    [
      'that fails if it exists',
      createAssociatedToken({ payer: PAYER, owner: RECEIVER, mint: MINT, tokenProgram: TOKEN_PROGRAM }),
    ],
  ])('refuses the opening of a token account %s', (_, opening) => {
    const claim = createClaimInvite(TOKEN_INVITE, RECEIVER);
    expect(check([opening, claim], { invite: TOKEN_INVITE })).toMatch(/^opens another account/);
  });

  it('refuses a claim into a vault that is not the invite’s', () => {
    const token = { mint: MINT, tokenProgram: TOKEN_PROGRAM, vault: THIEF };
    const claim = createClaimInvite({ ...TOKEN_INVITE, token }, RECEIVER);
    expect(check([claim], { invite: TOKEN_INVITE })).toMatch(SOMETHING_ELSE);
  });

  it('refuses another fee payer, and accounts that a table hides', () => {
    expect(check([CLAIM], {}, { feePayer: THIEF })).toMatch(/^is paid by \w+, and not by \w+$/);
    const lookupTables = { [THIEF]: [RECEIVER, SENDER] };
    expect(check([CLAIM], {}, { lookupTables })).toMatch(/^looks up accounts in a table/);
  });

  it('refuses bytes that are no transaction', () => {
    const offered = { wire: new Uint8Array(3), statedCost: 10_000n };
    expect(checkClaim(offered, createWanted())).toMatchObject({ ok: false, reason: /^cannot be read: / });
  });

  it('refuses what costs a lamport more than the instance states, or than is allowed', () => {
    // A limit of 200,000 units at 5 micro-lamports is one lamport.
    const priced = [setComputeUnitLimit(200_000), setComputeUnitPrice(5n), CLAIM];
    expect(check(priced)).toBe('costs 0.000010001 SOL, though the instance states 0.00001 SOL');
    expect(check(priced, {}, { statedCost: 10_001n })).toBeNull();
    expect(check(priced, { maxCost: 10_000n }, { statedCost: 10_001n })).toBe(
      'costs 0.000010001 SOL, and 0.00001 SOL are allowed',
    );
  });

  it('counts the rent of an account that it opens', () => {
    const invite = TOKEN_INVITE;
    const instructions = [OPENING, createClaimInvite(invite, RECEIVER)];
    expect(check(instructions, { invite }, { statedCost: 10_000n + RENT - 1n })).toMatch(
      /^costs 0\.00204928 SOL/,
    );
    expect(check(instructions, { invite, rent: 0n }, { statedCost: 10_000n })).toBeNull();
  });
});

const SOMETHING_ELSE = /^calls the program of invites for something else than a claim of this invite by/;
const [INVITE_KEY, SENDER, RECEIVER, PAYER, THIEF, MINT] = [1, 2, 3, 4, 5, 6].map(
  (seed) => createTestKey(seed).address,
) as [Address, Address, Address, Address, Address, Address];
/** Lamports. */
const RENT = 2_039_280n;
const SOL_INVITE: OpenInvite = { sender: SENDER, inviteKey: INVITE_KEY, token: null };
const VAULT = deriveInviteVault(deriveInvite(INVITE_KEY).address, MINT, TOKEN_PROGRAM);
const TOKEN_INVITE: OpenInvite = {
  ...SOL_INVITE,
  token: { mint: MINT, tokenProgram: TOKEN_PROGRAM, vault: VAULT },
};
const CLAIM = createClaimInvite(SOL_INVITE, RECEIVER);
const OPENING = createOpening({});

function createOpening(changes: { owner?: Address; mint?: Address; tokenProgram?: Address }): Instruction {
  const opened = { payer: PAYER, owner: RECEIVER, mint: MINT, tokenProgram: TOKEN_PROGRAM };
  return createAssociatedTokenIdempotent({ ...opened, ...changes });
}

function createWanted(changes: Partial<WantedClaim> = {}): WantedClaim {
  return {
    invite: SOL_INVITE,
    receiver: RECEIVER,
    payer: PAYER,
    rent: RENT,
    maxCost: 10_000_000n,
    ...changes,
  };
}

/** Checks a message of the instructions, and returns why it is refused; null if it is not. */
function check(
  instructions: readonly Instruction[],
  wanted: Partial<WantedClaim> = {},
  { statedCost = 10_000n, ...source }: Partial<Pick<OfferedClaim, 'statedCost'> & MessageSource> = {},
): string | null {
  const message = compileMessage({
    feePayer: PAYER,
    blockhash: new Uint8Array(32),
    instructions,
    ...source,
  });
  const checked = checkClaim({ wire: encodeUnsigned(message), statedCost }, createWanted(wanted));
  return checked.ok ? null : checked.reason;
}
