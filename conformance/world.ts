import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as kit from '@solana/kit';
import type { Answer } from './answer.ts';
import type { RunningInstance } from './instance.ts';

export interface AskOptions {
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, under the content type of JSON, in place of `body`. */
  readonly text?: string | undefined;
  /** The port that is asked. Default: the REST port. */
  readonly base?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The API key. Default: one of a plan whose limits the statements do not reach. Null: no key. */
  readonly key?: string | null;
}

/** A running instance as its clients and its operator reach it. */
export interface World {
  readonly restUrl: string;
  readonly adminUrl: string;
  /** The port at whose root transactions are landed. */
  readonly landingUrl: string;
  readonly rpc: kit.Rpc<kit.SolanaRpcApi>;
  readonly grpcAddress: string;
  /** The funded demo wallet. */
  readonly wallet: kit.KeyPairSigner;
  readonly ask: (path: string, options?: AskOptions) => Promise<Answer>;
  /** Asks the admin interface, as the operator unless a credential of a member is given. */
  readonly admin: (method: string, path: string, body?: unknown, credential?: string) => Promise<Answer>;
  /** Makes an organisation of the plan `pro` with the team `team`, and gives a key of that team. */
  readonly newOrganisation: () => Promise<{
    readonly slug: string;
    readonly team: string;
    readonly key: string;
  }>;
  /** Makes a wallet and gives it lamports from the faucet. */
  readonly newWallet: (lamports?: bigint) => Promise<kit.KeyPairSigner>;
}

/** @throws {Error} if the instance refuses an organisation, a team or a key */
export async function openWorld(instance: RunningInstance): Promise<World> {
  const wallet = await kit.createKeyPairSignerFromBytes(
    Uint8Array.from(JSON.parse(readFileSync(instance.walletFile, 'utf8'))),
  );
  const admin: World['admin'] = (method, path, body, credential = instance.operatorCredential) =>
    request(`${instance.adminUrl}${path}`, method, asJson(body), { authorization: `Bearer ${credential}` });

  const postToAdmin = async (path: string, body: unknown) => {
    const answer = await admin('POST', path, body);
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return answer.json;
  };
  const newOrganisation: World['newOrganisation'] = async () => {
    const slug = `conformance-${randomBytes(4).toString('hex')}`;
    await postToAdmin('/admin/v1/organisations', { slug, plan: 'pro' });
    await postToAdmin(`/admin/v1/organisations/${slug}/teams`, { slug: 'team' });
    const { key } = await postToAdmin(`/admin/v1/organisations/${slug}/teams/team/keys`, { name: 'key' });
    return { slug, team: 'team', key };
  };

  const rpc = kit.createSolanaRpc(instance.rpcUrl);
  const heldBy = async (wallet: kit.Address) =>
    (await rpc.getBalance(wallet, { commitment: 'confirmed' }).send()).value;
  const { key: defaultKey } = await newOrganisation();
  return {
    restUrl: instance.restUrl,
    adminUrl: instance.adminUrl,
    landingUrl: instance.landingUrl,
    grpcAddress: instance.grpcAddress,
    rpc,
    wallet,
    admin,
    newOrganisation,
    ask: (path, options = {}) => {
      const { method = 'GET', body, text = asJson(body), headers = {}, key = defaultKey } = options;
      return request(`${options.base ?? instance.restUrl}${path}`, method, text, {
        ...headers,
        ...(key === null ? {} : { 'x-api-key': key }),
      });
    },
    newWallet: async (lamports = 1_000_000_000n) => {
      const signer = await kit.generateKeyPairSigner();
      if (lamports > 0n) {
        await rpc.requestAirdrop(signer.address, kit.lamports(lamports), { commitment: 'confirmed' }).send();
        for (let tries = 0; tries < 100 && (await heldBy(signer.address)) < lamports; tries++) {
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
      return signer;
    },
  };
}

async function request(
  url: string,
  method: string,
  body: string | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

function asJson(body: unknown): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
