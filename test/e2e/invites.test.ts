import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { deriveInviteKey } from '../../src/protocols/jupiter-send/invite-key.ts';
import { deriveInvite } from '../../src/protocols/jupiter-send/invite-program.ts';
import type { Keypair } from '../../src/solana/keypair.ts';
import { parseTransaction, signTransaction } from '../../src/solana/messages/transaction.ts';
import { useInstance } from './shared-instance.ts';

const instance = useInstance();
let sender: Keypair;
beforeAll(setUp);

describe('an invite', () => {
  it('of SOL is claimed by a wallet that has nothing, to the lamport', async () => {
    const key = newKey();
    const before = await lamportsOf(sender.address);
    const crafted = await ask('/send/v1/craft-send', {
      inviteSigner: key.address,
      sender: sender.address,
      amount: 250_000_000,
    });
    const created = await land(crafted.tx, [sender, key]);
    expect(before - (await lamportsOf(sender.address))).toBe(250_000_000n + BigInt(crafted.totalFeeLamports));
    const { invites } = await ask(`/send/v1/pending-invites?address=${sender.address}`);
    expect(invites).toMatchObject([
      { invite_signer: key.address, amount: '250000000', mint: null, action: 'created' },
    ]);
    const receiver = newKey();
    const claim = await ask('/send/v1/craft-claim', {
      inviteSigner: key.address,
      receiver: receiver.address,
      payer: sender.address,
    });
    const paid = created + (await land(claim.tx, [sender, key]));
    expect(await lamportsOf(receiver.address)).toBe(250_000_000n);
    expect(before - (await lamportsOf(sender.address))).toBe(250_000_000n + paid);
    const claimed = { invite_signer: key.address, action: 'claimed', receiver: receiver.address };
    for (const { address } of [sender, receiver]) {
      expect((await ask(`/send/v1/invite-history/${address}`)).invites).toMatchObject([claimed]);
    }
  });

  it('of a token that nobody claims is returned by itself, and its rents with it', async () => {
    const key = newKey();
    const { address: invite } = deriveInvite(key.address);
    const lamports = await lamportsOf(sender.address);
    const crafted = await ask('/send/v1/craft-send', {
      inviteSigner: key.address,
      sender: sender.address,
      amount: '3000000',
      mint: USDC,
    });
    const paid = await land(crafted.tx, [sender, key]);
    expect(await tokensOf(sender.address)).toBe(7_000_000n);
    expect(await shownPositions()).toContain(invite);
    await instance.admin('POST', 'network/clock', { seconds: 7 * 86_400 });
    await vi.waitFor(async () => {
      const { invites } = await ask(`/send/v1/invite-history?address=${sender.address}`);
      expect(invites[0]).toMatchObject({
        invite_signer: key.address,
        action: 'expired',
        deletion_tx: expect.any(String),
      });
    });
    expect(await tokensOf(sender.address)).toBe(10_000_000n);
    // The sender has paid the creation, and the reward of whoever returned it.
    expect(lamports - (await lamportsOf(sender.address))).toBe(paid + 10_000n);
    expect(await shownPositions()).not.toContain(invite);
  });
});

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const CONFIRMED = { commitment: 'confirmed' };

async function setUp(): Promise<void> {
  sender = await instance.newWallet(1_000_000_000n, { [USDC]: 10_000_000n });
}

function newKey(): Keypair {
  return deriveInviteKey(randomBytes(9).toString('hex'));
}

/** Asks, and expects an answer without an error. */
async function ask(path: string, body?: object) {
  const { status, json } = await instance.ask(path, body);
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}

/** Signs a transaction that was handed out, lands it over the RPC, and returns its fee, which others can make dearer. */
async function land(tx: string, by: readonly Keypair[]): Promise<bigint> {
  const { messageBytes } = parseTransaction(new Uint8Array(Buffer.from(tx, 'base64')));
  const wire = Buffer.from(signTransaction(messageBytes, by)).toString('base64');
  const signature = await instance.rpc('sendTransaction', wire, { encoding: 'base64', skipPreflight: true });
  await vi.waitFor(async () => {
    const { value } = await instance.rpc('getSignatureStatuses', [signature]);
    expect(value[0]).toMatchObject({
      err: null,
      confirmationStatus: expect.stringMatching(/confirmed|final/),
    });
  });
  const options = { ...CONFIRMED, maxSupportedTransactionVersion: 0 };
  return BigInt((await instance.rpc('getTransaction', signature, options)).meta.fee);
}

async function shownPositions(): Promise<string> {
  return JSON.stringify((await ask(`/portfolio/v1/positions/${sender.address}`)).elements);
}

async function lamportsOf(address: string): Promise<bigint> {
  return BigInt((await instance.rpc('getBalance', address, CONFIRMED)).value);
}

async function tokensOf(owner: string): Promise<bigint> {
  const { value } = await instance.rpc(
    'getTokenAccountsByOwner',
    owner,
    { mint: USDC },
    { ...CONFIRMED, encoding: 'jsonParsed' },
  );
  return BigInt(value[0].account.data.parsed.info.tokenAmount.amount);
}
