import { describe, expect, it } from 'vitest';
import {
  deriveInvite,
  deriveInviteVault,
  INVITE_REWARD,
} from '../../../src/protocols/jupiter-send/invite-program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../src/solana/program-addresses.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { transferLamports } from '../../../src/solana/programs/system.ts';
import { ordinaryTokenAccount } from '../../../src/testing/token-account.ts';
import { CODE, DEPOSIT, EXPIRY, INVITE_RENT, InviteWorld, KINDS, START } from './world.ts';

describe.each(KINDS)('create of %s', (kind) => {
  it('takes amount, rents and reward from the sender, and keeps what arrived', () => {
    const world = new InviteWorld(kind);
    const changes = world.watch(world.sender);
    const terms = world.terms();
    const events = world.must(world.creation(terms));
    const invite = world.invite(terms);
    const { address, token } = invite;
    const amount = kind === 'a token with a transfer fee' ? 4_950_000n : 5_000_000n;
    expect(world.read(invite)).toEqual({
      sender: world.sender,
      inviteKey: terms.inviteKey,
      token,
      amount,
      reward: INVITE_REWARD,
      createdAt: START,
      expiresAt: EXPIRY,
      bump: deriveInvite(terms.inviteKey).bump,
    });
    const mint = token?.mint ?? null;
    const { inviteKey, sender } = terms;
    expect(events).toEqual([
      { kind: 'created', invite: address, inviteKey, sender, mint, amount, expiresAt: EXPIRY },
    ]);
    const vaultRent = token === null ? 0n : world.lamports(token.vault);
    const inSol = token === null ? 5_000_000n : 0n;
    expect(changes()).toEqual([[-DEPOSIT - vaultRent - inSol, inSol - 5_000_000n]]);
    expect(world.lamports(address)).toBe(DEPOSIT + inSol);
    if (token !== null) expect(world.balanceAt(token.vault)).toBe(amount);
  });

  it.each([
    ['less than the rent', 900_000n, INVITE_RENT - 900_000n],
    ['exactly the rent', INVITE_RENT, 0n],
    ['more than all that is deposited', 40_000_000n, 0n],
  ])('comes after others have sent %s, which changes no amount', (_, gift, rentLeft) => {
    const world = new InviteWorld(kind);
    const terms = world.terms();
    const { address, token } = world.invite(terms);
    world.must(transferLamports(world.network.payer, address, gift));
    const changes = world.watch(world.sender, world.receiver);
    const invite = world.create(terms);
    const inSol = token === null ? 5_000_000n : 0n;
    const vaultRent = token === null ? 0n : world.lamports(token.vault);
    expect(changes()[0]?.[0]).toBe(-rentLeft - INVITE_REWARD - vaultRent - inSol);
    expect(world.read(invite)?.amount).toBe(kind === 'a token with a transfer fee' ? 4_950_000n : 5_000_000n);
    world.must(world.claim(invite));
    // What others have sent is the sender's.
    expect(changes()[0]?.[0]).toBe(gift - inSol);
    expect(changes()[1]?.[0]).toBe(inSol);
  });

  it('refuses a second invite with the key while the first is open', () => {
    const world = new InviteWorld(kind);
    const terms = world.terms();
    world.create(terms);
    const changes = world.watch(world.sender);
    expect(world.refusal(world.creation(terms))).toBe(CODE.InviteExists);
    expect(world.refusal(world.creation({ ...terms, amount: 1n }))).toBe(CODE.InviteExists);
    expect(changes()).toEqual([[0n, 0n]]);
  });

  it('refuses an amount of nothing, and an expiry that is not in the future', () => {
    const world = new InviteWorld(kind);
    expect(world.refusal(world.creation({ amount: 0n }))).toBe(CODE.InvalidAmount);
    for (const expiresAt of [START, START - 1n, 0n, -1n, -(1n << 63n)]) {
      expect(world.refusal(world.creation({ expiresAt }))).toBe(CODE.InvalidExpiry);
    }
    world.create({ expiresAt: START + 1n });
    world.create({ expiresAt: (1n << 63n) - 1n });
  });

  it('needs the signatures of the sender and of the invite key', () => {
    const world = new InviteWorld(kind);
    const creation = world.creation();
    for (const place of [0, 1]) {
      const accounts = creation.accounts.map((meta, at) =>
        at === place ? { ...meta, role: (meta.role & 1) as typeof meta.role } : meta,
      );
      expect(world.refusal({ ...creation, accounts })).toBe(CODE.NotSigner);
    }
  });

  it('refuses more than the sender has', () => {
    const world = new InviteWorld(kind);
    for (const amount of [20_000_000_000n, (1n << 64n) - 1n]) {
      expect(world.refusal(world.creation({ amount }))).toBeDefined();
    }
  });
});

describe('create of SOL', () => {
  it('refuses accounts of tokens, of which only some are given', () => {
    const world = new InviteWorld('SOL');
    const token = world.newToken();
    const source = world.give(world.sender, token, 1_000n);
    const whole = world.creation({ token: { ...token, source } });
    for (const place of [3, 4, 5, 6]) {
      const leftOut = whole.accounts.map((meta, at) =>
        at === place ? { ...meta, address: whole.programAddress, role: 0 as const } : meta,
      );
      expect(world.refusal({ ...whole, accounts: leftOut })).toBe(CODE.UnexpectedAccounts);
    }
  });

  it('takes a sum beyond a u64 for none', () => {
    const world = new InviteWorld('SOL');
    expect(world.refusal(world.creation({ amount: (1n << 64n) - 1n }))).toBe(6011);
  });
});

describe('create of a token', () => {
  it('takes a vault that others have opened and filled, which changes no amount', () => {
    const world = new InviteWorld('a token');
    const terms = world.terms();
    const { address, token } = world.invite(terms);
    if (token === null || world.token === null) throw new Error('a token');
    world.give(address, world.token, 77n);
    const changes = world.watch(world.sender, world.receiver);
    const invite = world.create(terms);
    expect(world.read(invite)?.amount).toBe(5_000_000n);
    expect(changes()[0]).toEqual([-DEPOSIT, -5_000_000n]);
    world.must(world.claim(invite));
    // Tokens that others have sent go with the invite's, and the rent of the vault to the sender.
    expect(changes()).toEqual([
      [2_039_280n, -5_000_000n],
      [0n, 5_000_077n],
    ]);
  });

  it('refuses a source that is not the sender’s, of another mint, or of wrapped SOL', () => {
    const world = new InviteWorld('a token');
    const { token } = world;
    if (token === null) throw new Error('a token');
    const other = world.newToken();
    const sources: readonly (readonly [Address, number])[] = [
      [world.give(world.stranger, token, 10_000_000n), CODE.InvalidTokenAccount],
      [world.give(world.sender, other, 10_000_000n), CODE.InvalidTokenAccount],
      [token.mint, 0],
      [world.sender, CODE.WrongOwner],
    ];
    for (const [source, code] of sources) {
      const refusal = world.refusal(world.creation({ token: { ...token, source } }));
      if (code === 0) expect(refusal).toBe('InvalidAccountData');
      else expect(refusal).toBe(code);
    }
  });

  it('takes a second account of the sender', () => {
    const world = new InviteWorld('a token');
    const { token } = world;
    if (token === null) throw new Error('a token');
    const source = world.network.newAddress();
    const data = ordinaryTokenAccount({ mint: token.mint, owner: world.sender, amount: 6_000_000n });
    world.network.setData(source, TOKEN_PROGRAM, data);
    world.create({ token: { ...token, source } });
    expect(world.balanceAt(source)).toBe(1_000_000n);
  });

  it('refuses wrapped SOL, which is sent as SOL', () => {
    const world = new InviteWorld('SOL');
    const state = { mintAuthority: null, supply: 0n, decimals: 9, freezeAuthority: null, extensions: [] };
    world.network.setData(WRAPPED_SOL_MINT, TOKEN_PROGRAM, encodeMint(state));
    const source = world.network.newAddress();
    const account = {
      mint: WRAPPED_SOL_MINT,
      owner: world.sender,
      amount: 10n,
      nativeReserve: 2_039_280n,
    };
    world.network.setData(source, TOKEN_PROGRAM, ordinaryTokenAccount(account));
    const token = { mint: WRAPPED_SOL_MINT, tokenProgram: TOKEN_PROGRAM, source };
    expect(world.refusal(world.creation({ amount: 5n, token }))).toBe(CODE.NativeMint);
  });

  it('refuses a mint of the other token program, and programs that are made up', () => {
    const world = new InviteWorld('a token');
    const creation = world.creation();
    const { token } = world;
    if (token === null) throw new Error('a token');
    const other = new InviteWorld('a token of Token-2022').token;
    const fake = world.network.newAddress();
    const substitutes: readonly (readonly [number, Address, number])[] = [
      [6, other?.tokenProgram ?? fake, CODE.MintTokenProgram],
      [6, fake, CODE.InvalidProgram],
      [7, fake, CODE.InvalidProgram],
      [8, TOKEN_PROGRAM, CODE.InvalidProgram],
      [9, fake, CODE.Seeds],
      [10, SYSTEM_PROGRAM, CODE.InvalidProgram],
      [2, fake, CODE.Seeds],
    ];
    for (const [place, address, code] of substitutes) {
      const accounts = creation.accounts.map((meta, at) => (at === place ? { ...meta, address } : meta));
      expect(world.refusal({ ...creation, accounts }), `account ${place}`).toBe(code);
    }
  });

  it('refuses a vault that is not the associated account of the invite', () => {
    const world = new InviteWorld('a token');
    const { token } = world;
    if (token === null) throw new Error('a token');
    const creation = world.creation();
    const invite = creation.accounts[2]?.address as Address;
    const second = world.network.newAddress();
    const data = ordinaryTokenAccount({ mint: token.mint, owner: invite, amount: 0n });
    world.network.setData(second, TOKEN_PROGRAM, data);
    for (const vault of [
      second,
      world.tokens(world.sender, token),
      deriveInviteVault(world.network.newAddress(), token.mint, token.tokenProgram),
    ]) {
      const accounts = creation.accounts.map((meta, at) => (at === 3 ? { ...meta, address: vault } : meta));
      expect(world.refusal({ ...creation, accounts })).toBe('InvalidSeeds');
    }
  });
});
