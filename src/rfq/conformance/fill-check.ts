import { waitWithin } from '../../common/ports/timers.ts';
import { parseTransaction, getTransactionSignature } from '../../solana/messages/transaction.ts';
import { LAST_LOOK_MS } from '../fills/fill-results.ts';
import { MAX_CLOCK_DIFFERENCE_MS } from '../liquidity/book-liquidity.ts';
import type { FillOffer } from './fill-offer.ts';
import { makeTrial, NOTHING_OFFERED, type OfferedTrial, findCurrentOffer } from './offering.ts';
import type { CheckDependencies, Landed, CheckSubject } from './trials/check-dependencies.ts';
import { reportFailed, reportPassed, reportSkipped, type CheckVerdict } from './trials/report.ts';

/** Enough for the transaction and the taker's token account. */
const TAKER_LAMPORTS = 50_000_000n;

/** Has the maker sign a small swap at its own price, and lands it. */
export async function checkFill(
  dependencies: CheckDependencies,
  subject: CheckSubject,
): Promise<CheckVerdict> {
  const offer = findCurrentOffer(dependencies, subject);
  if (offer === null) return reportSkipped(NOTHING_OFFERED);
  const { network, reservations } = dependencies;
  const { taker, makerId } = subject;
  try {
    await network.giveLamports(taker.address, TAKER_LAMPORTS);
    await network.giveTokens(taker.address, offer.inputMint, offer.quote.inAmount);
  } catch (error) {
    return reportSkipped(`the taker could not be given what it pays: ${describeLandingError(error)}`);
  }
  const offered = makeTrial(dependencies, subject, offer);
  const { swapUuid } = offered.trial.swap;
  const { base, quote } = offer.pool.book;
  const refusal = reservations.reserve({
    swapUuid,
    makerId,
    base: base.mint,
    quote: quote.mint,
    mint: offer.outputMint,
    amount: offer.quote.outAmount,
  });
  if (refusal !== null) {
    offered.trial.end();
    return reportSkipped(`the maker's book does not take the swap: ${refusal.reason}`);
  }
  let landed = false;
  try {
    const verdict = await settled(dependencies, offer, offered);
    landed = verdict.outcome === 'passed';
    return verdict;
  } finally {
    // A landed swap counts until the maker's new balance is known.
    if (landed) reservations.settle(makerId, swapUuid);
    else reservations.release(makerId, swapUuid);
  }
}

async function settled(
  dependencies: CheckDependencies,
  offer: FillOffer,
  offered: OfferedTrial,
): Promise<CheckVerdict> {
  const { trial, lastValidBlockHeight } = offered;
  const { makerId, swapUuid, transaction } = trial.swap;
  const { link, timers, network } = dependencies;
  const pushedAt = timers.now();
  if (!link.offer(trial.swap)) return reportFailed('it has no swap stream open any more');
  const reply = (await waitWithin(trial.decided, LAST_LOOK_MS, timers)) ?? null;
  trial.end();
  if (reply?.kind !== 'signed') {
    const why = reply === null ? `${notSigned(offered)}${describeClocks(dependencies)}` : MODIFIED;
    link.failed(makerId, swapUuid, why);
    return reportFailed(why);
  }
  const signedAt = timers.now();
  const signature = getTransactionSignature(parseTransaction(transaction));
  const landed = await network.land({ wire: reply.wire, signature, lastValidBlockHeight });
  if (landed.kind !== 'landed') {
    link.failed(makerId, swapUuid, 'the transaction failed or did not land');
    return notLanded(landed);
  }
  link.confirmed(makerId, swapUuid, signature);
  const took = `signed after ${signedAt - pushedAt} ms, landed after another ${timers.now() - signedAt} ms`;
  const { quote, inputMint, outputMint } = offer;
  const moved = `${quote.inAmount} atoms of ${inputMint} for ${quote.outAmount} of ${outputMint}`;
  return reportPassed(`${took} in slot ${landed.slot}, and confirmed to it: ${moved}; ${signature}`);
}

const MODIFIED = 'it returned another message than it was offered, which for an order takes it offline';

function notSigned({ trial: { replies } }: OfferedTrial): string {
  const [unusable] = replies;
  const tried = unusable?.kind === 'unusable' ? `; what it returned cannot be used: ${unusable.reason}` : '';
  return `it did not sign within ${LAST_LOOK_MS / 1_000} s${tried}`;
}

/** A maker refuses a fill that expires too late or has expired by its own clock. */
function describeClocks({ network, timers }: Pick<CheckDependencies, 'network' | 'timers'>): string {
  const apart = Math.abs(Number(network.clock().unixTimestamp) * 1_000 - timers.now());
  if (apart <= MAX_CLOCK_DIFFERENCE_MS) return '';
  return `; the network's clock, by which fills expire, differs from the clock of this service by ${Math.round(apart / 1_000)} s`;
}

function notLanded(landed: Exclude<Landed, { kind: 'landed' }>): CheckVerdict {
  return landed.kind === 'failed'
    ? reportFailed(`it signed, but the transaction failed: ${JSON.stringify(landed.error)}`)
    : reportSkipped(`it signed, but the network did not take the transaction: ${landed.why}`);
}

function describeLandingError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
