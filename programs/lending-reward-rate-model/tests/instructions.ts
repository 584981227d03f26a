import { type Address, address, toAddressBytes } from '../../../src/solana/address.ts';
import { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../../src/solana/messages/instruction.ts';
import { findProgramAddress } from '../../../src/solana/pda.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { reserveAddress } from '../../liquidity/tests/addresses.ts';
import { type Members, tagOf } from '../../liquidity/tests/instructions.ts';
import { LENDING_PROGRAM } from '../../../src/protocols/jupiter-lend/lending-base/programs.ts';
import {
  deriveLendingAddress,
  deriveReceiptMintAddress,
} from '../../../src/protocols/jupiter-lend/lending/addresses.ts';

export const REWARDS_PROGRAM = address('jup7TthsMgcR9Y3L277b8Eo9uboVSmu1utkuXHNUKar');
export const REWARDS_ADMIN = findProgramAddress(REWARDS_PROGRAM, [
  Buffer.from('lending_rewards_admin'),
]).address;

export function rewardsAddress(mint: Address): Address {
  const seeds = [Buffer.from('lending_rewards_rate_model'), toAddressBytes(mint)];
  return findProgramAddress(REWARDS_PROGRAM, seeds).address;
}

type Write = (to: ByteWriter) => ByteWriter;

function instruction(name: string, accounts: AccountMeta[], write: Write = (to) => to): Instruction {
  const data = write(new ByteWriter(128).bytes(tagOf(name))).finish();
  return { programAddress: REWARDS_PROGRAM, accounts, data };
}

export function initRewardsAdmin(
  signer: Address,
  authority: Address,
  lendingProgram = LENDING_PROGRAM,
): Instruction {
  return instruction(
    'init_lending_rewards_admin',
    [writableSigner(signer), writable(REWARDS_ADMIN), readonly(SYSTEM_PROGRAM)],
    (to) => to.address(authority).address(lendingProgram),
  );
}

export function initRewardsRateModel(authority: Address, mint: Address): Instruction {
  return instruction('init_lending_rewards_rate_model', [
    writableSigner(authority),
    readonly(REWARDS_ADMIN),
    readonly(mint),
    writable(rewardsAddress(mint)),
    readonly(SYSTEM_PROGRAM),
  ]);
}

export function updateRewardsAuths(authority: Address, members: Members): Instruction {
  return instruction('update_auths', [readonlySigner(authority), writable(REWARDS_ADMIN)], (to) => {
    to.u32(members.length);
    for (const [user, member] of members) to.address(user).bool(member);
    return to;
  });
}

function change(
  name: string,
  authority: Address | null,
  mint: Address,
  write: Write = (to) => to,
): Instruction {
  return instruction(
    name,
    [
      ...(authority === null ? [] : [readonlySigner(authority)]),
      readonly(REWARDS_ADMIN),
      writable(deriveLendingAddress(mint).address),
      readonly(mint),
      readonly(deriveReceiptMintAddress(mint)),
      readonly(reserveAddress(mint)),
      writable(rewardsAddress(mint)),
      readonly(LENDING_PROGRAM),
    ],
    write,
  );
}

export interface Rewards {
  readonly amount: bigint;
  readonly duration: bigint;
  readonly startTime: bigint;
  readonly startTvl: bigint;
}

export function startRewards(authority: Address, mint: Address, rewards: Rewards): Instruction {
  return change('start_rewards', authority, mint, (to) =>
    to.u64(rewards.amount).u64(rewards.duration).u64(rewards.startTime).u64(rewards.startTvl),
  );
}

export function stopRewards(authority: Address, mint: Address): Instruction {
  return change('stop_rewards', authority, mint);
}

export function queueNextRewards(
  authority: Address,
  mint: Address,
  amount: bigint,
  duration: bigint,
): Instruction {
  return change('queue_next_rewards', authority, mint, (to) => to.u64(amount).u64(duration));
}

export function cancelQueuedRewards(authority: Address, mint: Address): Instruction {
  return change('cancel_queued_rewards', authority, mint);
}

export function transitionToNextRewards(mint: Address): Instruction {
  return change('transition_to_next_rewards', null, mint);
}
