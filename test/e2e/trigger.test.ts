import { expect, it, vi } from 'vitest';
import { encodeBase58 } from '../../src/solana/encoding/base58.ts';
import { type Keypair, signWith } from '../../src/solana/keypair.ts';
import { readSentTransaction } from '../../src/solana/messages/transaction.ts';
import { now } from '../../src/testing/waits.ts';
import { useInstance } from './shared-instance.ts';

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const TOKEN_ACCOUNT_RENT = 2_039_280n;

const instance = useInstance();

it('an order is deposited, waits, and is filled when the price comes', async () => {
  const wallet = await instance.newWallet(1_000_000_000n, { [USDC]: 60_000_000n });
  const client = await signIn(wallet);
  const price = await solPrice();
  const id = await client.order({
    outputMint: SOL,
    triggerMint: SOL,
    triggerCondition: 'below',
    triggerPriceUsd: price * 0.9,
  });
  const before = await lamportsOf(wallet);
  expect(await instance.admin('GET', `waiting-orders/${id}`)).toMatchObject({ order: { state: 'open' } });
  await instance.run('price', 'follow', 'on');
  await instance.run('price', 'set', 'SOL', (price * 0.88).toFixed(6));
  const { order } = await filled(id);
  // The rent that the deposit took comes back with it.
  expect((await lamportsOf(wallet)) - before).toBe(BigInt(order.received) + TOKEN_ACCOUNT_RENT);
  expect((Number(order.received) / 1e9) * price * 0.88).toBeGreaterThan(50 * 0.95);
  // The order's account is gone, and nothing is left in the vault.
  expect((await instance.rpc('getAccountInfo', order.account, { commitment: 'confirmed' })).value).toBeNull();
  await instance.run('price', 'follow', 'off');
});

interface OrderFields {
  readonly outputMint: string;
  readonly triggerMint: string;
  readonly triggerCondition: 'above' | 'below';
  readonly triggerPriceUsd: number;
}

/** Signs in as a wallet, and returns what a client then does. */
async function signIn(wallet: Keypair) {
  const asked = await call('auth/challenge', { walletPubkey: wallet.address, type: 'message' });
  const signature = encodeBase58(signWith(wallet, new TextEncoder().encode(asked.challenge)));
  const { token } = await call('auth/verify', { walletPubkey: wallet.address, type: 'message', signature });
  await call('vault/register', {}, token);
  const sign = (base64: string) => {
    const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
    const { messageBytes } = readSentTransaction(bytes).transaction;
    bytes.set(signWith(wallet, messageBytes), 1);
    return Buffer.from(bytes).toString('base64');
  };
  return {
    token,
    /** Deposits 50 USDC for an order, and returns its id. */
    order: async (fields: OrderFields): Promise<string> => {
      const amount = '50000000';
      const crafted = await call(
        'deposit/craft',
        {
          inputMint: USDC,
          outputMint: fields.outputMint,
          userAddress: wallet.address,
          amount,
          orderType: 'price',
          orderSubType: 'single',
        },
        token,
      );
      const { id } = await call(
        'orders/price',
        {
          ...fields,
          orderType: 'single',
          depositRequestId: crafted.requestId,
          depositSignedTx: sign(crafted.transaction),
          userPubkey: wallet.address,
          inputMint: USDC,
          inputAmount: amount,
          expiresAt: now() + 86_400_000,
        },
        token,
      );
      return id;
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
async function call(path: string, body: object, token?: string): Promise<any> {
  const answer = await fetch(`${instance.restUrl}/trigger/v2/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': instance.apiKey,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const json = await answer.json();
  expect(answer.status, JSON.stringify(json)).toBeLessThan(300);
  return json;
}

function filled(id: string) {
  return vi.waitFor(async () => {
    const found = await instance.admin('GET', `waiting-orders/${id}`);
    expect(found).toMatchObject({ order: { state: 'fill_success' } });
    return found;
  });
}

async function solPrice(): Promise<number> {
  const { json } = await instance.ask(`/price/v3?ids=${SOL}`);
  return json[SOL].usdPrice;
}

async function lamportsOf({ address }: Keypair): Promise<bigint> {
  return BigInt((await instance.rpc('getBalance', address, { commitment: 'confirmed' })).value);
}
