import type { Account } from '../chain/chain.ts';
import type { Address } from '../solana/address.ts';
import { accountOfJson, asRecord } from './account-json.ts';
import { parseAccountJson } from './exact-json.ts';
import { LoadError } from './load-error.ts';

/** Somewhere that accounts can be copied from. */
export interface AccountSource {
  /** Where this is, for messages: without the path and query of a URL, which may hold a key. */
  readonly origin: string;
  /** In the order of `addresses`; null for what does not exist. Each hundred are read at one slot. @throws LoadError */
  read(addresses: readonly Address[]): Promise<(Account | null)[]>;
}

export interface RpcSourceOptions {
  /** For one request, its answer included. */
  readonly timeoutMs?: number;
  /** Longest answer, in bytes of JSON. */
  readonly maxResponseBytes?: number;
}

/** As many as RPC nodes take in one `getMultipleAccounts`. */
const BATCH = 100;
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_RESPONSE = 128 * 1024 * 1024;

/** Reads from a Solana JSON-RPC over HTTP. @throws LoadError for a URL with a user name in it. */
export function rpcAccountSource(url: URL, options: RpcSourceOptions = {}): AccountSource {
  const { origin } = url;
  if (url.username !== '' || url.password !== '') {
    throw new LoadError(`the URL of the RPC at ${origin} has a user name or password in it; give it without`);
  }
  const limits = {
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxBytes: options.maxResponseBytes ?? DEFAULT_MAX_RESPONSE,
  };
  return {
    origin,
    async read(addresses) {
      const accounts: (Account | null)[] = [];
      for (let from = 0; from < addresses.length; from += BATCH) {
        const batch = addresses.slice(from, from + BATCH);
        accounts.push(...accountsOf(await post(url, requestFor(batch), limits), batch, origin));
      }
      return accounts;
    },
  };
}

function requestFor(addresses: readonly Address[]): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'getMultipleAccounts',
    params: [addresses, { encoding: 'base64', commitment: 'confirmed' }],
  });
}

function accountsOf(body: string, addresses: readonly Address[], origin: string): (Account | null)[] {
  let json: unknown;
  try {
    json = parseAccountJson(body);
  } catch {
    throw new LoadError(
      `${origin} answered with something that is not JSON: ${JSON.stringify(body.slice(0, 100))}`,
    );
  }
  const answer = asRecord(json, `the answer of ${origin}`);
  if (answer.error !== undefined) {
    throw new LoadError(`${origin} refused to give accounts: ${JSON.stringify(answer.error).slice(0, 300)}`);
  }
  const { value } = asRecord(answer.result, `${origin}: result`);
  if (!Array.isArray(value) || value.length !== addresses.length) {
    throw new LoadError(
      `${origin} was asked for ${addresses.length} accounts, but result.value is no array of as many`,
    );
  }
  return addresses.map((address, index) => {
    const account: unknown = value[index];
    return account === null ? null : accountOfJson(account, `${address} from ${origin}`);
  });
}

interface Limits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

async function post(url: URL, body: string, { timeoutMs, maxBytes }: Limits): Promise<string> {
  const { origin } = url;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await readBounded(response, maxBytes, origin);
    if (!response.ok) {
      throw new LoadError(
        `${origin} answered HTTP ${response.status}: ${JSON.stringify(text.slice(0, 200))}`,
      );
    }
    return text;
  } catch (error) {
    if (error instanceof LoadError) throw error;
    throw new LoadError(`${origin} cannot be reached: ${reasonOf(error, timeoutMs)}`);
  }
}

async function readBounded(response: Response, maxBytes: number, origin: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) {
      throw new LoadError(
        `the answer of ${origin} is longer than ${maxBytes} bytes; copy fewer accounts at a time`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length).toString('utf8');
}

/** `fetch` puts what happened into `cause`, and says of itself only that it failed. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
