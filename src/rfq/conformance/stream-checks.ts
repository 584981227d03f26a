import { LAST_LOOK_MS } from '../settlement.ts';
import type { FillOffer } from './fill-offer.ts';
import { makeTrial, NOT_MADE } from './offering.ts';
import type { CheckParts, Subject } from './parts.ts';
import { failed, passed, type Verdict } from './report.ts';
import { booksOf, judgedSince, QUOTE_WITHIN_MS, refusedText } from './streaming.ts';
import { until, within } from './waits.ts';

/** Makers wait longer with every attempt; the first ones must come within it. */
const BACK_WITHIN_MS = 30_000;
const TAKEN_WITHIN_MS = 5_000;
/** Below what ends the stream, and more than a connection takes from a service whose client does not read. */
const BURST = { messages: 256, bytes: 1_024 };

/** A good swap that comes to nothing: the maker must bear that and quote on. */
export async function expiry(parts: CheckParts, subject: Subject, offer: FillOffer): Promise<Verdict> {
  const { timers, link, swapStreams } = parts;
  const { makerId, lastLookMs } = subject;
  const { trial } = makeTrial(parts, subject, offer);
  const pushedAt = timers.now();
  let signedAt: number | null = null;
  trial.decided.then(() => {
    signedAt = timers.now();
  });
  link.offer(trial.swap);
  await until(timers, lastLookMs, () => !swapStreams.isLive(makerId));
  trial.end();
  link.failed(makerId, trial.swap.swapUuid, NOT_MADE);
  const judged = judgedSince(parts, makerId);
  const quotes = await until(timers, QUOTE_WITHIN_MS, () => judged().accepted > 0);
  const what = signedAt === null ? 'it did not sign' : `signed after ${signedAt - pushedAt} ms, thrown away`;
  if (!swapStreams.isLive(makerId)) return failed(`it left after a swap that was not made; ${what}`);
  if (!quotes) {
    return failed(
      `no snapshot came within ${QUOTE_WITHIN_MS / 1_000} s of a swap that was not made; ${what}`,
    );
  }
  return passed(`told of the end after ${lastLookMs} ms, and it quotes on; ${what}`);
}

/** @param signs whether it signs good swaps at all */
export async function reconnect(
  parts: CheckParts,
  subject: Subject,
  offer: FillOffer,
  signs: boolean,
): Promise<Verdict> {
  const { timers, swapStreams, makers, link } = parts;
  const { makerId } = subject;
  const judged = judgedSince(parts, makerId);
  const { trial } = makeTrial(parts, subject, offer);
  const endedAt = timers.now();
  swapStreams.end(makerId, 'UNAVAILABLE', 'a check ended this stream to see the maker come back');
  try {
    const isBack = await until(timers, BACK_WITHIN_MS, () => swapStreams.isLive(makerId));
    if (!isBack)
      return failed(`no swap stream was opened within ${BACK_WITHIN_MS / 1_000} s of the end of the last`);
    const backAt = timers.now();
    const back = `back after ${backAt - endedAt} ms`;
    const reply = await within(timers, LAST_LOOK_MS, signs ? trial.decided : Promise.resolve(null));
    const pushed = reply?.kind === 'signed' ? `signed ${timers.now() - backAt} ms later, thrown away` : null;
    if (signs && pushed === null) return failed(`${back}, but the swap that waited for it was not signed`);
    const quotes = await until(
      timers,
      QUOTE_WITHIN_MS,
      () => makers.get(makerId)?.status === 'prod' && booksOf(parts, makerId).length > 0,
    );
    const sequence = judged().refused.get('sequence');
    if (sequence !== undefined)
      return failed(`${back}, but with used sequence numbers: ${refusedText(judged())}`);
    if (!quotes)
      return failed(`${back}, but no book of it is in the market ${QUOTE_WITHIN_MS / 1_000} s later`);
    return passed(
      `${back}; the swap that waited for it was ${pushed ?? 'not looked at, because it signs none'}; quoting again`,
    );
  } finally {
    trial.end();
    link.failed(makerId, trial.swap.swapUuid, NOT_MADE);
  }
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
