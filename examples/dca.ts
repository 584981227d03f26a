// Buys SOL in three rounds of 12 USDC: signs in, deposits, moves the clock so that two rounds are filled, shows the order in the
// portfolio, and takes the rest of the money back. Start Sluice with `npm start`, then run `npx tsx examples/dca.ts`.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as kit from '@solana/kit';

const { SLUICE_URL, SLUICE_ADMIN_URL, SLUICE_WALLET } = process.env;
const url = SLUICE_URL ?? 'http://127.0.0.1:8787';
const walletFile = SLUICE_WALLET ?? '.sluice/demo-wallet.json';
const key = JSON.parse(readFileSync(walletFile, 'utf8'));
const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const AMOUNT = '36000000';
const ROUNDS = 3;
const HOUR = 3_600;

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

/** Moves the clock of the network forward, as `sluice clock advance` does. */
async function advanceClock(seconds: number): Promise<void> {
  const credential = readFileSync(join(dirname(walletFile), 'operator-credential'), 'utf8').trim();
  const admin = SLUICE_ADMIN_URL ?? 'http://127.0.0.1:8788';
  const answer = await fetch(`${admin}/admin/v1/network/clock`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({ seconds }),
  });
  if (!answer.ok) throw new Error(`the clock answered ${answer.status}: ${await answer.text()}`);
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

  // Deposit 36 USDC, which buy SOL in three rounds, one each hour.
  const deposit = await call('/trigger/v2/deposit/craft', token, {
    inputMint: USDC,
    outputMint: SOL,
    userAddress: wallet.address,
    amount: AMOUNT,
    orderType: 'dca',
  });
  const { id } = await call('/trigger/v2/orders/dca', token, {
    depositRequestId: deposit.requestId,
    depositSignedTx: await sign(deposit.transaction),
    userPubkey: wallet.address,
    inputMint: USDC,
    outputMint: SOL,
    inputAmount: AMOUNT,
    orderCount: ROUNDS,
    intervalSeconds: HOUR,
  });
  console.log(`order ${id} buys SOL for 36 USDC in ${ROUNDS} rounds`);

  /** Waits until so many rounds are filled. */
  const waitFor = async (rounds: number) => {
    for (let tries = 0; tries < 600; tries++) {
      const order = await call(`/trigger/v2/orders/history/dca/${id}`, token);
      if (order.roundsFilled >= rounds && order.state !== 'executing') return order;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error(`order ${id} has not filled ${rounds} rounds; \`sluice order show ${id}\` says why`);
  };
  // The first round is due at once. The next one is an hour later, and up to three minutes more by chance.
  const first = await waitFor(1);
  console.log(`round 1 bought ${first.outputAmountTotal / 1e9} SOL; the next is due at ${first.nextFillAt}`);
  await advanceClock(HOUR + 200);
  const second = await waitFor(2);
  console.log(`an hour later, both rounds have bought ${second.outputAmountTotal / 1e9} SOL`);

  const { elements } = await call(
    `/portfolio/v1/positions/${wallet.address}?platforms=jupiter-exchange`,
    null,
  );
  const shown = elements.find(
    ({ fetcherId, label }: { fetcherId: string; label: string }) =>
      fetcherId === 'jupiter-exchange-trigger' && label === 'SmartDCA',
  );
  console.log(
    `the portfolio shows it as ${shown.label}, filled to ${shown.data.filledPercentage.toFixed(2)}`,
  );

  // Cancel the rest. The first call stops further rounds, and the second one lands the withdrawal.
  const cancelled = await call(`/trigger/v2/orders/dca/cancel/${id}`, token, {});
  await call(`/trigger/v2/orders/dca/confirm-cancel/${id}`, token, {
    signedTransaction: await sign(cancelled.transaction),
    cancelRequestId: cancelled.requestId,
  });
  const { state } = await call(`/trigger/v2/orders/history/dca/${id}`, token);
  console.log(`order ${id} is ${state}, and the wallet has ${cancelled.refundAmount / 1e6} USDC back`);
}

main();
