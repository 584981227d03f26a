import { callInSession, withAdminCredential } from './admin.ts';
import { ApiError, UnreachableError } from './call.ts';

/**
 * Calls a path of the admin interface whose answer is read while it is made.
 *
 * @throws ApiError if the answer is no success
 * @throws UnreachableError if the server cannot be reached
 */
export function openAdminStream(
  path: string,
  init: RequestInit,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  return callInSession(withAdminCredential(init), (request) => openStream(path, request));
}

async function openStream(
  path: string,
  request: RequestInit,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  let response: Response;
  try {
    response = await fetch(path, request);
  } catch (error) {
    throw error instanceof TypeError ? new UnreachableError() : error;
  }
  if (response.ok && response.body !== null) return response.body;
  throw new ApiError(response.status, await readBody(response));
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text().catch(() => '');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
