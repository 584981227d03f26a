import { useQuery } from '@tanstack/react-query';
import { type ExactJson, parseExactJson } from '../base/exact-json.ts';
import { type CalledSide, callInSession, withAdminCredential } from './admin.ts';
import { ApiError, fetchText, UnreadableError, withApiKey } from './call.ts';
import { useCredentialGeneration } from './credentials.ts';
import { usePace } from './pace.ts';

/** An answer as it came, beside what a page reads from it. */
export interface RawAnswerText<Answer> {
  readonly side: CalledSide;
  /** What was asked for: a path with its query. */
  readonly path: string;
  /** The JSON that was sent; absent where nothing was, which is a GET. */
  readonly body?: string;
  /** The text, byte for byte. */
  readonly text: string;
  /** The text as JSON with exact numbers. */
  readonly exact: ExactJson;
  /** The text as JavaScript reads it: integers beyond 2^53 are rounded. */
  readonly answer: Answer;
}

/**
 * Asks a path, and keeps the answer as it came, so that a page can show it.
 *
 * @param path - With its query; null: nothing is asked.
 * @param options.side - Default: `public`. `admin` sends the credential of the admin interface.
 * @param options.refetchMs - After how long a sandbox is asked again while the page is seen; others are asked less often. Default:
 *   never.
 */
export function useRawQuery<Answer>(
  path: string | null,
  { side = 'public', refetchMs }: { readonly side?: CalledSide; readonly refetchMs?: number } = {},
) {
  const generation = useCredentialGeneration();
  const pace = usePace(refetchMs ?? 0);
  return useQuery({
    queryKey: ['raw', side, path, generation],
    queryFn: ({ signal }) => fetchRaw<Answer>(path ?? '', side, signal),
    enabled: path !== null,
    // The library does not ask while the page is hidden.
    refetchInterval: refetchMs === undefined ? false : side === 'admin' ? refetchMs : pace,
  });
}

/**
 * Asks a path once, and returns the answer as it came.
 *
 * @throws ApiError if the answer is no success
 * @throws UnreachableError if the server cannot be reached
 * @throws UnreadableError if the answer is no JSON
 */
export async function fetchRaw<Answer>(
  path: string,
  side: CalledSide = 'public',
  signal?: AbortSignal,
): Promise<RawAnswerText<Answer>> {
  const init: RequestInit = signal === undefined ? {} : { signal };
  const ask = async (request: RequestInit) => {
    const { response, text } = await fetchText(path, request);
    return readRawAnswer<Answer>({ side, path, response, text });
  };
  return side === 'admin' ? callInSession(withAdminCredential(init), ask) : ask(withApiKey(init));
}

/**
 * Reads an answer that was fetched in another way, such as with a token of its own.
 *
 * @throws ApiError if the answer is no success
 * @throws UnreadableError if the answer is no JSON
 */
export function readRawAnswer<Answer>({
  side,
  path,
  body,
  response,
  text,
}: Pick<RawAnswerText<Answer>, 'side' | 'path' | 'body' | 'text'> & {
  readonly response: Response;
}): RawAnswerText<Answer> {
  const reading = parseExactJson(text);
  const answer = reading.ok ? JSON.parse(text) : text;
  if (!response.ok) throw new ApiError(response.status, answer);
  if (!reading.ok) throw new UnreadableError('a text');
  return {
    side,
    path,
    ...(body === undefined ? {} : { body }),
    text,
    exact: reading.value,
    answer: answer as Answer,
  };
}
