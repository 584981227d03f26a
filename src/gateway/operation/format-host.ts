/** A label of a host that is as long as this may be a key: some providers put it in front of their domain. */
const MIN_KEY = 20;
const KEY_CHARACTERS = /^[0-9a-z]{8,}(?:-?[0-9a-z]+)*$/i;

/**
 * Returns the host of a URL as pages may show it. The key of an RPC is in its path, its query or its user information, which are
 * never shown, and with some providers in the first label of its host.
 *
 * @example
 * ```ts
 * import { formatHost } from './format-host.ts';
 *
 * formatHost(new URL('https://user:secret@rpc.example.com/v2/abcdef?api-key=123')); // 'rpc.example.com'
 * ```
 */
export function formatHost({ hostname, port }: Pick<URL, 'hostname' | 'port'>): string {
  const labels = hostname.split('.');
  const masked = labels.map((label, index) =>
    labels.length > 2 && index < labels.length - 2 && mayBeKey(label) ? '…' : label,
  );
  return `${masked.join('.')}${port === '' ? '' : `:${port}`}`;
}

/** Words are letters with hyphens in between; a key has digits among its letters, and is long. */
function mayBeKey(label: string): boolean {
  const longest = Math.max(...label.split('-').map(({ length }) => length));
  const isLong = label.length >= MIN_KEY && /\d/.test(label);
  return KEY_CHARACTERS.test(label) && (isLong || longest >= MIN_KEY);
}
