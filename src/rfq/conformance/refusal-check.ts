import type { FillOffer } from './fill-offer.ts';
import { createUnacceptableSwaps } from './unacceptable-swaps.ts';
import { makeTrial, NOT_MADE } from './offering.ts';
import type { CheckDependencies, CheckSubject } from './trials/check-dependencies.ts';
import { reportFailed, type Finding, reportPassed, type CheckVerdict } from './trials/report.ts';
import type { Trial } from './trials/trials.ts';
import { waitForCondition } from './trials/waits.ts';

/**
 * Offers all swaps that the maker must not sign at once, as takers do. What the maker signs of them is discarded: it
 * affects neither its score nor its inventory.
 */
export async function checkRefusals(
  dependencies: CheckDependencies,
  subject: CheckSubject,
  offer: FillOffer,
): Promise<Finding[]> {
  const { timers, link, network, newKeypair, makers } = dependencies;
  const { makerId, taker, lastLookMs } = subject;
  const wallTime = BigInt(Math.floor(timers.now() / 1_000));
  const chainTime = network.clock().unixTimestamp;
  const offered = createUnacceptableSwaps({
    offer,
    taker: taker.address,
    stranger: newKeypair().address,
    passed: wallTime < chainTime ? wallTime : chainTime,
  }).map(({ departure, ...refusable }) => ({
    ...refusable,
    trial: makeTrial(dependencies, subject, offer, departure).trial,
  }));
  for (const { trial } of offered) link.offer(trial.swap);
  await waitForCondition(timers, lastLookMs, () =>
    offered.every(({ trial }) => decision(trial) !== undefined),
  );
  const stayed = makers.get(makerId)?.status === 'prod';
  return offered.map(({ situation, what, trial }) => {
    trial.end();
    link.failed(makerId, trial.swap.swapUuid, NOT_MADE);
    return { situation, ...judgeTrial(trial, what, lastLookMs, stayed) };
  });
}

function judgeTrial(trial: Trial, what: string, ms: number, stayed: boolean): CheckVerdict {
  const kind = decision(trial);
  if (kind === 'signed') return reportFailed(`it signed ${what}; the signature was thrown away`);
  if (kind === 'modified') return reportFailed(`it returned another message in place of ${what}`);
  if (!stayed) return reportFailed(`it left the market while it was shown ${what}`);
  return reportPassed(`it did not sign ${what} within ${ms / 1_000} s`);
}

function decision({ replies }: Trial): 'signed' | 'modified' | undefined {
  for (const { kind } of replies) if (kind !== 'unusable') return kind;
  return undefined;
}
