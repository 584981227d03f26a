import { describe, expect, it } from 'vitest';
import type { MultipleElement } from '../../../src/protocol/positions/element.ts';
import { jupiterLock } from '../../../src/protocols/jupiter-lock/fetcher.ts';
import { updateVestingEscrowRecipient } from '../../../src/protocols/jupiter-lock/instructions-change.ts';
import { deriveVestingEscrow, LOCK_PROGRAM } from '../../../src/protocols/jupiter-lock/layout.ts';
import type { Address } from '../../../src/solana/address.ts';
import { fetchForWallet } from '../../../src/testing/protocols/accounts.ts';
import { TestView } from '../../../src/testing/protocols/wallet-view.ts';
import { CLIFF, LockWorld } from './world.ts';

describe('the portfolio of a recipient', () => {
  it('shows an escrow as the program has written it, until it is given away or cancelled', async () => {
    const world = new LockWorld();
    const escrow = world.create();
    const [cliff, end] = [Number(CLIFF) * 1_000, Number(CLIFF + 50n) * 1_000];
    expect(await shown(world, world.recipient, escrow.base)).toEqual([
      [escrow.mint, 1_000n, cliff],
      [escrow.mint, 500n, end],
    ]);
    world.network.setUnixTime(CLIFF);
    world.must(world.claim(escrow, 400n));
    expect(await shown(world, world.recipient, escrow.base)).toEqual([[escrow.mint, 1_100n, end]]);
    const change = { signer: world.recipient, recipient: world.stranger, email: null };
    world.must(updateVestingEscrowRecipient(escrow.base, change));
    expect(await shown(world, world.recipient, escrow.base)).toEqual([]);
    expect(await shown(world, world.stranger, escrow.base)).toEqual([[escrow.mint, 1_100n, end]]);
    world.must(world.cancel({ ...escrow, recipient: world.stranger }, world.sender));
    expect(await shown(world, world.stranger, escrow.base)).toEqual([]);
  });
});

/** Returns the assets of the wallet's escrows: mint, amount and the time in Unix ms. */
async function shown(world: LockWorld, wallet: Address, base: Address) {
  const { address } = deriveVestingEscrow(base);
  const view = new TestView();
  view.set(address, LOCK_PROGRAM, world.network.account(address)?.data ?? new Uint8Array(0));
  const { elements } = await fetchForWallet(jupiterLock, view, wallet);
  return (elements as readonly MultipleElement[]).flatMap(({ assets }) =>
    assets.map(
      (asset) => asset.type === 'token' && [asset.mint, asset.amount, asset.attributes?.lockedUntil],
    ),
  );
}
