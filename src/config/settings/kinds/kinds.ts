import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { Type } from 'typebox';
import { address as toSolanaAddress, parseAddress } from '../../../solana/address.ts';
import { setting } from './setting.ts';

/**
 * A setting that is a whole number.
 *
 * @param usual - The default.
 * @param description - One or more sentences for `--help` and docs/configuration.md.
 */
export function whole(usual: number, minimum: number, maximum: number, description: string) {
  return setting(Type.Integer({ minimum, maximum, default: usual, description }), {
    allowed: `a whole number from ${minimum} to ${maximum}`,
  });
}

/** @param what - Completes the description "Milliseconds ...", without its full stop. */
export function milliseconds(usual: number, minimum: number, maximum: number, what: string) {
  return whole(usual, minimum, maximum, `Milliseconds ${what}.`);
}

/** @param description - Without its full stop; "0: any free port." is added. */
export function port(usual: number, description: string) {
  return whole(usual, 0, 65_535, `${description}. 0: any free port.`);
}

export function onOrOff(usual: boolean, description: string) {
  return setting(Type.Boolean({ default: usual, description }), { allowed: 'true or false' });
}

export function host(description: string) {
  return setting(Type.String({ default: '127.0.0.1', description }), {
    allowed: 'an IP address or localhost',
    accepts: (text) => isIP(text) !== 0 || text === 'localhost',
  });
}

/**
 * An address and a port, which are empty by default.
 *
 * @param description - Completes "IP address and port".
 * @param example - Text that begins with "such as".
 */
export function address(description: string, example: string) {
  return setting(Type.String({ default: '', description: `IP address and port ${description}` }), {
    allowed: `an IP address and a port, ${example}`,
    accepts: (text) => text === '' || splitAddress(text) !== null,
    convert: splitAddress,
  });
}

/**
 * Returns the parts of `ADDRESS:PORT`, without the brackets of an IPv6 address; null when the text has another form.
 */
export function splitAddress(text: string): { readonly host: string; readonly port: number } | null {
  const [, v6, v4, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = v6 ?? v4 ?? '';
  const number = Number(digits);
  return isIP(host) === (v6 === undefined ? 4 : 6) && number <= 65_535 ? { host, port: number } : null;
}

/** A path, which is empty by default; then its field is null. */
export function file(description: string) {
  return setting(Type.String({ default: '', description: `${description} Empty: none.` }), {
    allowed: 'the path of a file',
    convert: (path, cwd) => (path === '' ? null : resolve(cwd, path)),
  });
}

/** The address of a wallet, which is empty by default; then its field is null. */
export function wallet(description: string) {
  return setting(Type.String({ default: '', description }), {
    allowed: 'the address of a wallet',
    accepts: (text) => text === '' || parseAddress(text) !== null,
    convert: (text) => (text === '' ? null : toSolanaAddress(text)),
  });
}

/** Converts a text for its field: an empty one becomes null. */
export function toTextOrNull(text: string): string | null {
  return text === '' ? null : text;
}

/** The schema of a setting that can be given several times. */
export function repeatable(description: string, maxItems = 1_000) {
  return Type.Array(Type.String(), {
    maxItems,
    default: [],
    description: `${description} Repeatable.`,
  });
}

/** @param protocols - Protocols with their colons, such as `https:`. */
export function isUrlWithProtocol(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

export function isHttpUrl(text: string): boolean {
  return isUrlWithProtocol(text, ['http:', 'https:']);
}
