// Sells 0.5 SOL once its price has risen: signs in, deposits, moves the price, and shows how the order is filled. Then it
// makes a second order and takes the money back. Start Sluice with `npm start`, then run `npx tsx examples/limit-order.ts`.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as kit from '@solana/kit';

const { SLUICE_URL, SLUICE_ADMIN_URL, SLUICE_WALLET } = process.env;
const url = SLUICE_URL ?? 'http://127.0.0.1:8787';
const walletFile = SLUICE_WALLET ?? '.sluice/demo-wallet.json';
const key = JSON.parse(readFileSync(walletFile, 'utf8'));
const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const AMOUNT = '500000000';

/** Sends a GET, or with a body a POST, and returns the answer's body. The shapes are documented at /docs/api. */
async function call(path: string, token: string | null, body?: object) {
  const answer = await fetch(`${url}${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
  });
  const text = await answer.text();
  // 409: the wallet has a vault already.
  if (!answer.ok && answer.status !== 409) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

/** Calls the operator's interface, as `sluice price` does. */
async function operate(path: string, body: object): Promise<void> {
  const credential = readFileSync(join(dirname(walletFile), 'operator-credential'), 'utf8').trim();
  const answer = await fetch(`${SLUICE_ADMIN_URL ?? 'http://127.0.0.1:8788'}/admin/v1/network/${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
}

async function main(): Promise<void> {
  const wallet = await kit.createKeyPairSignerFromBytes(Uint8Array.from(key));
  const sign = async (transaction: string) => {
    const unsigned = kit.getTransactionDecoder().decode(Buffer.from(transaction, 'base64'));
    // The service adds the other signatures.
    return kit.getBase64EncodedWireTransaction(
      await kit.partiallySignTransaction([wallet.keyPair], unsigned),
    );
  };

  // Sign in.
  const who = { walletPubkey: wallet.address, type: 'message' };
  const { challenge } = await call('/trigger/v2/auth/challenge', null, who);
  const signed = await kit.signBytes(wallet.keyPair.privateKey, Buffer.from(challenge));
  const signature = kit.getBase58Decoder().decode(signed);
  const { token } = await call('/trigger/v2/auth/verify', null, { ...who, signature });
  const registered = await call('/trigger/v2/vault/register', token, {});
  console.log(`${wallet.address} has the vault ${(registered.details ?? registered).vaultPubkey}`);

  // Deposit 0.5 SOL, and sell them above a price.
  const createOrder = async (triggerPriceUsd: number) => {
    const deposit = await call('/trigger/v2/deposit/craft', token, {
      inputMint: SOL,
      outputMint: USDC,
      userAddress: wallet.address,
      amount: AMOUNT,
      orderType: 'price',
      orderSubType: 'single',
    });
    const order = await call('/trigger/v2/orders/price', token, {
      orderType: 'single',
      depositRequestId: deposit.requestId,
      depositSignedTx: await sign(deposit.transaction),
      userPubkey: wallet.address,
      inputMint: SOL,
      inputAmount: AMOUNT,
      outputMint: USDC,
      triggerMint: SOL,
      triggerCondition: 'above',
      triggerPriceUsd,
      expiresAt: Date.now() + 86_400_000,
    });
    console.log(`order ${order.id} sells 0.5 SOL above ${triggerPriceUsd} USD`);
    return order.id as string;
  };
  /** Waits until the order has one of the states. */
  const waitFor = async (id: string, ...states: string[]) => {
    for (let tries = 0; tries < 600; tries++) {
      const order = await call(`/trigger/v2/orders/history/${id}`, token);
      if (states.includes(order.orderState)) return order;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error(`order ${id} is not ${states.join(' or ')}; \`sluice order show ${id}\` says why`);
  };
  const price = (await call(`/price/v3?ids=${SOL}`, null))[SOL].usdPrice;
  const id = await createOrder(Number((price * 1.02).toFixed(2)));
  await waitFor(id, 'open');
  const { elements } = await call(
    `/portfolio/v1/positions/${wallet.address}?platforms=jupiter-exchange`,
    null,
  );
  const shown = elements.filter(
    ({ fetcherId }: { fetcherId: string }) => fetcherId === 'jupiter-exchange-trigger',
  );
  const worth = shown.reduce((sum: number, { value }: { value: number }) => sum + value, 0);
  const orders = shown.length === 1 ? 'order' : 'orders';
  console.log(`the portfolio shows ${shown.length} ${orders} for ${worth.toFixed(2)} USD`);

  // Move the price, as `sluice price follow on` and `sluice price set SOL ...` do.
  await operate('price-follower', { following: true });
  await operate('prices/SOL', { price: (price * 1.05).toFixed(2) });
  const filled = await waitFor(id, 'filled');
  console.log(`SOL has risen: 0.5 SOL became ${filled.outputAmount / 1e6} USDC`);
  for (const { type, state, txSignature } of filled.events) console.log(`  ${type} ${state} ${txSignature}`);
  await operate('prices/SOL', { price: price.toFixed(2) });

  // Cancel a second order. The first call stops its fills, and the second one lands the withdrawal.
  const second = await createOrder(Number((price * 10).toFixed(2)));
  await waitFor(second, 'open');
  const { transaction, requestId } = await call(`/trigger/v2/orders/price/cancel/${second}`, token, {});
  await call(`/trigger/v2/orders/price/confirm-cancel/${second}`, token, {
    signedTransaction: await sign(transaction),
    cancelRequestId: requestId,
  });
  await waitFor(second, 'cancelled');
  console.log(`order ${second} is cancelled, and the wallet has its 0.5 SOL back`);
  await operate('price-follower', { following: false });
}

main();
