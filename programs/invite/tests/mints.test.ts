import { describe, expect, it } from 'vitest';
import type { Address } from '../../../src/solana/address.ts';
import { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import { TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import {
  type Extension,
  ExtensionType,
  writeMaybeAddress,
} from '../../../src/solana/programs/token/extensions.ts';
import {
  freezeAccount,
  thawAccount,
  transferChecked,
} from '../../../src/solana/programs/token/instructions.ts';
import { decodeMint, encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { findTransferFeeConfig } from '../../../src/solana/programs/token/transfer-fee.ts';
import { CODE, EXPIRY, InviteWorld, type WorldInvite, type WorldToken } from './world.ts';

describe('create of a mint of Token-2022', () => {
  it.each([
    ['that cannot be transferred', [extension(ExtensionType.NON_TRANSFERABLE)]],
    ['with a transfer hook', [hook(ISSUER)]],
  ])('refuses one %s', (_, extensions) => {
    const world = new InviteWorld();
    const token = world.newToken(TOKEN_2022_PROGRAM, extensions);
    const source = world.give(world.sender, token, 10_000_000n);
    expect(world.refusal(world.creation({ token: { ...token, source } }))).toBe(CODE.UnsupportedMint);
  });

  it.each([
    ['with a transfer hook that names no program', [hook(null)]],
    ['with a permanent delegate', [permanentDelegate(ISSUER)]],
    ['that can be closed', [extension(ExtensionType.MINT_CLOSE_AUTHORITY, writeMaybeAddress, ISSUER)]],
    ['that can be paused', [pausable(false)]],
    ['whose accounts are open by default', [extension(ExtensionType.DEFAULT_ACCOUNT_STATE, byte, 1)]],
  ])('takes one %s, which leaves again in every way', (_, extensions) => {
    const world = new InviteWorld();
    const token = world.newToken(TOKEN_2022_PROGRAM, extensions);
    const source = world.give(world.sender, token, 1_000_000_000n);
    world.open(world.receiver, token);
    const [claimed, back, expired] = [1, 2, 3].map(() => world.create({ token: { ...token, source } })) as [
      WorldInvite,
      WorldInvite,
      WorldInvite,
    ];
    world.must(world.claim(claimed));
    world.must(world.clawback(back));
    world.network.setUnixTime(EXPIRY);
    world.must(world.expire(expired));
    expect([world.balance(world.receiver, token), world.balance(world.sender, token)]).toEqual([
      5_000_000n,
      995_000_000n,
    ]);
  });

  it('fails for one whose accounts are frozen by default, unless its issuer has thawed the vault before', () => {
    const world = new InviteWorld();
    const frozen = extension(ExtensionType.DEFAULT_ACCOUNT_STATE, byte, 2);
    const token = world.newToken(TOKEN_2022_PROGRAM, [frozen]);
    const source = world.give(world.sender, token, 10_000_000n);
    thaw(world, token, source);
    const terms = world.terms({ token: { ...token, source } });
    expect(world.refusal(world.creation(terms))).toBe(CODE.Frozen);
    const { address } = world.invite(terms);
    thaw(world, token, world.open(address, token));
    const invite = world.create(terms);
    const receivers = world.open(world.receiver, token);
    expect(world.refusal(world.claim(invite))).toBe(CODE.Frozen);
    thaw(world, token, receivers);
    world.must(world.claim(invite));
    expect(world.balanceAt(receivers)).toBe(5_000_000n);
  });

  it('fails for one that is paused, as does every end until it is resumed', () => {
    const world = new InviteWorld();
    const token = world.newToken(TOKEN_2022_PROGRAM, [pausable(false)]);
    const source = world.give(world.sender, token, 10_000_000n);
    world.open(world.receiver, token);
    const invite = world.create({ token: { ...token, source } });
    change(world, token, [pausable(true)]);
    expect(world.refusal(world.creation({ token: { ...token, source } }))).toBe(PAUSED);
    for (const end of [world.claim(invite), world.clawback(invite)]) expect(world.refusal(end)).toBe(PAUSED);
    change(world, token, [pausable(false)]);
    world.must(world.claim(invite));
  });

  it('refuses an amount of which the transfer fee leaves nothing', () => {
    const world = new InviteWorld();
    const token = world.newFeeToken(10_000, 1n << 40n);
    const source = world.give(world.sender, token, 10_000_000n);
    expect(world.refusal(world.creation({ token: { ...token, source } }))).toBe(CODE.InvalidAmount);
  });
});

describe('a mint that changes while an invite is open', () => {
  it('is held up by a transfer hook until its issuer takes the hook away', () => {
    const world = new InviteWorld();
    const token = world.newToken(TOKEN_2022_PROGRAM, [hook(null)]);
    const source = world.give(world.sender, token, 10_000_000n);
    world.open(world.receiver, token);
    const invite = world.create({ token: { ...token, source } });
    change(world, token, [hook(world.network.newAddress())]);
    const changes = world.watch(world.sender, world.receiver);
    for (const end of [world.claim(invite), world.clawback(invite)]) {
      expect(world.refusal(end)).toBeDefined();
    }
    expect(
      changes()
        .flat()
        .every((each) => each === 0n),
    ).toBe(true);
    change(world, token, [hook(null)]);
    world.must(world.claim(invite));
    expect(world.balance(world.receiver, token)).toBe(5_000_000n);
  });

  it.each(['claim', 'clawback'] as const)(
    'still ends with a %s after its permanent delegate has taken a part, or everything',
    (kind) => {
      for (const taken of [1_000_000n, 5_000_000n]) {
        const world = new InviteWorld();
        const delegate = world.stranger;
        const token = world.newToken(TOKEN_2022_PROGRAM, [permanentDelegate(delegate)]);
        const source = world.give(world.sender, token, 5_000_000n);
        world.open(world.receiver, token);
        const theirs = world.open(delegate, token);
        const invite = world.create({ token: { ...token, source } });
        const vault = invite.token?.vault as Address;
        const taking = { source: vault, mint: token.mint, destination: theirs, authority: delegate };
        world.must(transferChecked(TOKEN_2022_PROGRAM, { ...taking, amount: taken, decimals: 6 }));
        const events = world.must(kind === 'claim' ? world.claim(invite) : world.clawback(invite));
        expect(events[0]).toMatchObject({ amount: 5_000_000n, delivered: 5_000_000n - taken });
        expect(world.network.account(invite.address)).toBeNull();
      }
    },
  );

  it('ends also if it is closed, after all tokens were burned', () => {
    const world = new InviteWorld('a token of Token-2022');
    const [claimed, back, expired] = [world.create(), world.create(), world.create()];
    for (const { token } of [claimed, back, expired]) {
      const vault = token?.vault as Address;
      world.add(vault, -world.balanceAt(vault));
    }
    const { mint } = world.token as WorldToken;
    const none = { lamports: 0n, data: new Uint8Array(0), executable: false, rentEpoch: 0n };
    world.network.setAccount(mint, { ...none, owner: '11111111111111111111111111111111' as Address });
    world.must(world.claim(claimed));
    world.must(world.clawback(back));
    world.network.setUnixTime(EXPIRY);
    world.must(world.expire(expired));
  });

  it.each([
    ['the vault', 'vault'],
    ['the receiver’s account', 'receiver'],
  ] as const)('fails while %s is frozen, and ends when it is thawed', (_, which) => {
    const world = new InviteWorld('a token');
    const token = world.token as WorldToken;
    const invite = world.create();
    const account =
      which === 'vault' ? (invite.token?.vault as Address) : world.tokens(world.receiver, token);
    const freezing = { account, mint: token.mint, freezeAuthority: world.network.payer };
    world.must(freezeAccount(token.tokenProgram, freezing));
    const changes = world.watch(world.sender, world.receiver);
    expect(world.refusal(world.claim(invite))).toBe(CODE.Frozen);
    expect(
      changes()
        .flat()
        .every((each) => each === 0n),
    ).toBe(true);
    world.must(thawAccount(token.tokenProgram, freezing));
    world.must(world.claim(invite));
  });

  it('fails to return while the sender’s account is frozen, and the sender may take it to another one', () => {
    const world = new InviteWorld('a token');
    const token = world.token as WorldToken;
    const invite = world.create();
    const account = world.tokens(world.sender, token);
    world.must(
      freezeAccount(token.tokenProgram, { account, mint: token.mint, freezeAuthority: world.network.payer }),
    );
    world.network.setUnixTime(EXPIRY);
    expect(world.refusal(world.expire(invite))).toBe(CODE.Frozen);
    expect(world.refusal(world.clawback(invite))).toBe(CODE.Frozen);
    const second = world.network.newAddress();
    const found = world.network.account(world.tokens(world.receiver, token));
    const data = Buffer.from(found?.data ?? []);
    data.set(world.network.account(account)?.data.subarray(32, 64) ?? [], 32);
    world.network.setData(second, token.tokenProgram, data);
    world.must(world.clawback(invite, second));
    expect(world.balanceAt(second)).toBe(5_000_000n);
  });
});

describe('a transfer fee', () => {
  it('that was withheld in the vault goes to the mint, where it is the issuer’s', () => {
    const world = new InviteWorld('a token with a transfer fee');
    const withheld = () => {
      const { mint } = world.token as WorldToken;
      const { extensions } = decodeMint(world.network.account(mint)?.data ?? new Uint8Array(0));
      return findTransferFeeConfig(extensions)?.withheldAmount;
    };
    const invite = world.create();
    expect(withheld()).toBe(0n);
    world.must(world.claim(invite));
    expect(withheld()).toBe(50_000n);
  });

  it('needs the mint to be writable', () => {
    const world = new InviteWorld('a token with a transfer fee');
    const invite = world.create();
    const { accounts, ...claim } = world.claim(invite);
    const isMint = (each: Address) => each === world.token?.mint;
    const locked = accounts.map((meta) => (isMint(meta.address) ? { ...meta, role: 0 as const } : meta));
    expect(world.refusal({ ...claim, accounts: locked })).toBe(CODE.Mutable);
    world.must(world.claim(invite));
  });
});

const PAUSED = 67;
const ISSUER = 'SysvarRent111111111111111111111111111111111' as Address;

function extension<T>(
  type: number,
  write: (to: ByteWriter, value: T) => ByteWriter = (to) => to,
  value = undefined as T,
): Extension {
  return { type, data: write(new ByteWriter(32), value).finish() };
}

function byte(to: ByteWriter, value: number): ByteWriter {
  return to.u8(value);
}

function permanentDelegate(delegate: Address): Extension {
  return extension(ExtensionType.PERMANENT_DELEGATE, writeMaybeAddress, delegate);
}

function hook(program: Address | null): Extension {
  const data = writeMaybeAddress(new ByteWriter(64).zeros(32), program).finish();
  return { type: ExtensionType.TRANSFER_HOOK, data };
}

function pausable(isPaused: boolean): Extension {
  return { type: ExtensionType.PAUSABLE, data: new ByteWriter(33).zeros(32).bool(isPaused).finish() };
}

/** Writes the mint with other extensions of the same length. */
function change(
  { network }: InviteWorld,
  { mint, tokenProgram }: WorldToken,
  extensions: readonly Extension[],
): void {
  const state = decodeMint(network.account(mint)?.data ?? new Uint8Array(0));
  network.setData(mint, tokenProgram, encodeMint({ ...state, extensions }));
}

function thaw(world: InviteWorld, { mint, tokenProgram }: WorldToken, account: Address): void {
  world.must(thawAccount(tokenProgram, { account, mint, freezeAuthority: world.network.payer }));
}
