import { OldestFirst } from '../collections/oldest-first.ts';
import { parseBoundedJson } from '../bounded-json.ts';
import type { Relay } from './relay.ts';
import type { Timers } from './timers.ts';
import { Unavailable } from '../unavailable.ts';

/** The instances that belong together, as one of them talks to the others. */
export interface Instances {
  /** The name of this one. */
  readonly self: string;
  /**
   * What the other instance answers. A question whose answer does not come is sent again, and is still acted on once.
   * @throws Unavailable when it is gone, cannot be reached, does not answer in time, or fails at it
   */
  readonly ask: (to: string, subject: string, body: string) => Promise<string>;
  /** From now on this answers what others ask about the subject. */
  readonly answer: (subject: string, answer: (body: string, from: string) => Promise<string>) => void;
}

export interface InstancesOptions {
  /** Carries nothing else. */
  readonly relay: Relay;
  readonly timers: Timers;
  readonly newId: () => string;
  /** Told why a question of another instance could not be answered. */
  readonly onDefect: (error: unknown) => void;
}

type Message =
  | { readonly id: string; readonly from: string; readonly subject: string; readonly body: string }
  | { readonly id: string; readonly answer: string | null };

interface Asked {
  readonly settle: (answer: string | Unavailable) => void;
}

interface Remembered {
  readonly answering: Promise<string | null>;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Longer than a write to the database, and a pause of another process, take. */
export const ANSWER_WITHIN_MS = 3_000;
/** What is lost with a connection is noticed only later, so a question is sent again until it is answered. */
const SEND_AGAIN_MS = 700;
const MAX_ASKED = 1_000;
/** Questions that are remembered with their answers, in case they come again. */
const MAX_REMEMBERED = 10_000;

/** Asks and answers over a relay. */
export async function openInstances({
  relay,
  timers,
  newId,
  onDefect,
}: InstancesOptions): Promise<Instances> {
  const asked = new Map<string, Asked>();
  const answers = new Map<string, (body: string, from: string) => Promise<string>>();
  const remembered = new OldestFirst<string, Remembered>();
  const forget = () => {
    const since = timers.now() - ANSWER_WITHIN_MS;
    for (let oldest = remembered.oldest(); oldest !== null; oldest = remembered.oldest()) {
      if (oldest[1].at >= since && remembered.size < MAX_REMEMBERED) return;
      remembered.delete(oldest[0]);
    }
  };
  const reply = async ({ id, from, subject, body }: Extract<Message, { subject: string }>) => {
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
    // If this fails, the instance that asked hears nothing and asks again or gives up.
    await relay.send(from, JSON.stringify({ id, answer } satisfies Message)).catch(() => undefined);
  };
  await relay.receive((text) => {
    const message = messageOf(text, onDefect);
    if (message === null) return;
    if ('subject' in message) void reply(message);
    else asked.get(message.id)?.settle(message.answer ?? new Unavailable(FAILED));
  });
  const ask: Instances['ask'] = (to, subject, body) =>
    new Promise((resolve, reject) => {
      if (asked.size >= MAX_ASKED) {
        reject(new Unavailable(`${MAX_ASKED} questions to other instances are open; try again in a second`));
        return;
      }
      const id = newId();
      const message = JSON.stringify({ id, from: relay.self, subject, body } satisfies Message);
      const send = () => {
        if (!asked.has(id)) return;
        stopSending = timers.after(SEND_AGAIN_MS, send);
        relay.send(to, message).then(
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
  return { self: relay.self, ask, answer: (subject, answer) => void answers.set(subject, answer) };
}

const GONE = 'The instance that is needed for it has just gone; try again in some seconds';
const SILENT = 'The instance that is needed for it does not answer; try again in a second';
const FAILED = 'The instance that is needed for it failed; try again in a second';

/** Null, and reported, when it is none. */
function messageOf(text: string, onDefect: (error: unknown) => void): Message | null {
  try {
    const message = parseBoundedJson(text) as Message | null;
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
