import type { LockWorld, WorldKind } from '../../../programs/locker/tests/world.ts';
import { CLIFF, START } from '../../../programs/locker/tests/world.ts';
import { claimVestingEscrow, createVestingEscrow } from '../../../src/protocols/jupiter-lock/instructions.ts';
import {
  createVestingEscrowMetadata,
  updateVestingEscrowRecipient,
} from '../../../src/protocols/jupiter-lock/instructions-change.ts';
import { deriveVestingEscrow } from '../../../src/protocols/jupiter-lock/layout.ts';
import { deriveVestingEscrowMetadata } from '../../../src/protocols/jupiter-lock/metadata-layout.ts';
import type { Address } from '../../../src/solana/address.ts';
import {
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../src/solana/program-addresses.ts';
import type { ValidInstruction } from '../comparison.ts';

const TEXTS = { name: 'Name', description: 'What it is for', creatorEmail: 'a@b.c', recipientEmail: '' };

/** Returns every instruction as it should be, and accounts that do not belong into it. */
export function listValidInstructions(
  kind: WorldKind,
  worlds: readonly [LockWorld, LockWorld],
): readonly ValidInstruction[] {
  const [made] = worlds.map((world) => listIn(kind, world));
  return made ?? [];
}

function listIn(kind: WorldKind, world: LockWorld): readonly ValidInstruction[] {
  const { sender, recipient, stranger, token } = world;
  const isClassic = token.tokenProgram === TOKEN_PROGRAM;
  const foreign = world.newToken(isClassic ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM);
  const alike = world.newToken(token.tokenProgram);
  const escrow = world.create();
  const withMetadata = world.create();
  world.must(createVestingEscrowMetadata(withMetadata, sender, TEXTS));
  const fresh = world.terms();
  const over = world.create({
    periods: 0n,
    cliffUnlockAmount: 10n,
    cliffTime: START,
    vestingStartTime: START,
  });
  world.must(world.claim(over));
  const cancelled = world.create();
  world.must(world.cancel(cancelled, sender));
  world.network.setUnixTime(CLIFF);
  const strangers: readonly Address[] = [
    ...[SYSTEM_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM, MEMO_PROGRAM],
    ...[sender, recipient, stranger, world.network.newAddress()],
    ...[sender, recipient, stranger].map((owner) => world.tokens(owner)),
    ...[token.mint, foreign.mint, alike.mint],
    ...[world.give(sender, 10_000n, foreign), world.give(sender, 10_000n, alike)],
    ...[escrow, withMetadata, over, cancelled].map(({ base }) => deriveVestingEscrow(base).address),
    deriveVestingEscrowMetadata(deriveVestingEscrow(withMetadata.base).address),
    ...[escrow, withMetadata, over, fresh].map((each) => world.vault(each)),
    deriveVestingEscrow(fresh.base).address,
  ];
  const email = 'a.longer@address.example';
  const update = (base: Address, text: string | null) =>
    updateVestingEscrowRecipient(base, { signer: sender, recipient: stranger, email: text });
  const recipientToken = world.tokens(recipient);
  const plain: readonly ValidInstruction[] = [
    ['create_vesting_escrow', createVestingEscrow(fresh), strangers],
    ['claim', claimVestingEscrow(escrow, { recipientToken, maxAmount: 10n }), strangers],
  ];
  return [
    ...(isClassic ? plain : []),
    [`create_vesting_escrow_v2 ${kind}`, world.creation(fresh), strangers],
    [`claim_v2 ${kind}`, world.claim(escrow, 10n), strangers],
    [
      `create_vesting_escrow_metadata ${kind}`,
      createVestingEscrowMetadata(escrow, stranger, TEXTS),
      strangers,
    ],
    [`update_vesting_escrow_recipient ${kind}`, update(escrow.base, null), strangers],
    [`update_vesting_escrow_recipient with an address ${kind}`, update(withMetadata.base, email), strangers],
    [`cancel_vesting_escrow ${kind}`, world.cancel(escrow, sender), strangers],
    [`close_vesting_escrow ${kind}`, world.close(over), strangers],
    [`close_vesting_escrow of a cancelled one ${kind}`, world.close(cancelled), strangers],
  ];
}
