import type { Lander } from '../../transactions/landing/lander.ts';
import type { LandingReports } from '../../platform/landings/landing-reports.ts';
import type { TipRules } from '../../transactions/landing/tip.ts';

/** What the endpoints work with. */
export interface LandingServices {
  readonly lander: Pick<Lander, 'submit' | 'knows'>;
  readonly reports: Pick<LandingReports, 'find'>;
  readonly tipRules: TipRules;
  /** Called for each transaction that was accepted. */
  readonly onAccepted: () => void;
  /** Called with why a transaction was refused. */
  readonly onRefused: (reason: string) => void;
}
