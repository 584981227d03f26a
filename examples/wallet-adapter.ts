// Swaps 0.1 SOL for USDC as a web page with a wallet adapter does, by web3.js 1. Start Sluice with `npm start`, then run
// `npx tsx examples/wallet-adapter.ts`. With SLUICE_PAYER, another wallet pays the fee and the rent.
import { readFileSync } from 'node:fs';
import { Keypair, VersionedTransaction } from '@solana/web3.js';

const { SLUICE_URL, SLUICE_WALLET, SLUICE_PAYER } = process.env;
const swapUrl = `${SLUICE_URL ?? 'http://127.0.0.1:8787'}/swap/v2`;

/** What the wallets of `@solana/wallet-adapter-base`, and `useWallet()` of its React package, have. */
interface Wallet {
  readonly publicKey: { toBase58(): string };
  signTransaction(transaction: VersionedTransaction): Promise<VersionedTransaction>;
}

/** Swaps by order and execute. A payer other than the taker signs after the wallet, on your server. */
async function swap(wallet: Wallet, parameters: Record<string, string>, payer?: Keypair) {
  const query = new URLSearchParams({ ...parameters, taker: wallet.publicKey.toBase58() });
  if (payer !== undefined) query.set('payer', payer.publicKey.toBase58());
  const response = await fetch(`${swapUrl}/order?${query}`);
  if (!response.ok) throw new Error(`order answered ${response.status}: ${await response.text()}`);
  const order = JSON.parse(await response.text());
  if (!order.transaction) throw new Error(order.error);

  const unsigned = VersionedTransaction.deserialize(Buffer.from(order.transaction, 'base64'));
  const signed = await wallet.signTransaction(unsigned);
  // Adds a signature at the place of this signer, and leaves the others as they are.
  if (payer !== undefined) signed.sign([payer]);
  const answer = await fetch(`${swapUrl}/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      signedTransaction: Buffer.from(signed.serialize()).toString('base64'),
      requestId: order.requestId,
    }),
  });
  const result = JSON.parse(await answer.text());
  if (result.status !== 'Success') throw new Error(`${result.code}: ${result.error ?? result.message}`);
  return result;
}

function load(file: string): Keypair {
  return Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(file, 'utf8'))));
}

async function main(): Promise<void> {
  const keypair = load(SLUICE_WALLET ?? '.sluice/demo-wallet.json');
  // In a page, this is the wallet of the user.
  const wallet: Wallet = {
    publicKey: keypair.publicKey,
    signTransaction: async (transaction) => {
      transaction.sign([keypair]);
      return transaction;
    },
  };
  const parameters = {
    inputMint: 'So11111111111111111111111111111111111111112',
    outputMint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    amount: '100000000',
  };
  const result = await swap(wallet, parameters, SLUICE_PAYER === undefined ? undefined : load(SLUICE_PAYER));
  console.log(`0.1 SOL became ${result.totalOutputAmount / 1e6} USDC in ${result.signature}`);
}

main();
