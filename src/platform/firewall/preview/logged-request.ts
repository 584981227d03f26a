import { LOGGED_LENGTHS, REDACTED, type RequestEntry } from '../../traffic/log/request-entry.ts';
import type { FirewallRequest } from '../evaluate.ts';
import { formatIp, parseIp } from '../ip-address.ts';
import { type IpNetwork, parseEnclosingNetwork } from '../networks.ts';

/** A text of which the log may have kept only the beginning. */
export interface KnownText {
  readonly text: string;
  /** Whether nothing follows `text`. */
  readonly isWhole: boolean;
}

/** A request of the log as rules judge it, with what the log does not know of it. */
export interface LoggedRequest extends FirewallRequest {
  readonly knownPath: KnownText;
  /** The name of the key now; null if the key was deleted, so that nobody knows which name it had. */
  readonly knownKey: string | null;
  /** The /64 network of an IPv6 address, which is not logged itself; null for every other client. */
  readonly network: IpNetwork | null;
  /** Headers that the log keeps, by their names in lower case. Of any other header nothing is known. */
  readonly knownHeaders: ReadonlyMap<string, KnownText>;
}

/**
 * Reads what rules would have judged from an entry of the log.
 *
 * @param keyName - The name of the request's key now; null if the key was deleted.
 */
export function parseLoggedRequest(entry: RequestEntry, keyName: string | null): LoggedRequest {
  const { method, country, client } = entry;
  const knownPath = parseLoggedPath(entry);
  const network = client.endsWith('/64') ? parseEnclosingNetwork(client) : null;
  const userAgent = parseLoggedText(entry.userAgent, LOGGED_LENGTHS.userAgent);
  const host = parseLoggedText(entry.host, LOGGED_LENGTHS.host);
  return {
    path: knownPath.text,
    method,
    key: keyName ?? '',
    country,
    // Of an IPv6 address the first one of its network stands for all, unless a condition would tell them apart.
    ip: network?.first ?? parseIp(client),
    headers: toSentHeaders({ 'user-agent': userAgent, host }),
    knownPath,
    knownKey: keyName,
    network,
    knownHeaders: new Map([
      ['user-agent', userAgent],
      ['host', host],
      ['referer', parseLoggedReferrer(entry.referrer)],
    ]),
  };
}

/** A byte outside ASCII: the log writes one that was sent as it is like one that was sent percent-encoded. */
const BEYOND_ASCII = /%[89a-f][\da-f]/i;

/**
 * Returns the path that rules judge. The log keeps the path as it was sent; rules judge it as the router decoded it. That is
 * the path of the route itself, if the route has no parameters.
 */
function parseLoggedPath({ path, endpoint }: RequestEntry): KnownText {
  if (endpoint !== '' && !/[:*]/.test(endpoint)) return { text: endpoint, isWhole: true };
  const cuts = [path.indexOf(REDACTED), path.search(BEYOND_ASCII)].filter((index) => index >= 0);
  const known = path.slice(0, Math.min(...cuts, path.length));
  const isWhole = cuts.length === 0 && path.length < LOGGED_LENGTHS.path;
  // The end of a path that was cut may be the beginning of an escape.
  return { text: decodeOnce(isWhole ? known : known.replace(/%[\da-f]?$/i, '')), isWhole };
}

function decodeOnce(path: string): string {
  try {
    return path.includes('%') ? decodeURIComponent(path) : path;
  } catch {
    return path;
  }
}

/** Reads a header that the log keeps as it was sent, but for secrets and characters outside printable ASCII. */
function parseLoggedText(logged: string, maxLength: number): KnownText {
  const cuts = [logged.indexOf(REDACTED), logged.indexOf('%')].filter((index) => index >= 0);
  if (cuts.length > 0) return { text: logged.slice(0, Math.min(...cuts)), isWhole: false };
  return { text: logged, isWhole: logged.length < maxLength };
}

/** The log keeps neither the query nor the user of a referrer, so any text with this beginning may have been sent. */
function parseLoggedReferrer(logged: string): KnownText {
  if (logged === '') return { text: '', isWhole: true };
  const scheme = /^[a-z][a-z\d+.-]{0,20}:\/\//i.exec(logged);
  return { text: scheme?.[0] ?? '', isWhole: false };
}

/** Returns the headers that are known as a whole and were sent. */
function toSentHeaders(known: Readonly<Record<string, KnownText>>): FirewallRequest['headers'] {
  const sent = Object.entries(known).filter(([, { text, isWhole }]) => isWhole && text !== '');
  return new Map(sent.map(([name, { text }]) => [name, [text]]));
}

/** Names the facts that rules can judge, so that equal requests are judged once. */
export function toFactsKey({
  knownPath,
  method,
  knownKey,
  country,
  ip,
  knownHeaders,
}: LoggedRequest): string {
  const address = ip === null ? null : formatIp(ip);
  const headers = [...knownHeaders.values()].flatMap(({ text, isWhole }) => [text, isWhole]);
  return JSON.stringify([knownPath.text, knownPath.isWhole, method, knownKey, country, address, headers]);
}
