import { LAST_LOOK_MS } from '../fills/fill-results.ts';
import type { FillOffer } from './fill-offer.ts';
import { makeTrial, NOT_MADE } from './offering.ts';
import type { CheckParts, Subject } from './parts.ts';
import { failed, passed, type Verdict } from './report.ts';
import { booksOf, type Judged, judgedSince, QUOTE_WITHIN_MS, refusedText } from './streaming.ts';
import { until, within } from './waits.ts';

/** Makers wait longer with every attempt; the first ones must come within it. */
const BACK_WITHIN_MS = 30_000;
const TAKEN_WITHIN_MS = 5_000;
const SECONDS = { quote: QUOTE_WITHIN_MS / 1_000, back: BACK_WITHIN_MS / 1_000 };
/** Below what ends the stream, and more than a connection takes from a service whose client does not read. */
const BURST = { messages: 256, bytes: 1_024 };

/** What was found of the maker before: what it does not do at all is not held against it again. */
export interface Sound {
  /** It signs good swaps. */
  readonly signs: boolean;
  /** Its snapshots are accepted. */
  readonly quotes: boolean;
}

/** A good swap that comes to nothing: the maker must bear that and quote on. */
export async function expiry(
  parts: CheckParts,
  subject: Subject,
  offer: FillOffer,
  sound: Sound,
): Promise<Verdict> {
  const { timers, link, swapStreams } = parts;
  const { makerId, lastLookMs } = subject;
  const { trial } = makeTrial(parts, subject, offer);
  const pushedAt = timers.now();
  let what = 'it did not sign';
  trial.decided.then(({ kind }) => {
    what = `${kind} after ${timers.now() - pushedAt} ms, thrown away`;
  });
  link.offer(trial.swap);
  await until(timers, lastLookMs, () => !swapStreams.isLive(makerId));
  trial.end();
  link.failed(makerId, trial.swap.swapUuid, NOT_MADE);
  const judged = judgedSince(parts, makerId);
  const quotes = sound.quotes && (await until(timers, QUOTE_WITHIN_MS, () => judged().accepted > 0));
  if (!swapStreams.isLive(makerId)) return failed(`it left after a swap that was not made; ${what}`);
  if (sound.quotes && !quotes) {
    return failed(`no snapshot came within ${SECONDS.quote} s of a swap that was not made; ${what}`);
  }
  return passed(
    `told of the end after ${lastLookMs / 1_000} s, and it ${quotes ? 'quotes on' : 'stays'}; ${what}`,
  );
}

/** The swap stream ends while a swap waits for the maker. */
export async function reconnect(
  parts: CheckParts,
  subject: Subject,
  offer: FillOffer,
  sound: Sound,
): Promise<Verdict> {
  const { timers, swapStreams, link } = parts;
  const { makerId } = subject;
  const judged = judgedSince(parts, makerId);
  const { trial } = makeTrial(parts, subject, offer);
  const endedAt = timers.now();
  swapStreams.end(makerId, 'UNAVAILABLE', 'a check ended this stream to see the maker come back');
  try {
    if (!(await until(timers, BACK_WITHIN_MS, () => swapStreams.isLive(makerId)))) {
      return failed(`no swap stream was opened within ${SECONDS.back} s of the end of the last`);
    }
    const back = `back after ${timers.now() - endedAt} ms`;
    const reply = sound.signs ? await within(timers, LAST_LOOK_MS, trial.decided) : null;
    if (sound.signs && reply?.kind !== 'signed') {
      return failed(`${back}, but the swap that waited for it was not signed`);
    }
    const waited = reply === null ? '' : '; it signed the swap that waited for it, thrown away';
    return sound.quotes
      ? quotesAgain(parts, makerId, judged, `${back}${waited}`)
      : passed(`${back}${waited}`);
  } finally {
    trial.end();
    link.failed(makerId, trial.swap.swapUuid, NOT_MADE);
  }
}

async function quotesAgain(
  parts: CheckParts,
  makerId: string,
  judged: () => Judged,
  back: string,
): Promise<Verdict> {
  const isQuoting = () => parts.makers.get(makerId)?.status === 'prod' && booksOf(parts, makerId).length > 0;
  const quotes = await until(parts.timers, QUOTE_WITHIN_MS, isQuoting);
  if (judged().refused.has('sequence')) {
    return failed(`${back}, but with used sequence numbers; snapshots refused: ${refusedText(judged())}`);
  }
  return quotes
    ? passed(`${back}; its book is in the market again`)
    : failed(`${back}, but no book of it is in the market ${SECONDS.quote} s later`);
}

/** What the service can see of it: whether messages are read, on either stream. */
export async function backPressure(parts: CheckParts, { makerId }: Subject): Promise<Verdict> {
  const { timers, swapStreams, quoteStreams } = parts;
  const sentAt = timers.now();
  swapStreams.burst(makerId, BURST);
  const unread = () => swapStreams.unread(makerId) + quoteStreams.unread(makerId);
  const taken = await until(timers, TAKEN_WITHIN_MS, () => unread() === 0 || !swapStreams.isLive(makerId));
  const what = `${BURST.messages} messages of ${BURST.bytes} bytes on the swap stream`;
  if (!swapStreams.isLive(makerId)) return failed(`it left when it was sent ${what}`);
  if (taken) return passed(`it took ${what} within ${timers.now() - sentAt} ms, and has no ack unread`);
  return failed(
    `of ${what}, ${swapStreams.unread(makerId)} are unread after ${TAKEN_WITHIN_MS / 1_000} s, and ${quoteStreams.unread(makerId)} acks`,
  );
}
