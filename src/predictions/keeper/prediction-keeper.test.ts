import { describe, expect, it } from 'vitest';
import type { Leases } from '../../common/ports/leases.ts';
import { MICRO_PER_CONTRACT } from '../../exchange/exchange.ts';
import { openForEach } from '../../testing/opened.ts';
import { PredictionRig } from '../../testing/predictions/prediction-rig.ts';
import { HOUSE_FUNDS } from '../../testing/predictions/prediction-world.ts';
import { openTestStore } from '../../testing/store/test-store.ts';

const opened = openForEach(() => openTestStore('sqlite'), 'cleanUp');

describe('PredictionKeeper', () => {
  it('fills an order that lands from the house, and closes it', async () => {
    const rig = new PredictionRig(opened.store);
    const market = rig.market();
    await rig.start();
    const owner = rig.trader(100_000_000n);
    const order = rig.order({ owner, market, price: 520_000n, deposit: 10_000_000n });
    await rig.runUntilClosed(order);
    // 10 contracts at 51 cents, and 7 % of 10 x 0.51 x 0.49.
    expect(rig.held(owner, market)).toBe(10n * MICRO_PER_CONTRACT);
    expect(rig.tokens(owner)).toBe(100_000_000n - 5_100_000n - 174_930n);
    expect(rig.vaultTokens).toBe(HOUSE_FUNDS + 5_100_000n + 174_930n);
    expect(rig.metrics.countsOf('sluice_predictions_transactions_total')).toEqual({
      'fill success': 1,
      'close-order success': 1,
    });
    expect(rig.defects).toEqual([]);
    await rig.closeAll();
  });

  it('begins no second round while the first one waits, so that it opens the exchange once', async () => {
    const rig = new PredictionRig(opened.store);
    let claims = 0;
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const leases: Leases = {
      leaseMs: 10_000,
      take: async () => null,
      claim: async () => {
        claims++;
        await held;
        return null;
      },
      keep: async () => new Map(),
      holder: async () => null,
      release: async () => undefined,
    };
    await rig.start({ leases });
    await rig.pass(3);
    expect(claims).toBe(1);
    answer();
    await rig.runUntil(() => claims > 2);
    expect(rig.defects).toEqual([]);
    await rig.closeAll();
  });
});
