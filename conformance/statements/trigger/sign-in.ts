import * as kit from '@solana/kit';
import { type Answer, difference, firstOf, shown, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import type { World } from '../../world.ts';
import { decodeTransaction, signTransaction } from '../transactions.ts';

const TRIGGER = '/trigger/v2';
const JWT = /^[\w-]{16,}\.[\w-]{16,}\.[\w-]{16,}$/;

/** A wallet that has signed in. */
export interface SignedIn {
  readonly wallet: kit.KeyPairSigner;
  /** Sends a GET, or with a body a POST. */
  readonly ask: (path: string, body?: object) => Promise<Answer>;
  /** Sends a request without a body, and without a content type. */
  readonly send: (method: string, path: string) => Promise<Answer>;
  readonly patch: (path: string, body: object) => Promise<Answer>;
}

function post(world: World, path: string, body: object): Promise<Answer> {
  return world.ask(`${TRIGGER}${path}`, { method: 'POST', body });
}

async function verify(world: World, wallet: kit.KeyPairSigner, changes: object = {}): Promise<Answer> {
  const who = { walletPubkey: wallet.address, type: 'message' };
  const { json } = await post(world, '/auth/challenge', who);
  const signature = await signText(wallet, json.challenge);
  return post(world, '/auth/verify', { ...who, signature, ...changes });
}

// biome-ignore lint/suspicious/noExplicitAny: a part of a token may have any shape, and a wrong one is a finding.
function readPart(part: string): any {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return null;
  }
}

async function signText(wallet: kit.KeyPairSigner, text: string): Promise<string> {
  return kit.getBase58Decoder().decode(await kit.signBytes(wallet.keyPair.privateKey, Buffer.from(text)));
}

/** Makes a wallet with SOL and signs it in. */
export async function signIn(world: World): Promise<SignedIn> {
  const wallet = await world.newWallet();
  const { json } = await verify(world, wallet);
  const headers = { authorization: `Bearer ${json.token}` };
  const request = (method: string, path: string, body?: object) =>
    world.ask(`${TRIGGER}${path}`, { headers, method, ...(body === undefined ? {} : { body }) });
  return {
    wallet,
    ask: (path, body) => request(body === undefined ? 'GET' : 'POST', path, body),
    send: request,
    patch: (path, body) => request('PATCH', path, body),
  };
}

export const triggerSignInStatements: readonly Statement[] = [
  {
    id: 'trigger/challenge',
    says: 'A challenge is one printable line that begins as wallets expect it and names the wallet.',
    check: async (world) => {
      const { json } = await post(world, '/auth/challenge', {
        walletPubkey: world.wallet.address,
        type: 'message',
      });
      const begins = `Sign this message to authenticate with Jupiter that you are the owner of ${world.wallet.address}`;
      const text: string = json?.challenge ?? '';
      const isLine = text.startsWith(begins) && /^[ -~]+$/.test(text) && text.length <= 4_096;
      return unless(json?.type === 'message' && isLine, json);
    },
  },
  {
    id: 'trigger/sign-in',
    says: 'The signature of the text, in base58, is answered with a token in three parts.',
    check: async (world) => {
      const answer = await verify(world, world.wallet);
      return unless(answer.status === 200 && JWT.test(answer.json?.token), shown(answer));
    },
  },
  {
    id: 'trigger/sign-in-transaction',
    says: 'A wallet that signs no texts signs a transaction with a memo, for which it would pay, and sends it back in base64.',
    check: async (world) => {
      const { wallet } = world;
      const who = { walletPubkey: wallet.address, type: 'transaction' };
      const { json } = await post(world, '/auth/challenge', who);
      const { feePayer, signers } = decodeTransaction(json.transaction);
      const signedTransaction = await signTransaction(json.transaction, wallet);
      const answer = await post(world, '/auth/verify', { ...who, signedTransaction });
      return firstOf(
        unless(json.type === 'transaction' && feePayer === wallet.address && signers === 1, json),
        unless(answer.status === 200 && JWT.test(answer.json?.token), shown(answer)),
      );
    },
  },
  {
    id: 'trigger/challenge-once',
    says: 'A challenge is used once: a second time it is 400 `Challenge not found`.',
    check: async (world) => {
      const wallet = await world.newWallet(0n);
      const who = { walletPubkey: wallet.address, type: 'message' };
      const { json } = await post(world, '/auth/challenge', who);
      const signed = { ...who, signature: await signText(wallet, json.challenge) };
      const first = await post(world, '/auth/verify', signed);
      const second = await post(world, '/auth/verify', signed);
      return firstOf(
        difference(first, { status: 200 }),
        difference(second, { status: 400, body: { error: 'Challenge not found' } }),
      );
    },
  },
  {
    id: 'trigger/wrong-signature',
    says: 'The signature of another text is 401.',
    check: async (world) => {
      const wallet = await world.newWallet(0n);
      const who = { walletPubkey: wallet.address, type: 'message' };
      await post(world, '/auth/challenge', who);
      const signature = await signText(wallet, 'something else');
      return difference(await post(world, '/auth/verify', { ...who, signature }), { status: 401 });
    },
  },
  {
    id: 'trigger/challenge-kind',
    says: 'A challenge of another type than `message` and `transaction` is 400 with `error` and `details`.',
    check: async (world) => {
      const answer = await post(world, '/auth/challenge', {
        walletPubkey: world.wallet.address,
        type: 'telepathy',
      });
      const isShaped =
        answer.json?.error === 'Request validation failed' && typeof answer.json.details?.type === 'string';
      return answer.status === 400 && isShaped ? null : shown(answer);
    },
  },
  {
    id: 'trigger/unauthorized',
    says: 'Without a token, and with one that is none, the answer is 401 `{"error":"Unauthorized"}`.',
    check: async (world) => {
      const expected = { status: 401, body: { error: 'Unauthorized' } };
      const headers = { authorization: 'Bearer e30.e30.e30' };
      return firstOf(
        difference(await world.ask(`${TRIGGER}/vault`), expected),
        difference(await world.ask(`${TRIGGER}/orders/history`, { headers }), expected),
      );
    },
  },
  {
    id: 'trigger/without-key',
    says: 'A valid token alone is served, without an API key.',
    check: async (world) => {
      const { json } = await verify(world, world.wallet);
      const headers = { authorization: `Bearer ${json.token}` };
      return difference(await world.ask(`${TRIGGER}/orders/history`, { headers, key: null }), {
        status: 200,
      });
    },
  },
  {
    id: 'trigger/challenge-time',
    says: 'The text of a challenge names when it ends, five minutes from now.',
    check: async (world) => {
      const asked = { walletPubkey: world.wallet.address, type: 'message' };
      const { json } = await post(world, '/auth/challenge', asked);
      const [, time = ''] =
        /This challenge expires at (\S+) with the nonce of \S+$/.exec(json?.challenge) ?? [];
      return unless(Math.abs(Date.parse(time) - Date.now() - 300_000) < 30_000, json);
    },
  },
  {
    id: 'trigger/challenge-unknown',
    says: 'A signature without a challenge is 400 `Challenge not found`.',
    check: async (world) => {
      const wallet = await world.newWallet(0n);
      const signature = await signText(wallet, 'any text');
      const answer = await post(world, '/auth/verify', {
        walletPubkey: wallet.address,
        type: 'message',
        signature,
      });
      return difference(answer, { status: 400, body: { error: 'Challenge not found' } });
    },
  },
  {
    id: 'trigger/token',
    says: 'A token is a JWT of the kind HS256, for 24 hours; `authMode` beside it says how the wallet signed in.',
    check: async (world) => {
      const { json } = await verify(world, world.wallet);
      const [header, claims] = `${json?.token}`.split('.').map(readPart);
      const hours = (claims?.exp - Date.now() / 1_000) / 3_600;
      return unless(header?.alg === 'HS256' && Math.abs(hours - 24) < 0.1 && json.authMode === 'message', {
        header,
        claims,
        json,
      });
    },
  },
  {
    id: 'trigger/access-token',
    says: '`"authMode": "access_refresh"` is answered with `accessToken` and `expiresAt`, 15 minutes from now, and the token is served.',
    check: async (world) => {
      const answer = await verify(world, world.wallet, { authMode: 'access_refresh' });
      const { accessToken, expiresAt } = answer.json ?? {};
      const headers = { authorization: `Bearer ${accessToken}` };
      return firstOf(
        unless(Math.abs(Date.parse(expiresAt) - Date.now() - 900_000) < 30_000, shown(answer)),
        difference(await world.ask(`${TRIGGER}/orders/history`, { headers }), { status: 200 }),
      );
    },
  },
  {
    id: 'trigger/sign-in-body',
    says: 'A body that does not fit is 400 `Request validation failed`, with a sentence for each field in `details`.',
    check: async (world) => {
      const answer = await post(world, '/auth/challenge', { type: 'message' });
      return firstOf(
        difference(answer, { status: 400, body: { error: 'Request validation failed' } }),
        unless(typeof answer.json?.details?.walletPubkey === 'string', answer.json),
      );
    },
  },
  {
    id: 'trigger/gateway-errors',
    says: 'An API key that does not exist is refused in the form of the gateway, `{code, message}`.',
    check: async (world) => {
      const answer = await world.ask(`${TRIGGER}/vault`, { key: '00000000-0000-4000-8000-000000000000' });
      const { code, message } = answer.json ?? {};
      return unless(answer.status === 401 && code === 401 && typeof message === 'string', shown(answer));
    },
  },
  {
    id: 'trigger/vault',
    says: 'A wallet has no vault (404) until it registers one, also by GET; a second time is 409 with the vault in `details`.',
    check: async (world) => {
      const { wallet, ask } = await signIn(world);
      const none = await ask('/vault');
      const made = await ask('/vault/register');
      const again = await ask('/vault/register', {});
      const found = await ask('/vault');
      const { vaultPubkey } = made.json ?? {};
      return firstOf(
        difference(none, { status: 404, body: { error: 'Vault not found' } }),
        difference(made, { status: 200, body: { userPubkey: wallet.address } }),
        difference(again, { status: 409, body: { error: 'Vault already registered' } }),
        unless(again.json?.details?.vaultPubkey === vaultPubkey, again.json),
        difference(found, { status: 200, body: { vaultPubkey, privyVaultId: made.json?.privyVaultId } }),
      );
    },
  },
];
