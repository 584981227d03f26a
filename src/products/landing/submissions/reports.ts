import type { LandingReports } from '../../../transactions/reports/landing-reports.ts';
import type { Signature } from '../../../solana/messages/signature.ts';
import {
  type Landing,
  toOwnProgress,
  type UnfinishedLanding,
} from '../../../transactions/landing/landing.ts';

/** Updates the reports of everyone who submitted the transaction. */
export function noteLanding(reports: Pick<LandingReports, 'note'>, landing: Landing): void {
  const { transaction, submissions, lastHeight, outcome, slot, error } = landing;
  const { wire, isDurable, signature } = transaction;
  const open = outcome === null ? { wire, isDurable, lastHeight } : null;
  for (const submission of submissions) {
    const { organisationId, requestId, acceptedAt } = submission;
    const progress = toOwnProgress(submission, landing);
    const { forwardedAt, seenAt, confirmedAt, endedAt, firstSeenBy, sends } = progress;
    // Fields are written out because this runs for each step of each transaction.
    const report = {
      signature,
      organisationId,
      requestId,
      acceptedAt,
      forwardedAt,
      seenAt,
      confirmedAt,
      endedAt,
      outcome,
      slot,
      error,
      firstSeenBy,
      sends,
    };
    reports.note(report, open);
  }
}

/** Returns the landings that a process had not finished when it ended. */
export async function listUnfinishedLandings(
  reports: Pick<LandingReports, 'unfinished'>,
): Promise<UnfinishedLanding[]> {
  const unfinished = await reports.unfinished();
  return unfinished.map(({ report, open: { wire, isDurable, lastHeight } }) => {
    const { organisationId, requestId, acceptedAt, forwardedAt, seenAt, sends } = report;
    const submission = { organisationId, requestId, acceptedAt };
    // The table holds only signatures of transactions that were checked.
    const transaction = { wire, isDurable, signature: report.signature as Signature };
    return { ...submission, transaction, lastHeight, forwardedAt, seenAt, sends };
  });
}
