// Sends 0.1 SOL and 5 USDC to two codes, claims the SOL with the first code for a new wallet, and takes the USDC back. Start Sluice
// with `npm start`, then run `npx tsx examples/send.ts`.
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as kit from '@solana/kit';

const { SLUICE_URL, SOLANA_RPC_URL, SLUICE_WALLET } = process.env;
const url = SLUICE_URL ?? 'http://127.0.0.1:8787';
const rpc = kit.createSolanaRpc(SOLANA_RPC_URL ?? 'http://127.0.0.1:8899');
const key = JSON.parse(readFileSync(SLUICE_WALLET ?? '.sluice/demo-wallet.json', 'utf8'));
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** Sends a GET, or with a body a POST, and returns the answer's body. The shapes are documented at /docs/api. */
async function call(path: string, body?: object) {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const answer = await fetch(`${url}/send/v1/${path}`, body && { ...post, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

/** Makes a code as wallets do: 12 characters, about 70 random bits. Anybody who has it can claim, so it is all that you pass on. */
function createCode(): string {
  return kit.getBase58Decoder().decode(randomBytes(13)).slice(0, 12);
}

/** Derives the key pair of a code. Sender and receiver do this themselves: neither the code nor the key is sent to Sluice. */
function deriveInviteKey(code: string): Promise<kit.KeyPairSigner> {
  const seed = createHash('sha256').update(`invite:${code}`).digest();
  return kit.createKeyPairSignerFromPrivateKeyBytes(seed);
}

/** Signs a transaction, and lands it over the RPC. */
async function land(transaction: string, signers: kit.KeyPairSigner[]): Promise<string> {
  const unsigned = kit.getTransactionDecoder().decode(Buffer.from(transaction, 'base64'));
  const keys = signers.map(({ keyPair }) => keyPair);
  const signed = await kit.signTransaction(
    keys,
    unsigned as typeof unsigned & kit.TransactionWithinSizeLimit,
  );
  const wire = kit.getBase64EncodedWireTransaction(signed);
  const signature = await rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send();
  for (let tries = 0; tries < 300; tries++) {
    const [status] = (await rpc.getSignatureStatuses([signature]).send()).value;
    if (status?.err) throw new Error(`${signature} failed: ${JSON.stringify(status.err)}`);
    if (status && status.confirmationStatus !== 'processed') return signature;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${signature} has not landed within a minute`);
}

async function main(): Promise<void> {
  const wallet = await kit.createKeyPairSignerFromBytes(Uint8Array.from(key));

  // Send. The wallet and the key of the code sign; without a mint, the amount is in lamports.
  const send = async (code: string, what: { amount: string; mint?: string }) => {
    const inviteKey = await deriveInviteKey(code);
    const crafted = await call('craft-send', {
      inviteSigner: inviteKey.address,
      sender: wallet.address,
      ...what,
    });
    await land(crafted.tx, [wallet, inviteKey]);
    return { inviteSigner: inviteKey.address, expiry: crafted.expiry };
  };
  const [solCode, usdcCode] = [createCode(), createCode()];
  const sol = await send(solCode, { amount: '100000000' });
  console.log(`0.1 SOL wait for whoever has the code ${solCode}, until ${sol.expiry}`);
  const usdc = await send(usdcCode, { amount: '5000000', mint: USDC });
  console.log(`5 USDC wait for whoever has the code ${usdcCode}, until ${usdc.expiry}`);

  type Invite = { invite_signer: string; invite_pda: string; action: string; receiver: string | null };
  const { invites } = await call(`pending-invites?address=${wallet.address}`);
  const pending: Invite[] = invites.filter(({ invite_signer }: Invite) =>
    [sol.inviteSigner, usdc.inviteSigner].includes(invite_signer as kit.Address),
  );
  console.log(`${pending.length} invites are pending`);

  // Claim, as the receiver does who got the code. The new wallet has no SOL for the fee yet, so another one pays.
  const receiver = await kit.generateKeyPairSigner();
  const inviteKey = await deriveInviteKey(solCode);
  const claim = await call('craft-claim', {
    inviteSigner: inviteKey.address,
    receiver: receiver.address,
    payer: wallet.address,
  });
  await land(claim.tx, [inviteKey, wallet]);
  const { value: lamports } = await rpc.getBalance(receiver.address, { commitment: 'confirmed' }).send();
  console.log(`the new wallet ${receiver.address} has ${Number(lamports) / 1e9} SOL`);

  // Take the other one back, which only the sender can. It needs no code.
  const other = pending.find(({ invite_signer }) => invite_signer === usdc.inviteSigner);
  const clawback = await call('craft-clawback', { invitePDA: other?.invite_pda, sender: wallet.address });
  await land(clawback.tx, [wallet]);

  const history = await call(`invite-history?address=${wallet.address}`);
  for (const { invite_signer, action, receiver } of history.invites.slice(0, 2) as Invite[]) {
    console.log(`the invite of ${invite_signer} ended: ${action}${receiver ? ` by ${receiver}` : ''}`);
  }
}

main();
