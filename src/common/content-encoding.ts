/**
 * Whether a header `content-encoding` says that the body is sent as it is.
 *
 * @param header - Its value. An empty one says nothing.
 */
export function isIdentity(header: string): boolean {
  const name = header.trim().toLowerCase();
  return name === '' || name === 'identity';
}
