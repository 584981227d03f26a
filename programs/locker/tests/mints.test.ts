import { describe, expect, it } from 'vitest';
import { type VestingEscrow, deriveVestingEscrow } from '../../../src/protocols/jupiter-lock/layout.ts';
import { type AccountMeta, readonly, writable } from '../../../src/solana/messages/instruction.ts';
import { MEMO_PROGRAM, TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { decodeTokenAccount, encodeTokenAccount } from '../../../src/solana/programs/token/account.ts';
import { ExtensionType } from '../../../src/solana/programs/token/extensions.ts';
import { decodeMint } from '../../../src/solana/programs/token/mint.ts';
import { findTransferFeeConfig } from '../../../src/solana/programs/token/transfer-fee.ts';
import { makeHookProgram, MINT_KINDS, transferHook } from './mint-kinds.ts';
import { CLIFF, CODE, LockWorld, TOTAL, type WorldToken } from './world.ts';

describe('create_vesting_escrow_v2 of a mint of Token-2022', () => {
  it.each(MINT_KINDS.filter(({ isSupported }) => isSupported))(
    'takes one with $name, which leaves again',
    (kind) => {
      const world = new LockWorld();
      const token = fund(world, world.newToken(TOKEN_2022_PROGRAM, kind.extensions));
      const [claimed, cancelled] = [world.create({}, token), world.create({}, token)] as [
        VestingEscrow,
        VestingEscrow,
      ];
      world.must(world.cancel(cancelled, world.sender, token));
      world.must(world.close(cancelled, token));
      world.network.setUnixTime(CLIFF + 50n);
      world.must(world.claim(claimed, TOTAL, token));
      world.must(world.close(claimed, token));
      const withFee = kind.extensions.some(({ type }) => type === ExtensionType.TRANSFER_FEE_CONFIG);
      expect(world.balance(world.recipient, token)).toBe(withFee ? TOTAL - TOTAL / 100n : TOTAL);
    },
  );

  it.each(MINT_KINDS.filter(({ isSupported }) => !isSupported))(
    'refuses one with $name',
    ({ extensions }) => {
      const world = new LockWorld();
      const token = fund(world, world.newToken(TOKEN_2022_PROGRAM, extensions));
      expect(world.refusal(world.creation({}, token))).toBe(CODE.UnsupportedMint);
    },
  );
});

describe('a token account that requires a memo', () => {
  it.each([
    ['claim_v2', 'Jup-Lock ClaimVesting'],
    ['cancel_vesting_escrow', 'Jup-Lock CancelVesting'],
    ['close_vesting_escrow', 'Jup-Lock CloseEscrow'],
  ])('gets one from %s', (name, memo) => {
    const world = new LockWorld('a token of Token-2022');
    const escrow = world.create();
    for (const owner of [world.sender, world.recipient]) requireMemo(world, world.tokens(owner));
    world.network.setUnixTime(CLIFF + 50n);
    if (name === 'close_vesting_escrow') {
      world.must(world.claim(escrow));
      world.add(world.vault(escrow), 1n);
    }
    const instruction = {
      claim_v2: world.claim(escrow),
      cancel_vesting_escrow: world.cancel(escrow, world.sender),
      close_vesting_escrow: world.close(escrow),
    }[name];
    if (instruction === undefined) throw new Error(name);
    const { error, inner } = world.send(instruction);
    expect(error).toBeNull();
    const memos = inner.flat().filter(({ program }) => program === MEMO_PROGRAM);
    const texts = memos.map(({ data }) => Buffer.from(data).toString());
    expect(texts).toEqual(name === 'cancel_vesting_escrow' ? [memo, memo] : [memo]);
  });

  it('gets none when it does not require one, or no longer', () => {
    const world = new LockWorld('a token of Token-2022');
    const escrow = world.create();
    requireMemo(world, world.tokens(world.recipient), false);
    world.network.setUnixTime(CLIFF);
    const { error, inner } = world.send(world.claim(escrow));
    expect([error, inner.flat().some(({ program }) => program === MEMO_PROGRAM)]).toEqual([null, false]);
  });
});

describe('a mint with a transfer hook', () => {
  it('has it called by every transfer, with the accounts that follow those of the instruction', () => {
    const { world, token } = openHook();
    const [claimed, cancelled] = [world.create({}, token), world.create({}, token)];
    world.network.setUnixTime(CLIFF + 50n);
    world.must(world.claim(claimed, TOTAL, token));
    world.must(world.cancel(cancelled, world.sender, token));
    world.add(world.vault(claimed, token), 5n);
    world.must(world.close(claimed, token));
    expect(world.balance(world.recipient, token)).toBe(2n * TOTAL);
    const { inner } = world.send(world.creation({}, token));
    expect(inner.flat().map(({ program }) => program)).toContain(token.hookAccounts?.[0]?.address);
  });

  it('is refused without these accounts, and a mint without a hook with them', () => {
    const { world, token, bare } = openHook();
    expect(world.refusal(world.creation({}, bare))).toBe(CODE.NoTransferHookProgram);
    const escrow = world.create({}, token);
    expect(world.refusal(world.claim(escrow, 1n, bare))).toBe(CODE.NoTransferHookProgram);
    expect(world.refusal(world.cancel(escrow, world.sender, bare))).toBe(CODE.NoTransferHookProgram);
    const hookAccounts = [readonly(world.stranger)];
    expect(world.refusal(world.creation({}, { ...world.token, hookAccounts }))).toBe(
      CODE.NoTransferHookProgram,
    );
  });

  it('is refused with lists that are longer than what follows, or two of them', () => {
    const { world, token } = openHook();
    const creation = world.creation({}, token);
    const withLists = (...lists: readonly number[]) => {
      const info = Buffer.from([1, lists.length / 2, 0, 0, 0, ...lists]);
      return { ...creation, data: Buffer.concat([creation.data.subarray(0, 58), info]) };
    };
    expect(world.refusal(withLists(0, 2))).toBe(CODE.InsufficientRemainingAccounts);
    expect(world.refusal(withLists(0, 255))).toBe(CODE.InsufficientRemainingAccounts);
    const [account] = token.hookAccounts as readonly [AccountMeta];
    const twice = { ...withLists(0, 1, 0, 1), accounts: [...creation.accounts, account] };
    expect(world.refusal(twice)).toBe(CODE.DuplicatedRemainingAccountTypes);
    expect(world.refusal(withLists(1, 1))).toBe(CODE.ArgumentsCutShort);
    expect(world.refusal(withLists())).toBe(CODE.NoTransferHookProgram);
    expect(world.refusal(withLists(0, 0))).toBe(CODE.NoTransferHookProgram);
    expect(world.refusal(withLists(0, 0, 0, 1))).toBeUndefined();
  });

  it('gets no right that the transaction does not have', () => {
    const { world, token } = openHook();
    const escrow = world.create({}, token);
    world.network.setUnixTime(CLIFF);
    const further = [...(token.hookAccounts ?? []), writable(deriveVestingEscrow(escrow.base).address)];
    // The escrow is lent to nobody for writing while it signs.
    expect(world.refusal(world.claim(escrow, 1n, { ...token, hookAccounts: further }))).toBe(
      'AccountBorrowFailed',
    );
  });
});

describe('the fees that a mint withholds in an escrow', () => {
  it.each(['cancel', 'close'] as const)('are moved to the mint by %s', (end) => {
    const world = new LockWorld('a token with a transfer fee');
    const escrow = world.create();
    const { mint } = world.token;
    const withheld = () => {
      const { extensions } = decodeMint(world.network.account(mint)?.data ?? new Uint8Array(0));
      return findTransferFeeConfig(extensions)?.withheldAmount;
    };
    expect(withheld()).toBe(0n);
    if (end === 'cancel') world.must(world.cancel(escrow, world.sender));
    else {
      world.network.setUnixTime(CLIFF + 50n);
      world.must(world.claim(escrow));
      world.must(world.close(escrow));
    }
    // The fee of the deposit: 1,516 atoms were sent.
    expect(withheld()).toBe(16n);
  });
});

function fund(world: LockWorld, token: WorldToken): WorldToken {
  world.give(world.sender, 1_000_000n, token);
  world.open(world.recipient, token);
  return token;
}

/** Opens a world with a mint whose hook succeeds, as it is given and without the accounts for the hook. */
function openHook(): { readonly world: LockWorld; readonly token: WorldToken; readonly bare: WorldToken } {
  const world = new LockWorld();
  const program = world.network.newAddress();
  world.network.loadProgram(program, makeHookProgram());
  const bare = world.newToken(TOKEN_2022_PROGRAM, [transferHook(program)]);
  const token = fund(world, { ...bare, hookAccounts: [readonly(program)] });
  return { world, token, bare };
}

function requireMemo(
  world: LockWorld,
  address: Parameters<LockWorld['balanceAt']>[0],
  required = true,
): void {
  const account = world.network.account(address);
  const state = decodeTokenAccount(account?.data ?? new Uint8Array(0));
  const extension = { type: ExtensionType.MEMO_TRANSFER, data: Uint8Array.of(required ? 1 : 0) };
  const data = encodeTokenAccount({ ...state, extensions: [...state.extensions, extension] });
  world.network.setData(address, TOKEN_2022_PROGRAM, data);
}
