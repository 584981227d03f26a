import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { requireRecord } from '../../../chain/records/account-json.ts';
import { type PostLimits, sendJson } from '../../../common/bounded-post.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import type { Config } from '../../../config/config.ts';
import { renderTable } from '../../../config/render.ts';
import { readInstanceUrls } from '../../../data-folder/instance-file.ts';
import { parseAddress } from '../../../solana/address.ts';
import { sendPinned } from '../../admin-client/pinned-request.ts';
import { resolveInstanceUrl } from '../../admin-client/point-at-instance.ts';
import { awaitInstance } from '../../admin-client/running-instance.ts';
import type { Command } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';

const LIMITS: PostLimits = { timeoutMs: 30_000, maxBytes: 16 * 1024 * 1024 };
const UNAUTHORIZED = 401;
const HEAD = ['platform', 'position', 'what', 'dollars'];
/** The maximum number of assets that a line names. The others are counted. */
const MAX_NAMED = 4;

export const portfolioCommand: Command = {
  name: 'portfolio',
  summary: 'List what a wallet holds, owes and has open, with its worth in dollars.',
  words: ['wallet'],
  settings: ['host', 'rest-port', 'tls-cert', 'tls-key', 'data-dir'],
  flags: [
    {
      name: 'key-file',
      allowed: 'the path of a file',
      description: 'File with an API key, which the command sends. Default: no key is sent.',
    },
  ],
  run: async ({ config, words: [text = ''], flags, cwd, write }) => {
    const wallet = parseAddress(text);
    if (wallet === null) {
      throw new UsageError(`the wallet is ${formatForError(text)}, but must be base58 of 32 bytes`);
    }
    const keyFile = flags.get('key-file');
    const key = keyFile === undefined ? null : readKey(resolve(cwd, keyFile));
    const answer = await requestPositions(config, wallet, key);
    write(renderPortfolio(answer));
    return 0;
  },
};

/**
 * Reads an API key from a file.
 *
 * @throws OperatorError when the file cannot be read, or does not contain a key.
 */
function readKey(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`the file of --key-file cannot be read: ${reason}`);
  }
  if (/^[\x21-\x7e]{1,200}$/.test(text)) return text;
  throw new OperatorError(
    `the file of --key-file, ${path}, holds ${text.length} characters, but a key is 1 to 200 visible ASCII characters`,
  );
}

async function requestPositions(
  { host, restPort, dataDir, transport: { restCertificate } }: Config,
  wallet: string,
  key: string | null,
): Promise<Record<string, unknown>> {
  const place = { host, port: restPort };
  // With a certificate to trust, a key is never sent without TLS, whatever the instance wrote.
  const written = restCertificate === null ? readInstanceUrls(dataDir)?.rest : undefined;
  const origin = resolveInstanceUrl(written, restCertificate, place);
  const url = new URL(`/portfolio/v1/positions/${wallet}`, origin);
  const headers = key === null ? {} : { 'x-api-key': key };
  const { status, text } = await awaitInstance(
    restCertificate === null
      ? sendJson(url, 'GET', null, { ...LIMITS, headers })
      : sendPinned(url, { method: 'GET', body: null, headers, certificateFile: restCertificate }, LIMITS),
    ['rest-port', 'host', 'tls-cert'],
  );
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new OperatorError(`${url.origin} answered HTTP ${status} without JSON: ${formatForError(text)}`);
  }
  const answer = requireRecord(parsed, `the answer of ${url.origin}`);
  if (status === 200) return answer;
  if (status === UNAUTHORIZED) {
    throw new OperatorError(
      key === null
        ? 'the instance wants an API key; give the file of one with --key-file'
        : 'the instance does not know the API key of --key-file, or it was revoked; make one with sluice key create',
    );
  }
  throw new OperatorError(
    `the instance refused: ${String(answer.error ?? answer.message ?? `HTTP ${status}`)}`,
  );
}

/** Returns a line for each element, one for the sum, and one for each fetcher that failed. */
function renderPortfolio({ elements, fetcherReports, tokenInfo }: Record<string, unknown>): string {
  const symbols = readTokenSymbols(tokenInfo);
  const found = toRecords(elements);
  const rows = found.map((element) => [
    String(element.platformId),
    [element.label, element.name].filter((part) => part !== undefined).join(' '),
    formatTokenNames(element.data, symbols),
    dollars(element.value),
  ]);
  const total = found.reduce((sum, { value }) => sum + (typeof value === 'number' ? value : 0), 0);
  const failed = toRecords(fetcherReports).filter(({ status }) => status === 'failed');
  const notes = failed.map(({ id, error }) => `${formatForError(id)} failed: ${formatForError(error)}\n`);
  return `${renderTable([HEAD, ...rows, ['', '', 'sum', dollars(total)]])}${notes.join('')}`;
}

function readTokenSymbols(tokenInfo: unknown): ReadonlyMap<string, string> {
  const { solana } = requireRecord(tokenInfo, 'tokenInfo');
  return new Map(
    Object.entries(requireRecord(solana, 'tokenInfo.solana')).map(([mint, token]) => [
      mint,
      String(requireRecord(token, mint).symbol),
    ]),
  );
}

/** Returns the names of the tokens in an element of any type. */
function formatTokenNames(data: unknown, symbols: ReadonlyMap<string, string>): string {
  const named = [...new Set(addressesIn(data).flatMap((address) => symbols.get(address) ?? []))];
  const more = named.length - MAX_NAMED;
  return `${named.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function addressesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    typeof each === 'string' ? (/^(address|\w+Address)$/.test(name) ? [each] : []) : addressesIn(each),
  );
}

function dollars(value: unknown): string {
  return typeof value === 'number' ? value.toFixed(2) : 'unknown';
}

function toRecords(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value)
    ? value.map((each, index) => ({ ...requireRecord(each, `element ${index}`) }))
    : [];
}
