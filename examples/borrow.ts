// Deposits 5 SOL in a vault, borrows 200 USDC against it, pays everything back and takes the SOL out again. Start Sluice
// with `npm start`, then run `npx tsx examples/borrow.ts`.
import { readFileSync } from 'node:fs';
import * as kit from '@solana/kit';

const { SLUICE_URL, SOLANA_RPC_URL, SOLANA_WS_URL, SLUICE_WALLET } = process.env;
const lend = `${SLUICE_URL ?? 'http://127.0.0.1:8787'}/lend/v1/borrow`;
const rpc = kit.createSolanaRpc(SOLANA_RPC_URL ?? 'http://127.0.0.1:8899');
const rpcSubscriptions = kit.createSolanaRpcSubscriptions(SOLANA_WS_URL ?? 'ws://127.0.0.1:8900');
const key = JSON.parse(readFileSync(SLUICE_WALLET ?? '.sluice/demo-wallet.json', 'utf8'));
const opening = kit.createKeyPairSignerFromBytes(Uint8Array.from(key));
const [SOL, USDC] = [
  'So11111111111111111111111111111111111111112',
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
];
const [TOKENS, ASSOCIATED] = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
];
const SYSTEM = kit.address('11111111111111111111111111111111');
/** Pays everything back, or takes everything out. */
const EVERYTHING = String(-(2n ** 127n));

async function tokenAccount(mint: string): Promise<kit.Address> {
  const wallet = await opening;
  const seeds = [wallet.address, TOKENS, mint].map((each) =>
    kit.getAddressEncoder().encode(kit.address(each)),
  );
  return (await kit.getProgramDerivedAddress({ programAddress: kit.address(ASSOCIATED), seeds }))[0];
}

async function balances(): Promise<string> {
  const whole = async (mint: string) => {
    const balance = rpc.getTokenAccountBalance(await tokenAccount(mint), { commitment: 'confirmed' });
    return balance.send().then(
      ({ value }) => value.uiAmountString,
      () => '0',
    );
  };
  return `${await whole(SOL)} wrapped SOL, ${await whole(USDC)} USDC`;
}

const confirm = kit.sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions });
async function send(message: Parameters<typeof kit.signTransactionMessageWithSigners>[0]): Promise<void> {
  const signed = await kit.signTransactionMessageWithSigners(message);
  kit.assertIsSendableTransaction(signed);
  kit.assertIsTransactionWithBlockhashLifetime(signed);
  await confirm(signed, { commitment: 'confirmed' });
}

/** Vaults take SOL in its wrapped form, and a little more than the deposit because they round it up. */
async function wrap(lamports: bigint): Promise<void> {
  const wallet = await opening;
  const account = await tokenAccount(SOL);
  const { value: lifetime } = await rpc.getLatestBlockhash().send();
  const role = kit.AccountRole;
  const transfer = new DataView(new ArrayBuffer(12));
  transfer.setUint32(0, 2, true);
  transfer.setBigUint64(4, lamports, true);
  const steps: kit.Instruction[] = [
    {
      programAddress: kit.address(ASSOCIATED),
      accounts: [
        { address: wallet.address, role: role.WRITABLE_SIGNER },
        { address: account, role: role.WRITABLE },
        { address: wallet.address, role: role.READONLY },
        { address: kit.address(SOL), role: role.READONLY },
        { address: SYSTEM, role: role.READONLY },
        { address: kit.address(TOKENS), role: role.READONLY },
      ],
      data: Uint8Array.of(1), // create the account unless it exists
    },
    {
      programAddress: SYSTEM,
      accounts: [
        { address: wallet.address, role: role.WRITABLE_SIGNER },
        { address: account, role: role.WRITABLE },
      ],
      data: new Uint8Array(transfer.buffer),
    },
    {
      programAddress: kit.address(TOKENS),
      accounts: [{ address: account, role: role.WRITABLE }],
      data: Uint8Array.of(17), // count the lamports that arrived
    },
  ];
  await send(
    kit.pipe(
      kit.createTransactionMessage({ version: 0 }),
      (m) => kit.setTransactionMessageFeePayerSigner(wallet, m),
      (m) => kit.setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
      (m) => kit.appendTransactionMessageInstructions(steps, m),
    ),
  );
}

/** Asks for the transaction, signs it and lands it. Amounts are atoms; negative ones are taken out or paid back. */
async function operate(
  vaultId: number,
  positionId: number,
  colAmount: string,
  debtAmount: string,
): Promise<number> {
  const wallet = await opening;
  const response = await fetch(`${lend}/operate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ vaultId, positionId, colAmount, debtAmount, signer: wallet.address }),
  });
  const answer = JSON.parse(await response.text());
  if (!response.ok) throw new Error(`operate answered ${response.status}: ${answer.error}`);
  const unsigned = kit.getTransactionDecoder().decode(Buffer.from(answer.transaction, 'base64'));
  const signed = await kit.signTransaction([wallet.keyPair], unsigned);
  const { value: lifetimeConstraint } = await rpc.getLatestBlockhash().send();
  const sendable = { ...signed, lifetimeConstraint };
  kit.assertIsSendableTransaction(sendable);
  await confirm(sendable, { commitment: 'confirmed' });
  return answer.nftId;
}

type Vault = { id: number; supplyToken: { address: string }; borrowToken: { address: string } };

async function main(): Promise<void> {
  const vaults: Vault[] = JSON.parse(await (await fetch(`${lend}/vaults`)).text());
  const vault = vaults.find(
    ({ supplyToken, borrowToken }) => supplyToken.address === SOL && borrowToken.address === USDC,
  );
  if (vault === undefined) throw new Error('no vault lends USDC against SOL');
  await wrap(5_000_010_000n);
  console.log(`before: ${await balances()}`);
  const position = await operate(vault.id, 0, '5000000000', '0');
  console.log(`deposited 5 SOL in position ${position} of vault ${vault.id}: ${await balances()}`);
  await operate(vault.id, position, '0', '200000000');
  console.log(`borrowed 200 USDC: ${await balances()}`);
  await operate(vault.id, position, '0', EVERYTHING);
  console.log(`paid everything back: ${await balances()}`);
  await operate(vault.id, position, EVERYTHING, '0');
  console.log(`took everything out: ${await balances()}`);
}

main();
