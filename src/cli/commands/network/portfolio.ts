import { resolve } from 'node:path';
import { requireRecord } from '../../../chain/records/account-json.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { renderTable } from '../../../config/render.ts';
import { parseAddress } from '../../../solana/address.ts';
import { callRest, KEY_FILE_FLAG, readApiKey, REST_SETTINGS } from '../../instance-client/rest-call.ts';
import type { Command } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';

const HEAD = ['platform', 'position', 'what', 'dollars'];
/** The maximum number of assets that a line names. The others are counted. */
const MAX_NAMED = 4;

export const portfolioCommand: Command = {
  name: 'portfolio',
  summary: 'List what a wallet holds, owes and has open, with its worth in dollars.',
  words: ['wallet'],
  settings: REST_SETTINGS,
  flags: [KEY_FILE_FLAG],
  run: async ({ config, words: [text = ''], flags, cwd, write }) => {
    const wallet = parseAddress(text);
    if (wallet === null) {
      throw new UsageError(`the wallet is ${formatForError(text)}, but must be base58 of 32 bytes`);
    }
    const keyFile = flags.get(KEY_FILE_FLAG.name);
    const key = keyFile === undefined ? null : readApiKey(resolve(cwd, keyFile));
    const path = `/portfolio/v1/positions/${wallet}`;
    write(renderPortfolio(await callRest(config, { path, body: null, key })));
    return 0;
  },
};

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
