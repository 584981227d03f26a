import { waitWithin } from '../../common/ports/timers.ts';
import { LAST_LOOK_MS } from '../fills/fill-results.ts';
import type { FillOffer } from './fill-offer.ts';
import { makeTrial, NOT_MADE } from './offering.ts';
import type { CheckDependencies, CheckSubject } from './trials/check-dependencies.ts';
import { reportFailed, reportPassed, type CheckVerdict } from './trials/report.ts';
import {
  listMakerBooks,
  type JudgedSnapshots,
  countJudgedSince,
  QUOTE_WITHIN_MS,
  formatRefused,
} from './streaming.ts';
import { waitForCondition } from './trials/waits.ts';

/** Makers wait longer after each failed attempt. The first attempts must fall into this time. */
const BACK_WITHIN_MS = 30_000;
const TAKEN_WITHIN_MS = 5_000;
const SECONDS = { quote: QUOTE_WITHIN_MS / 1_000, back: BACK_WITHIN_MS / 1_000 };
/** Less than what ends the stream, and more than a connection buffers if the client does not read. */
const BURST = { messages: 256, bytes: 1_024 };

/** Earlier findings about the maker, so that one fault does not count twice. */
export interface MakerSoundness {
  /** Whether it signs good swaps. */
  readonly signs: boolean;
  /** Whether its snapshots are accepted. */
  readonly quotes: boolean;
}

/** Offers a good swap that is then not executed. The maker must tolerate that, and continue to quote. */
export async function checkUnexecutedSwap(
  dependencies: CheckDependencies,
  subject: CheckSubject,
  offer: FillOffer,
  sound: MakerSoundness,
): Promise<CheckVerdict> {
  const { timers, link, swapConnections } = dependencies;
  const { makerId, lastLookMs } = subject;
  const { trial } = makeTrial(dependencies, subject, offer);
  const pushedAt = timers.now();
  let what = 'it did not sign';
  trial.decided.then(({ kind }) => {
    what = `${kind} after ${timers.now() - pushedAt} ms, thrown away`;
  });
  link.offer(trial.swap);
  await waitForCondition(timers, lastLookMs, () => !swapConnections.isLive(makerId));
  trial.end();
  link.failed(makerId, trial.swap.swapUuid, NOT_MADE);
  const judged = countJudgedSince(dependencies, makerId);
  const quotes =
    sound.quotes && (await waitForCondition(timers, QUOTE_WITHIN_MS, () => judged().accepted > 0));
  if (!swapConnections.isLive(makerId))
    return reportFailed(`it left after a swap that was not made; ${what}`);
  if (sound.quotes && !quotes) {
    return reportFailed(`no snapshot came within ${SECONDS.quote} s of a swap that was not made; ${what}`);
  }
  return reportPassed(
    `told of the end after ${lastLookMs / 1_000} s, and it ${quotes ? 'quotes on' : 'stays'}; ${what}`,
  );
}

/** Ends the swap stream while a swap waits for the maker. */
export async function checkReconnect(
  dependencies: CheckDependencies,
  subject: CheckSubject,
  offer: FillOffer,
  sound: MakerSoundness,
): Promise<CheckVerdict> {
  const { timers, swapStreams, swapConnections, link } = dependencies;
  const { makerId } = subject;
  const judged = countJudgedSince(dependencies, makerId);
  const { trial } = makeTrial(dependencies, subject, offer);
  const endedAt = timers.now();
  swapStreams.end(makerId, 'UNAVAILABLE', 'a check ended this stream to see the maker come back');
  try {
    if (!(await waitForCondition(timers, BACK_WITHIN_MS, () => swapConnections.isLive(makerId)))) {
      return reportFailed(`no swap stream was opened within ${SECONDS.back} s of the end of the last`);
    }
    const back = `back after ${timers.now() - endedAt} ms`;
    const reply = sound.signs ? ((await waitWithin(trial.decided, LAST_LOOK_MS, timers)) ?? null) : null;
    if (sound.signs && reply?.kind !== 'signed') {
      return reportFailed(`${back}, but the swap that waited for it was not signed`);
    }
    const waited = reply === null ? '' : '; it signed the swap that waited for it, thrown away';
    return sound.quotes
      ? quotesAgain(dependencies, makerId, judged, `${back}${waited}`)
      : reportPassed(`${back}${waited}`);
  } finally {
    trial.end();
    link.failed(makerId, trial.swap.swapUuid, NOT_MADE);
  }
}

async function quotesAgain(
  dependencies: CheckDependencies,
  makerId: string,
  judged: () => JudgedSnapshots,
  back: string,
): Promise<CheckVerdict> {
  const isQuoting = () =>
    dependencies.makers.get(makerId)?.status === 'prod' && listMakerBooks(dependencies, makerId).length > 0;
  const quotes = await waitForCondition(dependencies.timers, QUOTE_WITHIN_MS, isQuoting);
  if (judged().refused.has('sequence')) {
    return reportFailed(
      `${back}, but with used sequence numbers; snapshots refused: ${formatRefused(judged())}`,
    );
  }
  return quotes
    ? reportPassed(`${back}; its book is in the market again`)
    : reportFailed(`${back}, but no book of it is in the market ${SECONDS.quote} s later`);
}

/** Checks that the maker reads its messages on both streams, as far as the service can see it. */
export async function checkBackPressure(
  dependencies: Pick<CheckDependencies, 'timers' | 'swapConnections' | 'quoteStreams'>,
  { makerId }: CheckSubject,
): Promise<CheckVerdict> {
  const { timers, swapConnections, quoteStreams } = dependencies;
  const sentAt = timers.now();
  swapConnections.burst(makerId, BURST);
  const unread = () => swapConnections.unread(makerId) + quoteStreams.unread(makerId);
  const taken = await waitForCondition(
    timers,
    TAKEN_WITHIN_MS,
    () => unread() === 0 || !swapConnections.isLive(makerId),
  );
  const what = `${BURST.messages} messages of ${BURST.bytes} bytes on the swap stream`;
  if (!swapConnections.isLive(makerId)) return reportFailed(`it left when it was sent ${what}`);
  if (taken) return reportPassed(`it took ${what} within ${timers.now() - sentAt} ms, and has no ack unread`);
  return reportFailed(
    `of ${what}, ${swapConnections.unread(makerId)} are unread after ${TAKEN_WITHIN_MS / 1_000} s, and ${quoteStreams.unread(makerId)} acks`,
  );
}
