import { describe, expect, it } from 'vitest';
import {
  claimVestingEscrow,
  createVestingEscrowV2,
} from '../../../src/protocols/jupiter-lock/instructions.ts';
import { cancelVestingEscrow } from '../../../src/protocols/jupiter-lock/instructions-change.ts';
import {
  decodeVestingEscrow,
  deriveVestingEscrow,
  ESCROW_SIZE,
  LOCK_PROGRAM,
} from '../../../src/protocols/jupiter-lock/layout.ts';
import { tokenProgramOf } from '../../../src/protocol/genesis/mints.ts';
import { GENESIS_TIME } from '../../../src/sandbox/genesis/build-genesis.ts';
import { TOKENS } from '../../../src/solana/known-tokens.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { WRAPPED_SOL_MINT } from '../../../src/solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../../src/solana/programs/associated-token.ts';
import { decodeTokenAccount } from '../../../src/solana/programs/token/account.ts';
import {
  deriveTokenAccountAddress,
  GenesisNetwork,
  getTokenByMint,
} from '../../../src/testing/svm/genesis-network.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { TERMS } from './world.ts';

describe('the lock of the demo wallet', () => {
  it('is claimed by its recipient as its schedule says', () => {
    const world = new GenesisNetwork(['locker']);
    const found = world.genesis.accounts.filter(
      ({ account }) => account.owner === LOCK_PROGRAM && account.data.length === ESCROW_SIZE,
    );
    expect(found).toHaveLength(1);
    const escrow = decodeVestingEscrow(found[0]?.account.data ?? new Uint8Array(0));
    const { mint, recipient } = escrow;
    expect(recipient).toBe(world.alice);
    const token = getTokenByMint(mint);
    const recipientToken = deriveTokenAccountAddress(recipient, token);
    const open = createAssociatedTokenIdempotent({
      payer: world.alice,
      owner: recipient,
      mint,
      tokenProgram: tokenProgramOf(token),
    });
    must(world, [open]);
    const before = world.balance(recipient, token);
    const claimed = (now: bigint) => {
      world.network.setUnixTime(now);
      must(world, [claimVestingEscrow(escrow, { recipientToken, maxAmount: U64_MAX })]);
      return world.balance(recipient, token) - before;
    };
    const { cliffTime, frequency, cliffUnlockAmount, amountPerPeriod, periods } = escrow;
    expect(claimed(cliffTime - 1n)).toBe(0n);
    expect(claimed(cliffTime)).toBe(cliffUnlockAmount);
    expect(claimed(cliffTime + 2n * frequency)).toBe(cliffUnlockAmount + 2n * amountPerPeriod);
    expect(claimed(cliffTime + 1_000n * frequency)).toBe(cliffUnlockAmount + periods * amountPerPeriod);
  });
});

describe('an escrow of a token of the genesis', () => {
  it('is created and cancelled, for every token', () => {
    const world = new GenesisNetwork(['locker']);
    world.network.setUnixTime(GENESIS_TIME);
    for (const token of TOKENS.filter(({ mint }) => mint !== WRAPPED_SOL_MINT)) {
      const { alice: sender, bob: recipient } = world;
      const { mint } = token;
      const tokenProgram = tokenProgramOf(token);
      const base = world.network.newAddress();
      const escrow = deriveVestingEscrow(base).address;
      world.fund(sender, token, 1_000_000n);
      const open = (owner: typeof sender) =>
        createAssociatedTokenIdempotent({ payer: sender, owner, mint, tokenProgram });
      const schedule = { ...TERMS, vestingStartTime: GENESIS_TIME, cliffTime: GENESIS_TIME + 1n };
      const parties = { base, sender, recipient, mint };
      const senderToken = deriveTokenAccountAddress(sender, token);
      const creation = createVestingEscrowV2({ ...schedule, ...parties, senderToken }, { tokenProgram });
      must(world, [open(escrow), open(recipient), creation]);
      const vault = world.network.account(deriveTokenAccountAddress(escrow, token));
      expect(decodeTokenAccount(vault?.data ?? new Uint8Array(0)).amount, token.symbol).toBe(1_500n);
      const recipientToken = deriveTokenAccountAddress(recipient, token);
      const accounts = { signer: sender, creatorToken: senderToken, recipientToken, rentReceiver: sender };
      must(world, [cancelVestingEscrow({ base, mint }, accounts, { tokenProgram })]);
    }
  });
});

function must(world: GenesisNetwork, instructions: readonly Instruction[]): void {
  const { error, logs } = world.send(instructions, world.alice);
  expect(error, logs.join('\n')).toBeNull();
}
