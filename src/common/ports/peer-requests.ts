import { OldestFirst } from '../collections/oldest-first.ts';
import { parseBoundedJson } from '../bounded-json.ts';
import type { MessageTransport } from './message-transport.ts';
import type { Timers } from './timers.ts';
import { Unavailable } from '../unavailable.ts';

/** Requests and replies between the instances of one deployment. */
export interface PeerRequests {
  /** The name of this instance. */
  readonly self: string;
  /**
   * Sends a request to another instance and resolves with its reply. A request without a reply is sent again, and is still
   * handled once.
   *
   * @param to - The name of the other instance.
   * @param subject - Selects the handler there.
   * @throws Unavailable when the instance is gone, cannot be reached, does not reply in time, or fails.
   */
  readonly ask: (to: string, subject: string, body: string) => Promise<string>;
  /** Registers the handler for requests with this subject. */
  readonly answer: (subject: string, answer: (body: string, from: string) => Promise<string>) => void;
}

export interface PeerRequestsOptions {
  /** A transport that is used for nothing else. */
  readonly transport: MessageTransport;
  readonly timers: Timers;
  readonly newId: () => string;
  /** Called with the reason when a request of another instance could not be handled. */
  readonly onDefect: (error: unknown) => void;
}

type PeerMessage =
  | { readonly id: string; readonly from: string; readonly subject: string; readonly body: string }
  | { readonly id: string; readonly answer: string | null };

interface PendingPeerRequest {
  readonly settle: (answer: string | Unavailable) => void;
}

interface AnsweredPeerRequest {
  readonly answering: Promise<string | null>;
  /** Unix milliseconds. */
  readonly at: number;
}

/** The time limit for a reply. A database write, or a pause of the other process, takes less. */
export const ANSWER_WITHIN_MS = 3_000;
/** A request is sent again at this interval, because a message that was lost with its connection is not reported. */
const SEND_AGAIN_MS = 700;
const MAX_ASKED = 1_000;
/** The maximum number of requests whose replies are kept, in case a request arrives again. */
const MAX_REMEMBERED = 10_000;

/**
 * Opens requests and replies over a transport.
 *
 * @example
 * ```ts
 * import type { MessageTransport } from './message-transport.ts';
 * import { openPeerRequests } from './peer-requests.ts';
 * import { SYSTEM_TIMERS } from './timers.ts';
 *
 * async function pingOf(transport: MessageTransport, peer: string): Promise<string> {
 *   let id = 0;
 *   const newId = () => String(id++);
 *   const requests = await openPeerRequests({ transport, timers: SYSTEM_TIMERS, newId, onDefect: console.error });
 *   requests.answer('ping', async (body, from) => `${body} from ${from}`);
 *   return requests.ask(peer, 'ping', 'hello');
 * }
 * ```
 */
export async function openPeerRequests({
  transport,
  timers,
  newId,
  onDefect,
}: PeerRequestsOptions): Promise<PeerRequests> {
  const asked = new Map<string, PendingPeerRequest>();
  const answers = new Map<string, (body: string, from: string) => Promise<string>>();
  const remembered = new OldestFirst<string, AnsweredPeerRequest>();
  const forget = () => {
    const since = timers.now() - ANSWER_WITHIN_MS;
    for (let oldest = remembered.oldest(); oldest !== null; oldest = remembered.oldest()) {
      if (oldest[1].at >= since && remembered.size < MAX_REMEMBERED) return;
      remembered.delete(oldest[0]);
    }
  };
  const reply = async ({ id, from, subject, body }: Extract<PeerMessage, { subject: string }>) => {
    forget();
    const key = `${from} ${id}`;
    const before = remembered.get(key);
    const answering =
      before?.answering ??
      answered(answers.get(subject), body, from).catch((error: unknown) => {
        onDefect(error);
        return null;
      });
    if (before === undefined) remembered.set(key, { answering, at: timers.now() });
    const answer = await answering;
    // If this fails, the other instance receives no reply, and sends its request again or gives up.
    await transport.send(from, JSON.stringify({ id, answer } satisfies PeerMessage)).catch(() => undefined);
  };
  await transport.receive((text) => {
    const message = parsePeerMessage(text, onDefect);
    if (message === null) return;
    if ('subject' in message) void reply(message);
    else asked.get(message.id)?.settle(message.answer ?? new Unavailable(FAILED));
  });
  const ask: PeerRequests['ask'] = (to, subject, body) =>
    new Promise((resolve, reject) => {
      if (asked.size >= MAX_ASKED) {
        reject(new Unavailable(`${MAX_ASKED} questions to other instances are open; try again in a second`));
        return;
      }
      const id = newId();
      const message = JSON.stringify({ id, from: transport.self, subject, body } satisfies PeerMessage);
      const send = () => {
        if (!asked.has(id)) return;
        stopSending = timers.after(SEND_AGAIN_MS, send);
        transport.send(to, message).then(
          (isThere) => {
            if (!isThere) asked.get(id)?.settle(new Unavailable(GONE));
          },
          (error: unknown) => {
            const isKnown = error instanceof Unavailable;
            asked.get(id)?.settle(isKnown ? error : new Unavailable(SILENT, { cause: error }));
          },
        );
      };
      let stopSending = () => {};
      const giveUp = timers.after(ANSWER_WITHIN_MS, () => asked.get(id)?.settle(new Unavailable(SILENT)));
      const settle = (answer: string | Unavailable) => {
        asked.delete(id);
        giveUp();
        stopSending();
        if (typeof answer === 'string') resolve(answer);
        else reject(answer);
      };
      asked.set(id, { settle });
      send();
    });
  return { self: transport.self, ask, answer: (subject, answer) => void answers.set(subject, answer) };
}

const GONE = 'The instance that is needed for it has just gone; try again in some seconds';
const SILENT = 'The instance that is needed for it does not answer; try again in a second';
const FAILED = 'The instance that is needed for it failed; try again in a second';

/** Parses a message. Reports one that is malformed, and returns null. */
function parsePeerMessage(text: string, onDefect: (error: unknown) => void): PeerMessage | null {
  try {
    const message = parseBoundedJson(text) as PeerMessage | null;
    if (typeof message?.id === 'string') return message;
    throw new Error('it has no id');
  } catch (cause) {
    onDefect(new Error('what another instance sent is no message', { cause }));
    return null;
  }
}

async function answered(
  answer: ((body: string, from: string) => Promise<string>) | undefined,
  body: string,
  from: string,
): Promise<string> {
  if (answer === undefined) throw new Error('another instance asks what is not answered here');
  return await answer(body, from);
}
