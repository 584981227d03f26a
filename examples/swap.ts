// Swaps 0.1 SOL for USDC. Start Sluice with `npm start`, then run `npx tsx examples/swap.ts`.
import { readFileSync } from 'node:fs';
import * as kit from '@solana/kit';

const { SLUICE_URL, SOLANA_RPC_URL, SOLANA_WS_URL, SLUICE_WALLET } = process.env;
const rpc = kit.createSolanaRpc(SOLANA_RPC_URL ?? 'http://127.0.0.1:8899');
const rpcSubscriptions = kit.createSolanaRpcSubscriptions(SOLANA_WS_URL ?? 'ws://127.0.0.1:8900');
const key = JSON.parse(readFileSync(SLUICE_WALLET ?? '.sluice/demo-wallet.json', 'utf8'));

type Account = { pubkey: string; isSigner: boolean; isWritable: boolean };
const instruction = (step: { programId: string; accounts: Account[]; data: string }): kit.Instruction => ({
  programAddress: kit.address(step.programId),
  accounts: step.accounts.map(({ pubkey, isSigner, isWritable }) => ({
    address: kit.address(pubkey),
    role: Number(isSigner) * 2 + Number(isWritable),
  })),
  data: Buffer.from(step.data, 'base64'),
});
const unitLimit = (units: number): kit.Instruction => ({
  programAddress: kit.address('ComputeBudget111111111111111111111111111111'),
  data: Uint8Array.of(2, units & 255, (units >> 8) & 255, units >> 16, 0),
});

async function main(): Promise<void> {
  const taker = await kit.createKeyPairSignerFromBytes(Uint8Array.from(key));
  const query = new URLSearchParams({
    inputMint: 'So11111111111111111111111111111111111111112',
    outputMint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    amount: '100000000',
    taker: taker.address,
  });
  const response = await fetch(`${SLUICE_URL ?? 'http://127.0.0.1:8787'}/swap/v2/build?${query}`);
  if (!response.ok) throw new Error(`build answered ${response.status}: ${await response.text()}`);
  const build = JSON.parse(await response.text()); // The shape is documented at /docs/api.
  const steps = [...build.computeBudgetInstructions, ...build.setupInstructions, build.swapInstruction];
  if (build.cleanupInstruction) steps.push(build.cleanupInstruction);
  const lifetime = {
    blockhash: kit.getBase58Decoder().decode(Uint8Array.from(build.blockhashWithMetadata.blockhash)),
    lastValidBlockHeight: BigInt(build.blockhashWithMetadata.lastValidBlockHeight),
  } as kit.BlockhashLifetimeConstraint;
  const message = (units: number) =>
    kit.pipe(
      kit.createTransactionMessage({ version: 0 }),
      (m) => kit.setTransactionMessageFeePayerSigner(taker, m),
      (m) => kit.setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
      (m) => kit.appendTransactionMessageInstructions([unitLimit(units), ...steps.map(instruction)], m),
      (m) =>
        kit.compressTransactionMessageUsingAddressLookupTables(m, build.addressesByLookupTableAddress ?? {}),
    );

  // The compute unit limit is what a simulation used, and a fifth more.
  const draft = kit.getBase64EncodedWireTransaction(kit.compileTransaction(message(1_400_000)));
  const simulation = await rpc.simulateTransaction(draft, { encoding: 'base64' }).send();
  const { err, logs, unitsConsumed } = simulation.value;
  if (err) throw new Error(`simulation failed: ${logs?.join('\n')}`);
  const signed = await kit.signTransactionMessageWithSigners(message(Math.ceil(Number(unitsConsumed) * 1.2)));
  const send = kit.sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions });
  kit.assertIsTransactionWithBlockhashLifetime(signed);
  await send(signed, { commitment: 'confirmed' });
  console.log(`0.1 SOL became ${build.outAmount / 1e6} USDC in ${kit.getSignatureFromTransaction(signed)}`);
}

main();
