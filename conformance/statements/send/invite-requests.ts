import { createHash, randomBytes } from 'node:crypto';
import * as kit from '@solana/kit';
import { type Answer, shown } from '../../answer.ts';
import type { World } from '../../world.ts';
import { associatedAccount } from '../mints.ts';
import { decodeTransaction, signTransaction } from '../transactions.ts';

// biome-ignore lint/suspicious/noExplicitAny: statements read bodies of every shape, and a wrong shape is a finding.
export type Json = any;

export const INVITE_PROGRAM = 'inv1tEtSwRMtM44tbvJGNiTxMvDfPVnX9StyqXfDfks';
/** A time as the lists have it. */
export const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
/** The fee of a signature, in lamports. */
export const SIGNATURE_FEE = 5_000n;
const POLL_MS = 100;
const MAX_POLLS = 300;

/** Makes a code as the public clients do: 13 random bytes in base58, of which the first 12 characters are taken. */
export function createCode(): string {
  return kit.getBase58Decoder().decode(randomBytes(13)).slice(0, 12);
}

/** Derives the key pair of a code as the public clients do. */
export function createInviteKey(code = createCode()): Promise<kit.KeyPairSigner> {
  const seed = createHash('sha256').update(`invite:${code}`).digest();
  return kit.createKeyPairSignerFromPrivateKeyBytes(seed);
}

/** Returns the account of the invite of a key. */
export async function deriveInvite(key: kit.Address): Promise<kit.Address> {
  const programAddress = kit.address(INVITE_PROGRAM);
  const seeds = ['invite', kit.getAddressEncoder().encode(key)];
  return (await kit.getProgramDerivedAddress({ programAddress, seeds }))[0];
}

export function post(world: World, endpoint: string, body: unknown): Promise<Answer> {
  return world.ask(`/send/v1/${endpoint}`, { method: 'POST', body });
}

/** Asks for a transaction that sends 0.005 SOL of the demo wallet with the code of a key. */
export function craftSend(world: World, key: string, changes: object = {}): Promise<Answer> {
  return post(world, 'craft-send', {
    inviteSigner: key,
    sender: world.wallet.address,
    amount: '5000000',
    ...changes,
  });
}

export function craftClawback(world: World, invitePDA: string, changes: object = {}): Promise<Answer> {
  return post(world, 'craft-clawback', { invitePDA, sender: world.wallet.address, ...changes });
}

/** Signs a transaction that was handed out, lands it over the RPC as the public samples do, and returns its signature. */
export async function land(world: World, tx: string, signers: readonly kit.KeyPairSigner[]): Promise<string> {
  const { signature, error } = await submit(world, tx, signers);
  if (error !== null) throw new Error(`${signature} failed: ${asText(error)}`);
  return signature;
}

/** Lands a transaction that may fail. Returns its error, which is null if it succeeded. */
export async function submit(world: World, tx: string, signers: readonly kit.KeyPairSigner[]) {
  const wire = (await signTransaction(tx, ...signers)) as kit.Base64EncodedWireTransaction;
  const signature = await world.rpc
    .sendTransaction(wire, { encoding: 'base64', skipPreflight: true, maxRetries: 0n })
    .send();
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    const [status] = (await world.rpc.getSignatureStatuses([signature]).send()).value;
    if (status != null && status.confirmationStatus !== 'processed') {
      return { signature, error: status.err };
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`${signature} did not land`);
}

export interface OpenInvite {
  readonly key: kit.KeyPairSigner;
  /** The account of the invite. */
  readonly invite: kit.Address;
  /** The signature of its creation. */
  readonly signature: string;
  /** The answer of `craft-send`. */
  readonly crafted: Json;
}

/** Sends with a new code. The sender is the demo wallet unless another is given. */
export async function openInvite(
  world: World,
  changes: object = {},
  sender = world.wallet,
): Promise<OpenInvite> {
  const key = await createInviteKey();
  const answer = await craftSend(world, key.address, { sender: sender.address, ...changes });
  if (answer.status !== 200) throw new Error(`no invite was crafted: ${shown(answer)}`);
  const signature = await land(world, answer.json.tx, [sender, key]);
  return { key, invite: await deriveInvite(key.address), signature, crafted: answer.json };
}

/** Claims an invite for a wallet, which pays. Returns the signature. */
export async function claim(
  world: World,
  { key }: Pick<OpenInvite, 'key'>,
  receiver: kit.KeyPairSigner,
): Promise<string> {
  const answer = await post(world, 'craft-claim', {
    inviteSigner: key.address,
    receiver: receiver.address,
  });
  if (answer.status !== 200) throw new Error(`no claim was crafted: ${shown(answer)}`);
  return land(world, answer.json.tx, [receiver, key]);
}

/** Takes an invite back. Returns the signature. */
export async function clawBack(world: World, invite: string, sender = world.wallet): Promise<string> {
  const answer = await craftClawback(world, invite, { sender: sender.address });
  if (answer.status !== 200) throw new Error(`no clawback was crafted: ${shown(answer)}`);
  return land(world, answer.json.tx, [sender]);
}

/** Asks for a list, with the wallet in the query. */
export function listInvites(
  world: World,
  list: 'pending-invites' | 'invite-history',
  address: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return world.ask(`/send/v1/${list}?${new URLSearchParams({ address, ...query })}`);
}

/** Returns the invite of an account in an answer, or null if it is not there. */
export function findInvite({ json }: Answer, invite: string): Json {
  const listed: readonly Json[] = json?.invites ?? [];
  return listed.find(({ invite_pda }) => invite_pda === invite) ?? null;
}

/** Checks that a transaction is of version 0, that these sign it in this order, and that the place of each signature is empty. */
export function isUnsignedFor(transaction: string, signers: readonly string[]): boolean {
  const decoded = decodeTransaction(transaction);
  const { version, transaction: parsed } = decoded;
  const wire = Buffer.from(transaction, 'base64');
  const empty = wire.subarray(1, 1 + 64 * signers.length).every((byte) => byte === 0);
  return (
    version === 0 &&
    wire[0] === signers.length &&
    empty &&
    `${Object.keys(parsed.signatures)}` === `${signers}`
  );
}

export async function readLamports({ rpc }: World, address: string): Promise<bigint> {
  return (await rpc.getBalance(kit.address(address), { commitment: 'confirmed' }).send()).value;
}

/** Returns what the associated account of an owner holds, in base units; 0 if there is none. */
export async function readTokens({ rpc }: World, owner: string, mint: string): Promise<bigint> {
  const account = kit.address(await associatedAccount(owner, mint));
  const config = { commitment: 'confirmed', encoding: 'base64' } as const;
  const found = (await rpc.getAccountInfo(account, config).send()).value;
  return found === null ? 0n : Buffer.from(found.data[0], 'base64').readBigUInt64LE(64);
}

/** Checks that an answer is a 400 whose body has nothing but `error`, and what it says. */
export function refusal(answer: Answer, error: string | RegExp): string | null {
  const { status, json } = answer;
  const said = json?.error;
  const says = typeof error === 'string' ? said === error : typeof said === 'string' && error.test(said);
  return status === 400 && Object.keys(json).length === 1 && says ? null : shown(answer);
}

/** Returns the names of the fields of a body, in the order of the alphabet. */
export function namesOf(json: Json): string {
  return Object.keys(json ?? {})
    .sort()
    .join();
}

/** Returns JSON with bigints as text. */
export function asText(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
}
