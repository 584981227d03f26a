import { useEffect, useRef, useState } from 'react';
import { type CalledSide, callInSession, withAdminCredential } from '../../api/admin.ts';
import { ApiError, describeFailure, findMessage, UnreachableError, withApiKey } from '../../api/call.ts';
import { useCredentialGeneration } from '../../api/credentials.ts';
import { EventFeed, type FeedEvent } from '../../openapi/streams/event-feed.ts';

/** How a stream of events is: `waiting` to connect again after it broke off, `refused` for good with what the server said. */
export type EventSourceState =
  | { readonly kind: 'closed' | 'connecting' | 'open' }
  | { readonly kind: 'waiting' | 'refused'; readonly reason: string };

/** How long each attempt waits that follows a failed one. The last one holds for all that follow. */
const WAITS_MS = [500, 1_000, 2_000, 5_000, 10_000, 15_000] as const;
/** A stream that was open for so long was fine: the next attempt begins with the shortest wait. */
const FINE_MS = 10_000;
/** Refusals that pass by themselves. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);

/**
 * Reads server-sent events (or lines of JSON) of a path while the component is there, and connects again when they break off.
 * Unlike the browser's own `EventSource` it sends the credentials of the tab.
 *
 * @param path - With its query; null: nothing is read.
 * @param onEvents - Called with the events that have arrived together. May change between drawings.
 * @param side - Default: `public`. `admin` sends the credential of the admin interface.
 */
export function useEventSource(
  path: string | null,
  onEvents: (events: readonly FeedEvent[]) => void,
  side: CalledSide = 'public',
): EventSourceState {
  const generation = useCredentialGeneration();
  const [state, setState] = useState<EventSourceState>({ kind: path === null ? 'closed' : 'connecting' });
  const listener = useRef(onEvents);
  listener.current = onEvents;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another credential connects again.
  useEffect(() => {
    if (path === null) {
      setState({ kind: 'closed' });
      return;
    }
    const control = new AbortController();
    void keepReading(path, side, control.signal, {
      onState: (next) => {
        if (!control.signal.aborted) setState(next);
      },
      onEvents: (events) => listener.current(events),
    });
    return () => control.abort();
  }, [path, side, generation]);
  return state;
}

interface SourceObserver {
  readonly onState: (state: EventSourceState) => void;
  readonly onEvents: (events: readonly FeedEvent[]) => void;
}

/** Reads a stream again and again until the signal ends it, or the server refuses it for good. Never throws. */
async function keepReading(
  path: string,
  side: CalledSide,
  signal: AbortSignal,
  observer: SourceObserver,
): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    observer.onState({ kind: 'connecting' });
    const begunAt = performance.now();
    let reason = 'The stream has ended.';
    try {
      await readOnce(path, side, signal, observer);
    } catch (error) {
      reason = describeFailure(error);
      if (error instanceof ApiError && !PASSING.has(error.status)) {
        observer.onState({ kind: 'refused', reason });
        return;
      }
    }
    if (performance.now() - begunAt > FINE_MS) failures = 0;
    observer.onState({ kind: 'waiting', reason });
    await waitFor(WAITS_MS[Math.min(failures, WAITS_MS.length - 1)] ?? 0, signal);
  }
}

async function readOnce(
  path: string,
  side: CalledSide,
  signal: AbortSignal,
  { onState, onEvents }: SourceObserver,
): Promise<void> {
  const init: RequestInit = { signal, cache: 'no-store', headers: { accept: 'text/event-stream' } };
  const open = (request: RequestInit) => openStream(path, request);
  const { body, isServerSent } =
    side === 'admin' ? await callInSession(withAdminCredential(init), open) : await open(withApiKey(init));
  onState({ kind: 'open' });
  const feed = new EventFeed(isServerSent);
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw new Error('The stream broke off.');
      });
      const events = done ? feed.end() : feed.read(value);
      if (events.length > 0 && !signal.aborted) onEvents(events);
      if (done) return;
    }
  } finally {
    // A stream that nobody reads any more would go on in the background.
    await reader.cancel().catch(() => {});
  }
}

async function openStream(path: string, request: RequestInit) {
  const response = await fetch(path, request).catch(() => {
    throw new UnreachableError();
  });
  const { ok, status, body, headers } = response;
  if (!ok || body === null) throw new ApiError(status, toRefusal(await response.text()));
  return { body, isServerSent: (headers.get('content-type') ?? '').startsWith('text/event-stream') };
}

function toRefusal(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return findMessage(body) === null ? text : body;
  } catch {
    return text;
  }
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}
