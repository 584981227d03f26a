import { claimVestingEscrow, createVestingEscrow } from '../../../src/protocols/jupiter-lock/instructions.ts';
import {
  cancelVestingEscrow,
  createVestingEscrowMetadata,
  updateVestingEscrowRecipient,
} from '../../../src/protocols/jupiter-lock/instructions-change.ts';
import type { VestingEscrow } from '../../../src/protocols/jupiter-lock/layout.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import type { LockWorld } from './world.ts';

export const TEXTS = { name: 'Name', description: '', creatorEmail: '', recipientEmail: 'a@b.c' };

type Build = (world: LockWorld, escrow: VestingEscrow, over: VestingEscrow) => Instruction;
/**
 * Each instruction, with the places of accounts that whoever signs may choose: who pays, where tokens and rents go, and for a
 * new escrow its parties. The metadata of a closing may not exist.
 */
export const INSTRUCTIONS: readonly (readonly [name: string, Build, free: readonly number[]])[] = [
  ['create_vesting_escrow', (world) => createVestingEscrow(world.terms()), [3, 4, 5]],
  ['create_vesting_escrow_v2', (world) => world.creation(), [4, 5, 6]],
  ['claim', (world, escrow) => claimVestingEscrow(escrow, pay(world)), [3]],
  ['claim_v2', (world, escrow) => world.claim(escrow, 10n), [4]],
  [
    'create_vesting_escrow_metadata',
    (world, escrow) => createVestingEscrowMetadata(escrow, world.stranger, TEXTS),
    [3],
  ],
  ['update_vesting_escrow_recipient', (world, escrow) => update(world, escrow, null), [0, 1]],
  ['update_vesting_escrow_recipient with an address', (world, _, over) => update(world, over, 'x@y.z'), []],
  ['cancel_vesting_escrow', (world, escrow) => cancel(world, escrow), [5]],
  ['close_vesting_escrow', (world, _, over) => world.close(over), [4]],
];

function pay(world: LockWorld) {
  return { recipientToken: world.tokens(world.recipient), maxAmount: 10n };
}

function cancel(world: LockWorld, escrow: VestingEscrow): Instruction {
  const parties = {
    ...{ signer: world.sender, rentReceiver: world.stranger },
    ...{ creatorToken: world.tokens(world.sender), recipientToken: world.tokens(world.recipient) },
  };
  return cancelVestingEscrow(escrow, parties, world.token);
}

function update(world: LockWorld, { base }: VestingEscrow, email: string | null): Instruction {
  return updateVestingEscrowRecipient(base, { signer: world.sender, recipient: world.stranger, email });
}
