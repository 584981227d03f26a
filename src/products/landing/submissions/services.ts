import type { Lander } from '../../../transactions/landing/lander.ts';
import type { LandingReports } from '../../../transactions/reports/landing-reports.ts';
import type { SubmissionRules } from '../../../transactions/landing/check-submission.ts';

/** The services of the landing endpoints. */
export interface LandingServices {
  readonly lander: Pick<Lander, 'submit'>;
  readonly reports: Pick<LandingReports, 'find'>;
  readonly rules: SubmissionRules;
  /** Called for each transaction that was accepted. */
  readonly onAccepted: () => void;
  /** Called with the reason when a transaction was refused. */
  readonly onRefused: (reason: string) => void;
}
