import { describe, expect, it } from 'vitest';
import type { TimeRange } from '../../chain/reported-transactions.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { addInstanceMetrics, type InstanceMetricsSources } from './instance.ts';
import { createPrometheus } from './prometheus.ts';

describe('the metric of missing trades', () => {
  it('tells how long ago the last time ended of which all are known', async () => {
    expect(await page(reporting({ from: NOW - 900, to: NOW - 130 }))).toContain(
      '\nsluice_trades_behind_seconds{source="rpc"} 130\n',
    );
  });

  it('has no value before there is such a time, or where trades are not reported', async () => {
    for (const reported of [reporting(null), undefined]) {
      expect(await page(reported)).not.toMatch(/^sluice_trades_behind_seconds\b/m);
    }
  });
});

const NOW = 1_800_000_000;

async function page(reported: InstanceMetricsSources['chain']['reported']): Promise<string> {
  const registry = createPrometheus((error) => {
    throw error;
  });
  addInstanceMetrics(registry.metrics, {
    readiness: [],
    chain: {
      slot: () => 1n,
      blockHeight: () => 1n,
      recentBlockhash: () => ({
        blockhash: SYSTEM_PROGRAM,
        bytes: new Uint8Array(32),
        slot: 1n,
        lastValidBlockHeight: 1n,
        fetchedAt: NOW * 1_000,
      }),
      clock: () => ({ slot: 1n, epoch: 0n, unixTimestamp: BigInt(NOW) }),
      ...(reported === undefined ? {} : { reported }),
    },
    pools: { size: 0, unusable: () => [] },
    keys: { size: 0, refreshedAt: NOW * 1_000 },
    versions: { sluice: '1.0.0', node: '24.0.0' },
    now: () => NOW * 1_000,
  });
  return registry.page();
}

function reporting(known: TimeRange | null) {
  return {
    watch: () => () => undefined,
    isFollowing: () => false,
    isComplete: () => false,
    resume: () => undefined,
    lastPassedOn: () => known,
  };
}
