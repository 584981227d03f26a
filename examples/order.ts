// Swaps 0.1 SOL for USDC by order and execute. Start Sluice with `npm start`, then run `npx tsx examples/order.ts`.
import { readFileSync } from 'node:fs';
import * as kit from '@solana/kit';

const { SLUICE_URL, SLUICE_WALLET } = process.env;
const swap = `${SLUICE_URL ?? 'http://127.0.0.1:8787'}/swap/v2`;
const key = JSON.parse(readFileSync(SLUICE_WALLET ?? '.sluice/demo-wallet.json', 'utf8'));

async function main(): Promise<void> {
  const taker = await kit.createKeyPairSignerFromBytes(Uint8Array.from(key));

  const query = new URLSearchParams({
    inputMint: 'So11111111111111111111111111111111111111112',
    outputMint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    amount: '100000000',
    taker: taker.address,
  });
  const response = await fetch(`${swap}/order?${query}`);
  if (!response.ok) throw new Error(`order answered ${response.status}: ${await response.text()}`);
  const order = JSON.parse(await response.text()); // The shape is documented at /docs/api.
  if (!order.transaction) throw new Error(order.error);

  const unsigned = kit.getTransactionDecoder().decode(Buffer.from(order.transaction, 'base64'));
  const signed = await kit.partiallySignTransaction([taker.keyPair], unsigned);
  const answer = await fetch(`${swap}/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      signedTransaction: kit.getBase64EncodedWireTransaction(signed),
      requestId: order.requestId,
    }),
  });
  const result = JSON.parse(await answer.text());
  if (result.status !== 'Success') throw new Error(`${result.code}: ${result.error ?? result.message}`);
  const venues = order.routePlan
    .map((step: { swapInfo: { label: string } }) => step.swapInfo.label)
    .join(', ');
  console.log(`0.1 SOL became ${result.totalOutputAmount / 1e6} USDC by ${venues} in ${result.signature}`);
}

main();
