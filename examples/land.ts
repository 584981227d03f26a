// Lands a transfer with a tip, by web3.js 1. Start Sluice with `npm start`, then run `npx tsx examples/land.ts`.
import { readFileSync } from 'node:fs';
import * as web3 from '@solana/web3.js';

const { SLUICE_URL, SOLANA_RPC_URL, SOLANA_WS_URL, SLUICE_WALLET } = process.env;
const key = JSON.parse(readFileSync(SLUICE_WALLET ?? '.sluice/demo-wallet.json', 'utf8'));
const wallet = web3.Keypair.fromSecretKey(Uint8Array.from(key));
/** One of the 16 tip accounts of docs/landing.md. Choose one at random for each transaction. */
const TIP_ACCOUNT = new web3.PublicKey('GGztQqQ6pCPaJQnNpXBgELr5cs3WwDakRbh1iEMzjgSJ');

/** Reads and confirms. */
const rpc = new web3.Connection(SOLANA_RPC_URL ?? 'http://127.0.0.1:8899', {
  commitment: 'confirmed',
  wsEndpoint: SOLANA_WS_URL ?? 'ws://127.0.0.1:8900',
});
/** Only sends. With a key: `new web3.Connection(url, { httpHeaders: { 'x-api-key': key } })`. */
const landing = new web3.Connection(`${SLUICE_URL ?? 'http://127.0.0.1:8787'}/tx/v1`);

async function main(): Promise<void> {
  const transfer = (toPubkey: web3.PublicKey, lamports: number) =>
    web3.SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey, lamports });
  // The blockhash comes from the RPC: the landing endpoint has no other method than sendTransaction.
  const { blockhash, lastValidBlockHeight } = await rpc.getLatestBlockhash();
  const message = new web3.TransactionMessage({
    payerKey: wallet.publicKey,
    recentBlockhash: blockhash,
    instructions: [
      web3.ComputeBudgetProgram.setComputeUnitLimit({ units: 1_000 }),
      transfer(web3.Keypair.generate().publicKey, 10_000_000),
      transfer(TIP_ACCOUNT, 1_000_000),
    ],
  });
  const transaction = new web3.VersionedTransaction(message.compileToV0Message());
  transaction.sign([wallet]);
  const signature = await landing.sendTransaction(transaction, { skipPreflight: true, maxRetries: 0 });
  const { value } = await rpc.confirmTransaction({ signature, blockhash, lastValidBlockHeight });
  if (value.err !== null) throw new Error(`${signature} failed: ${JSON.stringify(value.err)}`);
  console.log(`landed ${signature}`);
  process.exit(); // web3.js keeps its WebSocket open for a while.
}

main();
