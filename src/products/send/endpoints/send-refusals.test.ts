import { describe, expect, it } from 'vitest';
import { deriveInvite, INVITE_PROGRAM } from '../../../protocols/jupiter-send/invite-program.ts';
import type { Address } from '../../../solana/address.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import { COMPUTE_BUDGET_PROGRAM, TOKEN_2022_PROGRAM } from '../../../solana/program-addresses.ts';
import { ExtensionType } from '../../../solana/programs/token/extensions.ts';
import { openForEach } from '../../../testing/opened.ts';
import { SendDesk } from '../../../testing/products/send-desk.ts';

const desk = openForEach(() => SendDesk.open(), 'close');

describe('craft-send refuses', () => {
  it.each([
    ['without a key', { inviteSigner: undefined }, 'body field inviteSigner is missing'],
    [
      'a key that is none',
      { inviteSigner: 'me' },
      'inviteSigner must be an address: 32 bytes in base58, got "me"',
    ],
    ['a sender that is none', { sender: '0' }, 'sender must be an address: 32 bytes in base58, got "0"'],
    ['a mint that is none', { mint: '' }, 'mint must be an address: 32 bytes in base58, got ""'],
    ['no amount', { amount: '' }, 'amount must be a whole number from 1 to 18446744073709551615, got ""'],
    ['nothing', { amount: '0' }, 'amount must be a whole number from 1 to 18446744073709551615, got "0"'],
    ['less', { amount: -1 }, 'amount must be a whole number from 1 to 18446744073709551615, got "-1"'],
    [
      'more than a u64',
      { amount: '18446744073709551616' },
      'amount must be a whole number from 1 to 18446744073709551615, got "18446744073709551616"',
    ],
    ['an amount in hex', { amount: '0x10' }, 'amount must be a whole number from 1'],
    ['a part of an atom', { amount: 1.5 }, 'amount'],
    [
      'more than the sender has',
      { amount: '18446744073709551615' },
      'Insufficient funds: it takes 18446744073709551615 lamports, and ',
    ],
    ['a token that is none', { mint: 'SysvarC1ock11111111111111111111111111111111' }, ' is not a token'],
  ])('%s', async (_, changes, error) => {
    const answer = await craftSend(changes);
    expect(answer).toEqual({ status: 400, json: { error: expect.stringContaining(error) } });
  });

  it('a body that is not JSON, in the form of the product', async () => {
    const { status, json } = await desk.post('craft-send', '{');
    expect([status, Object.keys(json)]).toEqual([400, ['error']]);
  });

  it('a key that nobody can sign with', async () => {
    const { address } = deriveInvite(desk.newKey().address);
    expect(await craftSend({ inviteSigner: address })).toEqual({
      status: 400,
      json: {
        error: `inviteSigner must be the public key of a key pair, got ${address}, which is the address of an account of a program`,
      },
    });
  });

  it('the sender in place of the key', async () => {
    const { address } = desk.sender;
    expect((await craftSend({ inviteSigner: address })).json).toEqual({
      error: `inviteSigner must be the key of a code, got ${address}, which is the sender`,
    });
  });

  it('a second invite of one code while the first is open', async () => {
    const { key } = await desk.create({ amount: '5000000' });
    const invite = deriveInvite(key.address).address;
    expect((await craftSend({ inviteSigner: key.address })).json).toEqual({
      error: `inviteSigner ${key.address} has an open invite already, at ${invite}; make another code`,
    });
    const back = await desk.post('craft-clawback', { invitePDA: invite, sender: desk.sender.address });
    await desk.land(back.json.tx, [desk.sender]);
    expect((await craftSend({ inviteSigner: key.address })).status).toBe(200);
  });

  it.each([
    ['cannot be transferred', [{ type: ExtensionType.NON_TRANSFERABLE, data: new Uint8Array(0) }]],
    [
      'has a transfer hook, which invites do not support',
      [{ type: ExtensionType.TRANSFER_HOOK, data: new Uint8Array(64).fill(7) }],
    ],
    [
      'opens accounts frozen, which invites do not support',
      [{ type: ExtensionType.DEFAULT_ACCOUNT_STATE, data: Uint8Array.of(2) }],
    ],
  ])('a mint that %s', async (why, extensions) => {
    const mint = desk.wallets.newMint({ extensions }, TOKEN_2022_PROGRAM);
    expect((await craftSend({ mint })).json).toEqual({ error: `mint ${mint} ${why}` });
  });

  it('a sender that is a program which the transaction calls', async () => {
    desk.setLamports(COMPUTE_BUDGET_PROGRAM, 1_000_000_000n);
    expect(await craftSend({ sender: COMPUTE_BUDGET_PROGRAM })).toEqual({
      status: 400,
      json: {
        error: `the accounts make no valid transaction: the fee payer ${COMPUTE_BUDGET_PROGRAM} is invoked as a program`,
      },
    });
  });

  it('a sender without the token, or without the lamports for the rents', async () => {
    const [poor, mint] = [desk.newWallet(1_000_000n), desk.wallets.newMint()];
    expect((await craftSend({ sender: poor.address, mint, amount: 3 })).json).toEqual({
      error: `Insufficient funds: it takes 3 base units, and ${poor.address} has 0`,
    });
    expect((await craftSend({ sender: poor.address, amount: 3 })).json).toEqual({
      error: `Insufficient SOL: ${poor.address} needs 1309843 lamports more for the amount, the fees and rent`,
    });
  });
});

describe('craft-clawback refuses', () => {
  it('an invite of another sender, the key in place of the account, and an account without an invite', async () => {
    const { key } = await desk.create({ amount: '5000000' });
    const invite = deriveInvite(key.address).address;
    const other = desk.newWallet(1_000_000_000n).address;
    expect(await clawback(invite, other)).toEqual({
      status: 400,
      json: { error: `invitePDA ${invite} is an invite of ${desk.sender.address}, not of sender ${other}` },
    });
    expect((await clawback(key.address)).json).toEqual({
      error: `invitePDA must be the account of the invite, ${invite}, got the key of the invite, ${key.address}`,
    });
    expect((await clawback(other)).json).toEqual({ error: `invitePDA ${other} is not an open invite` });
  });

  it('one that was claimed or taken back, and says so', async () => {
    const { key } = await desk.create({ amount: '5000000' });
    const invite = deriveInvite(key.address).address;
    const receiver = desk.newWallet(10_000_000n);
    const claim = await desk.post('craft-claim', { inviteSigner: key.address, receiver: receiver.address });
    // Both were handed out while the invite was open, and only one of them can land.
    const late = await clawback(invite);
    await desk.land(claim.json.tx, [receiver, key]);
    await expect(desk.land(late.json.tx, [desk.sender])).rejects.toThrow('the transaction failed');
    expect((await clawback(invite)).json).toEqual({
      error: `invitePDA ${invite} is not an open invite: it was claimed by ${receiver.address} at 2027-01-15T08:00:00.000Z`,
    });
    const again = await desk.post('craft-claim', { inviteSigner: key.address, receiver: receiver.address });
    expect(again.json).toEqual({
      error: `the invite ${invite} of inviteSigner ${key.address} is not an open invite: it was claimed by ${receiver.address} at 2027-01-15T08:00:00.000Z`,
    });
  });
});

describe('craft-claim refuses', () => {
  it('a code of which nobody has made an invite', async () => {
    const key = desk.newKey();
    const { status, json } = await desk.post('craft-claim', {
      inviteSigner: key.address,
      receiver: desk.sender.address,
    });
    expect([status, json.error]).toEqual([
      400,
      `the invite ${deriveInvite(key.address).address} of inviteSigner ${key.address} is not an open invite`,
    ]);
  });

  it('an invite that has expired, which its sender can still take back', async () => {
    const { key } = await desk.create({ amount: '5000000' });
    const invite = deriveInvite(key.address).address;
    desk.wallets.market.network.setUnixTime(NOW + 604_800n);
    const { json } = await desk.post('craft-claim', {
      inviteSigner: key.address,
      receiver: desk.sender.address,
    });
    expect(json).toEqual({
      error: `the invite ${invite} of inviteSigner ${key.address} expired at 2027-01-22T08:00:00.000Z`,
    });
    expect((await clawback(invite)).status).toBe(200);
  });

  it('a receiver that could never spend what it gets', async () => {
    const { key } = await desk.create({ amount: '5000000' });
    const invite = deriveInvite(key.address).address;
    const lost = 'is a mint or a token account, not a wallet, and what it receives would be lost';
    for (const [receiver, why] of [
      [USDC, lost],
      [invite, 'is the invite itself'],
      ['1nc1nerator11111111111111111111111111111111', 'burns what it receives'],
    ]) {
      const inviteSigner = key.address;
      const { json } = await desk.post('craft-claim', { inviteSigner, receiver, payer: desk.sender.address });
      expect(json).toEqual({ error: `receiver ${receiver} ${why}` });
    }
  });

  it.each([
    ['receiver of the compute budget', { receiver: COMPUTE_BUDGET_PROGRAM }, 'listed as a writable account'],
    ['payer', { payer: INVITE_PROGRAM }, 'invoked as a program'],
  ])('a program that the claim calls as its %s', async (_, changes, why) => {
    const { key } = await desk.create({ amount: '5000000' });
    desk.setLamports(COMPUTE_BUDGET_PROGRAM, 1_000_000_000n);
    const { address } = desk.newWallet(1_000_000_000n);
    const wallets = { receiver: address, payer: address, ...changes };
    const { status, json } = await desk.post('craft-claim', { inviteSigner: key.address, ...wallets });
    expect([status, json]).toEqual([
      400,
      { error: expect.stringMatching(new RegExp(`^the accounts make no valid transaction: .*${why}$`)) },
    ]);
  });

  it('a receiver without the lamports to pay', async () => {
    const { key } = await desk.create({ amount: '5000000' });
    const { address } = desk.newWallet();
    const { json } = await desk.post('craft-claim', { inviteSigner: key.address, receiver: address });
    expect(json).toEqual({
      error: `Insufficient SOL: ${address} needs 10000 lamports more for the amount, the fees and rent`,
    });
  });
});

describe('every call', () => {
  it.each([
    ['craft-send', () => craftSend({})],
    ['craft-clawback', () => clawback(USDC)],
    ['craft-claim', () => desk.post('craft-claim', { inviteSigner: USDC, receiver: USDC })],
    ['pending-invites', () => desk.get('pending-invites', { address: USDC })],
    ['pending-invites by path', () => desk.get(`pending-invites/${USDC}`)],
    ['invite-history', () => desk.get('invite-history', { address: USDC })],
    ['invite-history by path', () => desk.get(`invite-history/${USDC}`)],
  ])('%s refuses a network without the program', async (_, call) => {
    desk.noProgram = 'this network has no program of invites';
    expect(await call()).toEqual({
      status: 400,
      json: { error: 'this network has no program of invites' },
    });
  });

  it.each([
    ['pending-invites', {}, 'query parameter address is missing'],
    ['pending-invites', { address: 'x' }, 'address must be an address: 32 bytes in base58, got "x"'],
    ['invite-history/x', {}, 'address must be an address: 32 bytes in base58, got "x"'],
    [
      'invite-history',
      { address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', page: '0' },
      'page must be a whole number from 1 to 1000000, got "0"',
    ],
    [
      'pending-invites',
      { address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', page: 'all' },
      'page must be a whole number from 1 to 1000000',
    ],
  ])('%s refuses %o', async (path, query, error) => {
    const { status, json } = await desk.get(path, query as Record<string, string>);
    expect([status, json]).toEqual([400, { error: expect.stringContaining(error) }]);
  });
});

/** The second in which the market of the desk stands still. */
const NOW = 1_800_000_000n;
const USDC = getGenesisToken('USDC').mint;

function craftSend(changes: Readonly<Record<string, unknown>>) {
  const inviteSigner = desk.newKey().address;
  return desk.post('craft-send', {
    inviteSigner,
    sender: desk.sender.address,
    amount: '5000000',
    ...changes,
  });
}

function clawback(invitePDA: Address, sender = desk.sender.address) {
  return desk.post('craft-clawback', { invitePDA, sender });
}
