import { describe, expect, it } from 'vitest';
import { EXPIRY, InviteWorld, KINDS, START, type WorldInvite } from '../../../programs/invite/tests/world.ts';
import { type Address, toAddressBytes } from '../../solana/address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { fetchForWallet } from '../../testing/protocols/accounts.ts';
import { TestView } from '../../testing/protocols/wallet-view.ts';
import { SvmChain } from '../../testing/svm/chain.ts';
import { walletNative } from '../wallet/native.ts';
import { walletTokens } from '../wallet/tokens.ts';
import { INVITE_SENDER_AT, INVITE_SIZE } from './invite-account.ts';
import { jupiterSendInvites } from './invite-positions.ts';
import { INVITE_PROGRAM } from './invite-program.ts';

describe.each(KINDS)('jupiterSendInvites, for invites of %s', (kind) => {
  it('shows what the sender can claw back, once, from its creation to its end', async () => {
    const world = new InviteWorld(kind);
    const invite = world.create();
    const [amount = 0n] = await shown(world, world.sender);
    const changes = world.watch(world.sender);
    expect(await elements(world, world.sender)).toEqual([
      {
        type: 'multiple',
        label: 'Deposit',
        name: 'Send',
        assets: [{ type: 'token', mint: mintOf(invite), amount, ref: invite.address }],
        ref: invite.address,
        ...(invite.token === null ? {} : { sourceRefs: [{ name: 'Vault', address: invite.token.vault }] }),
      },
    ]);
    world.must(world.clawback(invite));
    const [[, atoms = 0n] = []] = changes();
    // A transfer fee is not taken off before, as for other positions.
    if (kind === 'a token with a transfer fee') expect([amount, atoms]).toEqual([4_950_000n, 4_900_500n]);
    else if (kind !== 'SOL') expect([amount, atoms]).toEqual([5_000_000n, 5_000_000n]);
    else expect(amount).toBe(5_000_000n);
    expect(await shown(world, world.sender)).toEqual([]);
  });

  it('shows expired ones until they are returned, and none of them to anybody else', async () => {
    const world = new InviteWorld(kind);
    const invite = world.create();
    world.network.setUnixTime(EXPIRY + 1_000_000n);
    expect(await shown(world, world.sender)).toHaveLength(1);
    for (const other of [world.receiver, world.stranger, invite.inviteKey, invite.address])
      expect(await shown(world, other)).toEqual([]);
    world.must(world.expire(invite));
    expect(await shown(world, world.sender)).toEqual([]);
  });

  it('shows claimed ones to nobody', async () => {
    const world = new InviteWorld(kind);
    world.must(world.claim(world.create()));
    expect([await shown(world, world.sender), await shown(world, world.receiver)]).toEqual([[], []]);
  });
});

describe('jupiterSendInvites', () => {
  it('counts what a vault was given and what was taken from it, and leaves out one that is empty', async () => {
    const world = new InviteWorld('a token');
    const { token } = world.create();
    if (token === null) throw new Error('a token');
    world.add(token.vault, 250n);
    expect(await shown(world, world.sender)).toEqual([5_000_250n]);
    world.add(token.vault, -5_000_000n);
    expect(await shown(world, world.sender)).toEqual([250n]);
    world.add(token.vault, -250n);
    expect(await shown(world, world.sender)).toEqual([]);
  });

  it('counts no lamports that others have sent to an invite, nor its rent', async () => {
    const world = new InviteWorld();
    const { address } = world.create();
    world.must(transferLamports(world.network.payer, address, 77_000_000n));
    expect(await shown(world, world.sender)).toEqual([5_000_000n]);
  });

  it('shows several invites beside one that cannot be read', async () => {
    const world = new InviteWorld('a token');
    for (let each = 0; each < 3; each++) world.create({ amount: 1_000n });
    const view = await viewOf(world);
    const broken = world.network.newAddress();
    const data = new Uint8Array(INVITE_SIZE);
    data.set(toAddressBytes(world.sender), INVITE_SENDER_AT);
    view.set(broken, INVITE_PROGRAM, data);
    const fetched = await fetchForWallet(jupiterSendInvites, view, world.sender);
    expect(fetched.elements).toHaveLength(3);
    expect(fetched.unreadable?.map(({ address }) => address)).toEqual([broken]);
  });

  it('is the only one that shows what is in an invite', async () => {
    const world = new InviteWorld('a token');
    const { token } = world;
    if (token === null) throw new Error('a token');
    const total = async () => {
      const view = await viewOf(world);
      const all = [jupiterSendInvites, walletTokens, walletNative];
      const fetched = await Promise.all(all.map((each) => fetchForWallet(each, view, world.sender)));
      return fetched
        .flatMap((each) => each.elements)
        .flatMap((element) => (element.type === 'multiple' ? element.assets : []))
        .filter((asset) => asset.type === 'token' && asset.mint === token.mint)
        .reduce((sum, { amount = 0n }) => sum + BigInt(amount), 0n);
    };
    const before = await total();
    const invite = world.create();
    expect(await total()).toBe(before);
    world.network.setUnixTime(START + 1n);
    world.must(world.claim(invite));
    expect(await total()).toBe(before - 5_000_000n);
  });
});

function mintOf({ token }: WorldInvite): Address {
  return token?.mint ?? WRAPPED_SOL_MINT;
}

/** The accounts of the invite program and of both token programs, as they are now. */
async function viewOf({ network }: InviteWorld): Promise<TestView> {
  const chain = new SvmChain(network);
  const view = new TestView();
  for (const program of [INVITE_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
    for (const { address, account } of await chain.getProgramAccounts(program)) {
      if (account !== null) view.set(address, account.owner, account.data, account.lamports);
    }
  }
  return view;
}

async function elements(world: InviteWorld, owner: Address) {
  const { elements: found, unreadable } = await fetchForWallet(
    jupiterSendInvites,
    await viewOf(world),
    owner,
  );
  expect(unreadable).toEqual([]);
  return found;
}

/** The amounts of the wallet's invites. */
async function shown(world: InviteWorld, owner: Address) {
  return (await elements(world, owner)).flatMap((element) =>
    element.type === 'multiple' ? element.assets.map(({ amount }) => amount) : [],
  );
}
