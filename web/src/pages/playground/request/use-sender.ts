import { useCallback, useEffect, useRef, useState } from 'react';
import type { ApiRequest } from '../../../openapi/request/api-request.ts';
import type { FeedEvent } from '../../../openapi/streams/event-feed.ts';
import { type FeedSample, FeedSampler } from '../../../parts/live/feed-sampler.ts';
import { type AnswerHead, sendRequest, type SentAnswer } from './send-request.ts';

/** How far the last request of a form is. */
export type SendState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'answered'; readonly request: ApiRequest; readonly answer: SentAnswer }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'cancelled' }
  | StreamState;

export interface StreamState {
  readonly kind: 'stream';
  readonly head: AnswerHead;
  /** The newest events, no more than `MAX_EVENTS`, and of a fast stream only some. */
  readonly sample: FeedSample<FeedEvent>;
  /** Null while the stream goes on. */
  readonly end: string | null;
}

/** The events of a stream that are kept. */
export const MAX_EVENTS = 500;
/** A stream may send more often than a page can be drawn, or anybody could read. */
const DRAW_MS = 200;

/**
 * Sends requests, one at a time. What is under way ends with the component.
 *
 * @param initial - What is shown before the first request.
 */
export function useSender(
  initial: SendState,
  onAnswer: (request: ApiRequest, answer: SentAnswer) => void,
): {
  readonly state: SendState;
  /** Sends a request, unless one is under way. */
  readonly send: (request: ApiRequest) => void;
  /** Ends the request or the stream that is under way. */
  readonly stop: () => void;
  /** Shows an answer of before. */
  readonly show: (request: ApiRequest, answer: SentAnswer) => void;
} {
  const [state, setState] = useState(initial);
  const running = useRef<AbortController | null>(null);
  const answered = useRef(onAnswer);
  answered.current = onAnswer;
  useEffect(() => () => running.current?.abort(), []);

  const stop = useCallback(() => running.current?.abort(), []);
  const show = useCallback((request: ApiRequest, answer: SentAnswer) => {
    const control = running.current;
    running.current = null;
    control?.abort();
    setState({ kind: 'answered', request, answer });
  }, []);
  const send = useCallback((request: ApiRequest) => {
    if (running.current !== null) return;
    const control = new AbortController();
    running.current = control;
    setState({ kind: 'sending' });
    void runRequest(request, control.signal, (next) => {
      // Whatever arrives after another answer was chosen belongs to nothing that is shown.
      if (running.current === control) setState(next);
    }).then((answer) => {
      if (running.current !== control) return;
      running.current = null;
      if (answer !== null && !control.signal.aborted) answered.current(request, answer);
    });
  }, []);
  return { state, send, stop, show };
}

/** Sends a request, and tells every state that it comes to. Never throws. */
async function runRequest(
  request: ApiRequest,
  signal: AbortSignal,
  tell: (state: SendState) => void,
): Promise<SentAnswer | null> {
  const stream = new StreamKeeper(tell);
  try {
    const answer = await sendRequest(request, stream, signal);
    if (answer === null) stream.end('The stream has ended.');
    else tell({ kind: 'answered', request, answer });
    return answer;
  } catch (error) {
    const text = signal.aborted ? 'Stopped.' : describeFailure(error);
    if (stream.isOpen) stream.end(text);
    else tell(signal.aborted ? { kind: 'cancelled' } : { kind: 'failed', message: text });
    return null;
  }
}

/** Keeps the newest events of a stream, and shows them some times in a second. */
class StreamKeeper {
  readonly #tell: (state: SendState) => void;
  #head: AnswerHead | null = null;
  readonly #sampler = new FeedSampler<FeedEvent>(MAX_EVENTS);
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(tell: (state: SendState) => void) {
    this.#tell = tell;
  }

  get isOpen(): boolean {
    return this.#head !== null;
  }

  onStream = (head: AnswerHead): void => {
    this.#head = head;
    this.#draw(null);
  };

  onEvents = (events: readonly FeedEvent[]): void => {
    this.#sampler.push(events, performance.now());
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#draw(null);
    }, DRAW_MS);
  };

  end(text: string): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#draw(text);
  }

  #draw(end: string | null): void {
    if (this.#head === null) return;
    this.#tell({ kind: 'stream', head: this.#head, sample: this.#sampler.read(performance.now()), end });
  }
}

function describeFailure(error: unknown): string {
  // A browser says no more than that a request failed.
  if (error instanceof TypeError)
    return 'Sluice cannot be reached, or has broken off its answer. Is it still running?';
  return error instanceof Error ? error.message : String(error);
}
