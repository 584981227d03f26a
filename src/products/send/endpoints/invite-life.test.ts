import { describe, expect, it } from 'vitest';
import { deriveInvite, INVITE_REWARD } from '../../../protocols/jupiter-send/invite-program.ts';
import { toAddressBytes } from '../../../solana/address.ts';
import { signWith } from '../../../solana/keypair.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import { listMessageInstructions } from '../../../solana/messages/message.ts';
import { parseTransaction } from '../../../solana/messages/transaction.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { openForEach } from '../../../testing/opened.ts';
import { SendDesk } from '../../../testing/products/send-desk.ts';

const desk = openForEach(() => SendDesk.open(), 'close');

describe('craft-send', () => {
  it('makes a transaction that the sender and the invite key sign, and says what it costs', async () => {
    const key = desk.newKey();
    const { json } = await desk.post('craft-send', {
      inviteSigner: key.address,
      sender: desk.sender.address,
      amount: '250000000',
    });
    expect(json).toEqual({
      tx: expect.any(String),
      transaction: json.tx,
      expiry: '2027-01-22T08:00:00.000Z',
      totalFeeLamports: String(RENT + INVITE_REWARD + 10_000n),
    });
    const { message, signatures } = parseTransaction(new Uint8Array(Buffer.from(json.tx, 'base64')));
    expect(message.version).toBe(0);
    expect(message.staticAccounts.slice(0, message.signers)).toEqual([desk.sender.address, key.address]);
    expect(signatures.every((signature) => signature.every((byte) => byte === 0))).toBe(true);
    const before = desk.wallets.lamports(desk.sender.address);
    await desk.land(json.tx, [desk.sender, key]);
    expect(before - desk.wallets.lamports(desk.sender.address)).toBe(
      250_000_000n + BigInt(json.totalFeeLamports),
    );
    expect(desk.invite(key)).toMatchObject({
      sender: desk.sender.address,
      inviteKey: key.address,
      token: null,
      amount: 250_000_000n,
      expiresAt: NOW + 604_800n,
    });
  });

  it('sends a token, and takes a number for an amount', async () => {
    const held = desk.held(desk.sender.address, USDC) ?? 0n;
    const before = desk.wallets.lamports(desk.sender.address);
    const key = desk.newKey();
    const { json } = await desk.post('craft-send', {
      inviteSigner: key.address,
      sender: desk.sender.address,
      amount: 1_234_567,
      mint: USDC,
    });
    await desk.land(json.transaction, [desk.sender, key]);
    expect(desk.invite(key)).toMatchObject({ token: { mint: USDC }, amount: 1_234_567n });
    expect(desk.held(desk.sender.address, USDC)).toBe(held - 1_234_567n);
    expect(before - desk.wallets.lamports(desk.sender.address)).toBe(BigInt(json.totalFeeLamports));
  });

  it.each([
    ['no mint', undefined],
    ['null', null],
    ['wrapped SOL', WRAPPED_SOL_MINT],
  ])('sends SOL itself for %s', async (_, mint) => {
    const { key } = await desk.create({ amount: '1000000', mint });
    expect(desk.invite(key)).toMatchObject({ token: null, amount: 1_000_000n });
  });
});

describe('craft-claim', () => {
  it('pays SOL to a wallet that does not exist, and everything else back to the sender', async () => {
    const before = desk.wallets.lamports(desk.sender.address);
    const { key } = await desk.create({ amount: '250000000' });
    const receiver = desk.newWallet();
    const payer = desk.newWallet(10_000_000n);
    const { json } = await desk.post('craft-claim', {
      inviteSigner: key.address,
      receiver: receiver.address,
      payer: payer.address,
    });
    expect(json).toEqual({
      tx: expect.any(String),
      transaction: json.tx,
      invitePDA: deriveInvite(key.address).address,
      sender: desk.sender.address,
      mint: null,
      amount: '250000000',
      totalFeeLamports: '10000',
    });
    await desk.land(json.tx, [payer, key]);
    expect(desk.wallets.lamports(receiver.address)).toBe(250_000_000n);
    expect(desk.wallets.lamports(payer.address)).toBe(10_000_000n - 10_000n);
    expect(before - desk.wallets.lamports(desk.sender.address)).toBe(250_000_000n + 10_000n);
    expect(desk.invite(key)).toBeNull();
  });

  it('pays a token, and opens the account of a receiver who pays', async () => {
    const { key } = await desk.create({ amount: '5000000', mint: USDC });
    const receiver = desk.newWallet(10_000_000n);
    const { json } = await desk.post('craft-claim', {
      inviteSigner: key.address,
      receiver: receiver.address,
    });
    await desk.land(json.tx, [receiver, key]);
    expect(desk.held(receiver.address, USDC)).toBe(5_000_000n);
    expect(desk.wallets.lamports(receiver.address)).toBe(10_000_000n - BigInt(json.totalFeeLamports));
    expect(json).toMatchObject({ mint: USDC, amount: '5000000' });
  });

  it('binds the receiver under the signature of the invite key', async () => {
    const { key } = await desk.create({ amount: '5000000' });
    const [receiver, thief] = [desk.newWallet(10_000_000n), desk.newWallet(10_000_000n)];
    const { json } = await desk.post('craft-claim', {
      inviteSigner: key.address,
      receiver: receiver.address,
    });
    const { message, messageBytes } = parseTransaction(new Uint8Array(Buffer.from(json.tx, 'base64')));
    const claim = listMessageInstructions(message, { writable: [], readonly: [] }).at(-1);
    expect(claim?.accounts.slice(0, 2).map(({ address }) => address)).toEqual([
      key.address,
      receiver.address,
    ]);
    // Whoever sees the transaction in flight has the signature of the invite key over another message.
    const text = Buffer.from(messageBytes).toString('hex');
    const [own, other] = [receiver, thief].map(({ address }) =>
      Buffer.from(toAddressBytes(address)).toString('hex'),
    );
    const redirected = new Uint8Array(Buffer.from(text.replaceAll(own as string, other as string), 'hex'));
    const seen = signWith(key, messageBytes);
    const stolen = Buffer.concat([Uint8Array.of(2), signWith(thief, redirected), seen, redirected]);
    const { chain } = desk.wallets.market;
    await expect(chain.send(new Uint8Array(stolen))).rejects.toThrow('a signature does not verify');
    const honest = Buffer.concat([Uint8Array.of(2), signWith(receiver, messageBytes), seen, messageBytes]);
    await chain.send(new Uint8Array(honest));
    expect(desk.invite(key)).toBeNull();
    expect(desk.wallets.lamports(thief.address)).toBe(10_000_000n);
  });
});

describe('craft-clawback', () => {
  it.each([
    ['SOL', undefined],
    ['a token', 'usdc' as const],
  ])('gives %s and every rent back to the sender', async (_, token) => {
    const mint = token === undefined ? undefined : USDC;
    const held = desk.held(desk.sender.address, USDC);
    const before = desk.wallets.lamports(desk.sender.address);
    const { key } = await desk.create({ amount: '5000000', mint });
    const { json } = await desk.post('craft-clawback', {
      invitePDA: deriveInvite(key.address).address,
      sender: desk.sender.address,
    });
    expect(json).toEqual({ tx: expect.any(String), transaction: json.tx });
    await desk.land(json.tx, [desk.sender]);
    expect(before - desk.wallets.lamports(desk.sender.address)).toBe(15_000n);
    expect(desk.held(desk.sender.address, USDC)).toBe(held);
    expect(desk.invite(key)).toBeNull();
  });
});

describe('the lists', () => {
  it('show an invite while it can be claimed, and then how it ended, to both sides', async () => {
    const first = await desk.create({ amount: '5000000' });
    const second = await desk.create({ amount: '7000000', mint: USDC });
    const pending = await desk.get('pending-invites', { address: desk.sender.address });
    expect(pending.json).toEqual({
      invites: [
        createShown(second, { amount: '7000000', mint: USDC }),
        createShown(first, { amount: '5000000', mint: null }),
      ],
      hasMoreData: false,
    });
    const receiver = desk.newWallet(10_000_000n);
    const claim = await desk.post('craft-claim', {
      inviteSigner: first.key.address,
      receiver: receiver.address,
    });
    const claimed = await desk.land(claim.json.tx, [receiver, first.key]);
    const back = await desk.post('craft-clawback', {
      invitePDA: deriveInvite(second.key.address).address,
      sender: desk.sender.address,
    });
    const returned = await desk.land(back.json.tx, [desk.sender]);
    expect((await desk.get(`pending-invites/${desk.sender.address}`)).json.invites).toEqual([]);
    const end = { deletion_time: '2027-01-15T08:00:00.000Z' };
    const isClaimed = createShown(first, {
      amount: '5000000',
      mint: null,
      action: 'claimed',
      deletion_tx: claimed,
      receiver: receiver.address,
      ...end,
    });
    expect((await desk.get(`invite-history/${desk.sender.address}`, { page: '1' })).json).toEqual({
      invites: [
        createShown(second, {
          amount: '7000000',
          mint: USDC,
          action: 'clawback',
          deletion_tx: returned,
          ...end,
        }),
        isClaimed,
      ],
      hasMoreData: false,
    });
    expect((await desk.get('invite-history', { address: receiver.address })).json.invites).toEqual([
      isClaimed,
    ]);
  });

  it('show an invite that has expired in the history alone, before and after it is returned', async () => {
    const made = await desk.create({ amount: '5000000' });
    expect((await desk.get('pending-invites', { address: desk.sender.address })).json.invites).toHaveLength(
      1,
    );
    desk.wallets.market.network.setUnixTime(NOW + 604_800n);
    expect((await desk.get('pending-invites', { address: desk.sender.address })).json.invites).toEqual([]);
    expect((await desk.get('invite-history', { address: desk.sender.address })).json.invites).toEqual([
      createShown(made, { amount: '5000000', mint: null, action: 'expired' }),
    ]);
  });

  it('leave out an invite that a reset of the network has taken away', async () => {
    const [kept, gone] = [await desk.create({ amount: 1 }), await desk.create({ amount: 2 })];
    const list = async (path: string) =>
      (await desk.get(path, { address: desk.sender.address })).json.invites;
    expect(await list('pending-invites')).toHaveLength(2);
    desk.setLamports(deriveInvite(gone.key.address).address, 0n);
    expect(await list('pending-invites')).toMatchObject([{ invite_signer: kept.key.address }]);
    desk.wallets.market.network.setUnixTime(NOW + 604_800n);
    expect(await list('invite-history')).toMatchObject([{ invite_signer: kept.key.address }]);
  });

  it('have 20 invites on a page, the newest first', async () => {
    for (let amount = 1; amount <= 21; amount++) await desk.create({ amount });
    const [first, second] = await Promise.all(
      ['1', '2'].map((page) => desk.get('pending-invites', { address: desk.sender.address, page })),
    );
    expect(first?.json.hasMoreData).toBe(true);
    expect(first?.json.invites.map(({ amount }: { amount: string }) => Number(amount))).toEqual(
      Array.from({ length: 20 }, (_, at) => 21 - at),
    );
    expect(second?.json).toMatchObject({ invites: [{ amount: '1' }], hasMoreData: false });
  });
});

/** The second in which the market of the desk stands still. */
const NOW = 1_800_000_000n;
/** The rent of the account of an invite, which has 201 bytes. */
const RENT = 2_289_840n;
const USDC = getGenesisToken('USDC').mint;

/** Returns an invite as a list shows it. */
function createShown(
  { key, signature }: Awaited<ReturnType<SendDesk['create']>>,
  changes: Readonly<Record<string, unknown>>,
) {
  const { address } = deriveInvite(key.address);
  return {
    invite_signer: key.address,
    invite_pda: address,
    invitePDA: address,
    sender: desk.sender.address,
    expiry: '2027-01-22T08:00:00.000Z',
    action: 'created',
    creation_tx: signature,
    creation_time: '2027-01-15T08:00:00.000Z',
    createdAt: '2027-01-15T08:00:00.000Z',
    deletion_tx: null,
    deletion_time: null,
    receiver: null,
    confirmed: 1,
    ...changes,
  };
}
