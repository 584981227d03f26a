import type { Chain } from '../../chain/chain.ts';
import type { Metrics } from '../../common/ports/metrics.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import { PROGRAM_AUTHORITIES } from '../../market/aggregator/program.ts';
import type { LookupTables } from '../../market/pools/lookup-tables.ts';
import { Lander } from '../../transactions/landing/lander.ts';
import type { Landing } from '../../transactions/landing/landing.ts';
import { defineProduct, type OpenedProduct } from '../product.ts';
import { sendTransaction } from './endpoints/send-transaction.ts';
import type { LandingServices } from './services.ts';
import { submit } from './endpoints/submit.ts';
import { landingMetrics } from './metrics.ts';

export interface LandingDependencies {
  readonly market: {
    readonly chain: Chain;
    readonly lookupTables: Pick<LookupTables, 'contentsOf'>;
  };
  readonly metrics: Metrics;
  /** Called when something failed that no request waits for. */
  readonly onDefect: (where: string, error: unknown) => void;
}

export const landing = defineProduct({
  name: 'landing',
  basePaths: ['/tx'],
  endpoints: [sendTransaction, submit],
  open: openLanding,
});

/** Where transactions are landed; the root of a port of their own stands for it. */
export const LANDING_PATH = sendTransaction.path;

function openLanding(dependencies: LandingDependencies): OpenedProduct<LandingServices> {
  const { market, metrics, onDefect } = dependencies;
  const { chain, lookupTables } = market;
  const measured = landingMetrics(metrics, () => lander.size);
  const lander = new Lander({
    chain,
    senders: [{ name: 'rpc', chain }],
    timers: SYSTEM_TIMERS,
    onChange: (changed: Landing) => measured.onChange(changed),
    onForwarded: measured.onForwarded,
    onDefect: (error) => onDefect('landing transactions', error),
  });
  return {
    services: {
      lander,
      tipRules: {
        receivers: new Set(PROGRAM_AUTHORITIES),
        tableContents: (table) => lookupTables.contentsOf(table),
      },
      onAccepted: measured.onAccepted,
      onRefused: measured.onRefused,
    },
    close: () => lander.close(),
  };
}
