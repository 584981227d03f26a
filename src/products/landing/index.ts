import type { Chain } from '../../chain/chain.ts';
import type { Metrics } from '../../common/ports/metrics.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import { PROGRAM_AUTHORITIES } from '../../protocol/venue/aggregator-program.ts';
import type { LookupTableIndex } from '../../market/pools/lookup-tables.ts';
import type { LandingReports } from '../../transactions/reports/landing-reports.ts';
import { Lander } from '../../transactions/landing/lander.ts';
import type { Landing } from '../../transactions/landing/landing.ts';
import { createSignatureChecker } from '../../transactions/landing/signature-checks.ts';
import type { Sender } from '../../transactions/landing/sender.ts';
import { defineProduct, type OpenedProduct } from '../product.ts';
import { report } from './endpoints/report.ts';
import { sendTransaction } from './endpoints/send-transaction.ts';
import { noteLanding, listUnfinishedLandings } from './submissions/reports.ts';
import type { LandingServices } from './submissions/services.ts';
import { submit } from './endpoints/submit.ts';
import { createLandingMetrics } from './submissions/metrics.ts';

export interface LandingDependencies {
  readonly market: {
    readonly chain: Chain;
    readonly lookupTables: Pick<LookupTableIndex, 'contentsOf'>;
  };
  /** Stores the outcomes of submitted transactions. */
  readonly landingReports: LandingReports;
  /** Nodes that transactions are sent through in addition to the chain's own. */
  readonly sendEndpoints: readonly Sender[];
  /** The number of blocks after its own in which a blockhash can be used. */
  readonly blockhashSlots: number;
  readonly metrics: Metrics;
  /** Called when something failed that no request waits for. */
  readonly onDefect: (where: string, error: unknown) => void;
}

export const landing = defineProduct({
  name: 'landing',
  description: 'Landing of signed transactions, and reports on them.',
  basePaths: ['/tx'],
  errorSections: [{ heading: 'Landing' }],
  endpoints: [sendTransaction, submit, report],
  open: openLanding,
});

/** The path where transactions are landed. It is also served at the root of the landing port. */
export const LANDING_PATH = sendTransaction.path;

async function openLanding(dependencies: LandingDependencies): Promise<OpenedProduct<LandingServices>> {
  const { market, landingReports, sendEndpoints, blockhashSlots, metrics, onDefect } = dependencies;
  const { chain, lookupTables } = market;
  const measured = createLandingMetrics(metrics, () => lander.size, landingReports);
  const lander = new Lander({
    chain,
    senders: [{ name: 'rpc', chain }, ...sendEndpoints],
    blockhashSlots,
    timers: SYSTEM_TIMERS,
    onChange: (changed: Landing) => {
      measured.onChange(changed);
      noteLanding(landingReports, changed);
    },
    onForwarded: measured.onForwarded,
    onDefect: (error) => onDefect('landing transactions', error),
  });
  // If the database does not answer, the instance still lands new transactions.
  await listUnfinishedLandings(landingReports)
    .then((unfinished) => lander.resume(unfinished))
    .catch((error: unknown) => onDefect('transactions that were being landed before the start', error));
  return {
    services: {
      lander,
      reports: landingReports,
      rules: {
        tips: {
          receivers: new Set(PROGRAM_AUTHORITIES),
          tableContents: (table) => lookupTables.contentsOf(table),
        },
        isFullySigned: createSignatureChecker(setImmediate),
        isKnown: (signature, wire) => lander.knows(signature, wire),
      },
      onAccepted: measured.onAccepted,
      onRefused: measured.onRefused,
    },
    close: () => lander.close(),
  };
}
