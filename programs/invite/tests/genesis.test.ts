import { describe, expect, it } from 'vitest';
import { tokenProgramOf } from '../../../src/protocol/genesis/mints.ts';
import { deriveInviteKey } from '../../../src/protocols/jupiter-send/invite-key.ts';
import {
  createClaimInvite,
  createClawbackInvite,
  createExpireInvite,
  createNewInvite,
  type OpenInvite,
} from '../../../src/protocols/jupiter-send/invite-instructions.ts';
import { deriveInvite, deriveInviteVault } from '../../../src/protocols/jupiter-send/invite-program.ts';
import { GENESIS_TIME } from '../../../src/sandbox/genesis/build-genesis.ts';
import { TOKENS, type TokenInfo } from '../../../src/solana/known-tokens.ts';
import { WRAPPED_SOL_MINT } from '../../../src/solana/program-addresses.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { createAssociatedTokenIdempotent } from '../../../src/solana/programs/associated-token.ts';
import { deriveTokenAccountAddress, GenesisNetwork } from '../../../src/testing/svm/genesis-network.ts';

describe('an invite of a token of the genesis', () => {
  it('is claimed, clawed back and returned, for every token', () => {
    const world = new GenesisNetwork(['invite']);
    const { network, alice, bob } = world;
    for (const token of TOKENS.filter(({ mint }) => mint !== WRAPPED_SOL_MINT)) {
      network.setUnixTime(GENESIS_TIME);
      world.fund(alice, token, 3_000_000n);
      const before = world.balance(alice, token);
      const [claimed, back, expired] = ['claimed', 'back', 'expired'].map((code) =>
        create(world, token, code),
      ) as [OpenInvite, OpenInvite, OpenInvite];
      expect(before - world.balance(alice, token)).toBe(3_000_000n);
      const { mint } = token;
      const open = createAssociatedTokenIdempotent({
        payer: bob,
        owner: bob,
        mint,
        tokenProgram: tokenProgramOf(token),
      });
      const withholds = token.symbol === 'BERN';
      must(world, [open, createClaimInvite(claimed, bob, withholds)]);
      must(world, [createClawbackInvite(back, undefined, withholds)]);
      network.setUnixTime(GENESIS_TIME + 600n);
      must(world, [createExpireInvite(expired, bob, withholds)]);
      const kept = before - world.balance(alice, token);
      // The fee of BERN is 6.9 % of every transfer, of which each of these invites makes two.
      expect(kept, token.symbol).toBe(withholds ? 1_000_000n + 2n * 133_239n : 1_000_000n);
    }
  });
});

function create(world: GenesisNetwork, token: TokenInfo, code: string): OpenInvite {
  const { mint } = token;
  const tokenProgram = tokenProgramOf(token);
  const inviteKey = deriveInviteKey(code).address;
  const { alice: sender } = world;
  const source = deriveTokenAccountAddress(sender, token);
  const creation = { sender, inviteKey, token: { mint, tokenProgram, source }, amount: 1_000_000n };
  must(world, [createNewInvite({ ...creation, expiresAt: GENESIS_TIME + 600n })]);
  const vault = deriveInviteVault(deriveInvite(inviteKey).address, mint, tokenProgram);
  return { sender, inviteKey, token: { mint, tokenProgram, vault } };
}

function must(world: GenesisNetwork, instructions: readonly Instruction[]): void {
  const { error, logs } = world.send(instructions, world.bob);
  expect(error, logs.join('\n')).toBeNull();
}
