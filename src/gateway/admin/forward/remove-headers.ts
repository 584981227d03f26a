import type { IncomingMessage } from 'node:http';

/**
 * Removes headers from a request before it is routed, from both forms in which Node presents them.
 * @param isRemoved - Called with the name in lower case and the value of each header that was sent.
 */
export function removeHeaders(
  request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
  isRemoved: (name: string, value: string) => boolean,
): void {
  const { headers, rawHeaders } = request;
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (!isRemoved(name, rawHeaders[index + 1] ?? '')) continue;
    rawHeaders.splice(index, 2);
    delete headers[name];
  }
}
