import * as kit from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { firstOf, unless } from '../answer.ts';
import type { Statement } from '../statement.ts';
import type { World } from '../world.ts';

const AGGREGATOR = kit.address('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4');
const MIN_TIP = 1_000_000n;
const CONFIG = { encoding: 'base64', skipPreflight: true, maxRetries: 0 };
const NO_TIP = 'Transaction must include a Jupiter tip instruction';

/** One of the 16 accounts that tips are paid to. */
async function tipAccount(): Promise<kit.Address> {
  const seeds = ['authority', new Uint8Array([3])];
  const [account] = await kit.getProgramDerivedAddress({ programAddress: AGGREGATOR, seeds });
  return account;
}

/** A transaction of the demo wallet that pays these lamports to the receiver. Default: to a tip account. */
async function transfer({ rpc, wallet }: World, lamports: bigint, receiver?: string): Promise<string> {
  const { value: blockhash } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
  const instruction = getTransferSolInstruction({
    source: wallet,
    destination: receiver === undefined ? await tipAccount() : kit.address(receiver),
    amount: kit.lamports(lamports),
  });
  const message = kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    (each) => kit.setTransactionMessageFeePayerSigner(wallet, each),
    (each) => kit.setTransactionMessageLifetimeUsingBlockhash(blockhash, each),
    (each) => kit.appendTransactionMessageInstruction(instruction, each),
  );
  return kit.getBase64EncodedWireTransaction(await kit.signTransactionMessageWithSigners(message));
}

/** Posts a JSON-RPC request. */
function send({ ask }: World, params: unknown, request: object = {}) {
  const body = { jsonrpc: '2.0', id: 1, method: 'sendTransaction', params, ...request };
  return ask('/tx/v1', { method: 'POST', body });
}

/** Whether the answer has the error code, with status 200. */
async function refuses(world: World, params: unknown, code: number, request: object = {}) {
  const { status, json } = await send(world, params, request);
  return unless(status === 200 && json?.error?.code === code && typeof json.error.message === 'string', {
    status,
    json,
  });
}

/** Waits until the network has confirmed the transaction, for at most ten seconds. */
async function isConfirmed({ rpc }: World, signature: string): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    const { value } = await rpc.getSignatureStatuses([signature as kit.Signature]).send();
    if (value[0]?.confirmationStatus === 'confirmed' || value[0]?.confirmationStatus === 'finalized')
      return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

export const landingStatements: readonly Statement[] = [
  {
    id: 'landing/lands',
    says: 'A transaction with a tip of 1,000,000 lamports is answered with its first signature, and lands.',
    check: async (world) => {
      const { json } = await send(world, [await transfer(world, MIN_TIP), CONFIG]);
      return unless(typeof json?.result === 'string' && (await isConfirmed(world, json.result)), json);
    },
  },
  {
    id: 'landing/repeats',
    says: 'The same transaction again has the same answer.',
    check: async (world) => {
      const wire = await transfer(world, MIN_TIP + 1n);
      const [one, other] = [await send(world, [wire, CONFIG]), await send(world, [wire])];
      return unless(one.json?.result !== undefined && one.json.result === other.json?.result, other.json);
    },
  },
  {
    id: 'landing/ids',
    says: 'A string, a number or null as `id` comes back as it was.',
    check: async (world) => {
      const ids = ['7f0c', 123, null];
      const answers = await Promise.all(ids.map((id) => send(world, [], { id })));
      const seen = answers.map(({ json }) => json?.id);
      return unless(JSON.stringify(seen) === JSON.stringify(ids), seen);
    },
  },
  {
    id: 'landing/no-tip',
    says: '-1014 with the public text: no tip.',
    check: async (world) => {
      const wire = await transfer(world, MIN_TIP, world.wallet.address);
      const { json } = await send(world, [wire, CONFIG]);
      return unless(json?.error?.code === -1014 && json.error.message === NO_TIP, json);
    },
  },
  {
    id: 'landing/small-tip',
    says: '-1013: the tip is too small.',
    check: async (world) => refuses(world, [await transfer(world, MIN_TIP - 1n), CONFIG], -1013),
  },
  {
    id: 'landing/config',
    says: '-1015: `skipPreflight` false, or `maxRetries` other than 0; -1016: another encoding.',
    check: async (world) => {
      const wire = await transfer(world, MIN_TIP + 2n);
      return firstOf(
        await refuses(world, [wire, { ...CONFIG, skipPreflight: false }], -1015),
        await refuses(world, [wire, { ...CONFIG, maxRetries: 5 }], -1015),
        await refuses(world, [wire, { ...CONFIG, encoding: 'base58' }], -1016),
      );
    },
  },
  {
    id: 'landing/other-fields',
    says: 'Other fields of the configuration, such as `preflightCommitment`, are ignored.',
    check: async (world) => {
      const config = { ...CONFIG, preflightCommitment: 'processed', minContextSlot: 1, swqosOnly: true };
      const { json } = await send(world, [await transfer(world, MIN_TIP + 3n), config]);
      return unless(typeof json?.result === 'string', json);
    },
  },
  {
    id: 'landing/methods',
    says: '-32601: any other method; -1012: a method that the service keeps to itself.',
    check: async (world) =>
      (await refuses(world, [], -32_601, { method: 'getSlot' })) ??
      refuses(world, ['AA=='], -1012, { method: 'sendJitoBundle' }),
  },
  {
    id: 'landing/params',
    says: '-32602: parameters that are no transaction, or one with a missing or a wrong signature.',
    check: async (world) => {
      const wire = Buffer.from(await transfer(world, MIN_TIP + 4n), 'base64');
      const changed = (at: number, length: number, value: number) =>
        Buffer.from(wire)
          .fill(value, at, at + length)
          .toString('base64');
      return firstOf(
        await refuses(world, [], -32_602),
        await refuses(world, ['not base64'], -32_602),
        await refuses(world, [Buffer.alloc(1_300).toString('base64')], -32_602),
        await refuses(world, [changed(1, 64, 0)], -32_602),
        await refuses(world, [changed(1, 1, wire.readUInt8(1) ^ 1)], -32_602),
      );
    },
  },
  {
    id: 'landing/requests',
    says: '-32700: a body that is not JSON; -32600: a batch, or another version of JSON-RPC.',
    check: async (world) => {
      const answer = await fetch(`${world.restUrl}/tx/v1`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"jsonrpc":',
      });
      const json = await answer.json();
      const batch = await world.ask('/tx/v1', { method: 'POST', body: [] });
      const version = await send(world, [], { jsonrpc: '1.0' });
      const codes = [json, batch.json, version.json].map((each) => each?.error?.code);
      return unless(JSON.stringify(codes) === '[-32700,-32600,-32600]', codes);
    },
  },
  {
    id: 'landing/older-form',
    says: '`/tx/v1/submit` and `/swap/v2/submit` answer `signature`, and 400 with `error` without a tip.',
    check: async (world) => {
      const post = (path: string, signedTransaction: string) =>
        world.ask(path, { method: 'POST', body: { signedTransaction } });
      const wire = await transfer(world, MIN_TIP + 5n);
      const [one, other] = [await post('/tx/v1/submit', wire), await post('/swap/v2/submit', wire)];
      const tipless = await post('/tx/v1/submit', await transfer(world, 1n, world.wallet.address));
      return unless(
        typeof one.json?.signature === 'string' &&
          one.json.signature === other.json?.signature &&
          tipless.status === 400 &&
          tipless.json?.error === NO_TIP,
        [one.json, other.json, tipless.json],
      );
    },
  },
  {
    id: 'landing/browsers',
    says: 'Pages may post with `x-api-key`, `content-type` and `solana-client`.',
    check: async ({ restUrl }) => {
      const answer = await fetch(`${restUrl}/tx/v1`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://dapp.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type,solana-client,x-api-key',
        },
      });
      const allowed = (answer.headers.get('access-control-allow-headers') ?? '').toLowerCase();
      const isAllowed = ['content-type', 'solana-client', 'x-api-key'].every((name) =>
        allowed.includes(name),
      );
      return unless(isAllowed && answer.headers.has('access-control-allow-origin'), allowed);
    },
  },
];
