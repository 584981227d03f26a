import fc from 'fast-check';
import {
  claimVestingEscrow,
  claimVestingEscrowV2,
  createVestingEscrow,
  createVestingEscrowV2,
} from '../../../src/protocols/jupiter-lock/instructions.ts';
import {
  cancelVestingEscrow,
  closeVestingEscrow,
  createVestingEscrowMetadata,
  updateVestingEscrowRecipient,
} from '../../../src/protocols/jupiter-lock/instructions-change.ts';
import { deriveVestingEscrow, type VestingTerms } from '../../../src/protocols/jupiter-lock/layout.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { type LockWorld, START } from './world.ts';

/** One thing that happens to one of two escrows. Each of four wallets may try everything. */
export interface LockStep {
  readonly kind: (typeof KINDS_OF_STEPS)[number];
  /** Who signs: one of the wallets, or from 4 on the creator or the recipient of the escrow. */
  readonly who: number;
  /** Who is named besides: a recipient, a payer, or whose account is paid. */
  readonly other: number;
  readonly escrow: number;
  /** Whether the form for the classic token program is used where there is one. */
  readonly plain: boolean;
  readonly terms: VestingTerms;
  readonly amount: bigint;
  readonly gift: bigint;
  readonly seconds: number;
  /** A text of the metadata. Null leaves the metadata out of a change of the recipient. */
  readonly text: string | null;
}

const KINDS_OF_STEPS = [
  ...['create', 'claim', 'cancel', 'close', 'update', 'metadata', 'wait', 'sendTokens', 'sendLamports'],
] as const;

const amount = fc.oneof(
  { weight: 5, arbitrary: fc.bigInt({ min: 0n, max: 20n }) },
  { weight: 5, arbitrary: fc.bigInt({ min: 0n, max: 100_000n }) },
  { weight: 5, arbitrary: fc.bigInt({ min: 0n, max: 1n << 40n }) },
  { weight: 1, arbitrary: fc.constantFrom(U64_MAX, 1n << 63n, U64_MAX / 6n) },
);
const mode = fc.oneof(
  { weight: 20, arbitrary: fc.nat(3) },
  { weight: 1, arbitrary: fc.constantFrom(4, 255) },
);

/** Terms of which most are sound, with times near the beginning of a world. */
export const vestingTerms: fc.Arbitrary<VestingTerms> = fc
  .record({
    start: fc.bigInt({ min: -20n, max: 60n }),
    delay: fc.oneof(
      { weight: 20, arbitrary: fc.bigInt({ min: 0n, max: 60n }) },
      { weight: 1, arbitrary: fc.constant(-1n) },
    ),
    frequency: fc.oneof(
      { weight: 10, arbitrary: fc.bigInt({ min: 1n, max: 20n }) },
      { weight: 1, arbitrary: fc.constantFrom(0n, U64_MAX) },
    ),
    cliffUnlockAmount: amount,
    amountPerPeriod: amount,
    periods: fc.oneof(
      { weight: 20, arbitrary: fc.bigInt({ min: 0n, max: 6n }) },
      { weight: 1, arbitrary: fc.constantFrom(1n << 32n, U64_MAX) },
    ),
    updateRecipientMode: mode,
    cancelMode: mode,
  })
  .map(({ start, delay, ...rest }) => ({
    vestingStartTime: START + start,
    cliffTime: START + start + delay,
    ...rest,
  }));

export const lockStep: fc.Arbitrary<LockStep> = fc.record({
  kind: fc.constantFrom(...KINDS_OF_STEPS, 'create', 'create', 'claim', 'claim', 'wait', 'wait', 'close'),
  who: fc.nat(6),
  other: fc.nat(3),
  escrow: fc.nat(1),
  plain: fc.boolean(),
  terms: vestingTerms,
  amount,
  gift: fc.bigInt({ min: 890_880n, max: 5_000_000n }),
  seconds: fc.integer({ min: 0, max: 40 }),
  text: fc.option(fc.string({ maxLength: 40, unit: 'grapheme' })),
});

/** The wallets and bases of a life. */
export interface LockParties {
  readonly wallets: readonly Address[];
  readonly bases: readonly Address[];
}

export const RICH = 1n << 50n;

/** Makes four wallets with tokens, and two bases. */
export function makeParties(world: LockWorld): LockParties {
  const wallets = [1, 2, 3, 4].map(() => world.network.newWallet(RICH));
  for (const wallet of wallets) world.give(wallet, RICH);
  return { wallets, bases: [1, 2].map(() => world.network.newAddress()) };
}

/** Returns who signs a step. */
export function findSigner(world: LockWorld, { wallets, bases }: LockParties, step: LockStep): Address {
  const found = step.who < 4 ? null : world.read(bases[step.escrow] as Address);
  if (found === null) return wallets[step.who % 4] as Address;
  return step.who === 4 ? found.recipient : found.creator;
}

/** Builds the instruction of a step, or null for what is none of the program's. */
export function buildStep(world: LockWorld, parties: LockParties, step: LockStep): Instruction | null {
  const { token } = world;
  const [who, other] = [findSigner(world, parties, step), parties.wallets[step.other] as Address];
  const base = parties.bases[step.escrow] as Address;
  const { mint } = token;
  const isPlain = step.plain && token.tokenProgram === TOKEN_PROGRAM;
  const found = world.read(base);
  switch (step.kind) {
    case 'create': {
      const senderToken = world.tokens(who);
      const terms = { ...step.terms, base, mint, sender: who, senderToken, recipient: other };
      return isPlain ? createVestingEscrow(terms) : createVestingEscrowV2(terms, token);
    }
    case 'claim': {
      const claim = { recipientToken: world.tokens(other), maxAmount: step.amount };
      const escrow = { base, mint, recipient: who };
      return isPlain ? claimVestingEscrow(escrow, claim) : claimVestingEscrowV2(escrow, claim, token);
    }
    case 'cancel': {
      const creatorToken = world.tokens(found?.creator ?? who);
      const recipientToken = world.tokens(found?.recipient ?? other);
      const accounts = { signer: who, creatorToken, recipientToken, rentReceiver: other };
      return cancelVestingEscrow({ base, mint }, accounts, token);
    }
    case 'close':
      return closeVestingEscrow({ base, mint, creator: who }, world.tokens(other), token);
    case 'update':
      return updateVestingEscrowRecipient(base, { signer: who, recipient: other, email: step.text });
    case 'metadata': {
      const texts = {
        name: step.text ?? '',
        description: `${step.amount}`,
        creatorEmail: '',
        recipientEmail: 'a@b',
      };
      return createVestingEscrowMetadata({ base, creator: who }, other, texts);
    }
    default:
      return null;
  }
}

/** Opens the token account of the step's escrow, which has to exist before an escrow is created. */
export function openVault(world: LockWorld, { bases }: LockParties, { escrow }: LockStep): Address {
  return world.open(deriveVestingEscrow(bases[escrow] as Address).address);
}
