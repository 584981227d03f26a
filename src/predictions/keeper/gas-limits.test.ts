import { describe, expect, it } from 'vitest';
import { MICRO_PER_CONTRACT } from '../../exchange/exchange.ts';
import { derivePredictionTokens } from '../../protocols/jupiter-prediction/prediction-program.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { closeAccount } from '../../solana/programs/token/instructions.ts';
import { openForEach } from '../../testing/opened.ts';
import { PredictionRig } from '../../testing/predictions/prediction-rig.ts';
import { openTestStore } from '../../testing/store/test-store.ts';

// The keeper's gas when traders try to use it up, for themselves and for others.

const opened = openForEach(() => openTestStore('sqlite'), 'cleanUp');
const TEN = 10n * MICRO_PER_CONTRACT;

describe('PredictionKeeper with limits of gas', () => {
  it('fills the orders of others that share a transaction with one whose wallet has used up its gas', async () => {
    const rig = new PredictionRig(opened.store);
    const market = rig.market({ house: { startCents: 50, levelContracts: 0n } });
    // A fill has two signatures, and closing an order has one.
    rig.limits = { ...rig.limits, perWallet: 24_000n };
    await rig.start();
    await rig.pass(2);
    const [maker, spender, innocent] = [rig.trader(), rig.trader(), rig.trader()];
    const sell = { market, isYes: false } as const;
    const first = rig.order({ owner: maker, market, price: 500_000n, isLimit: true });
    await rig.pass(2);
    await rig.runUntilClosed(rig.order({ owner: spender, ...sell, price: 500_000n }), first);
    const second = rig.order({
      owner: rig.trader(),
      market,
      price: 500_000n,
      isLimit: true,
      contracts: 3n * TEN,
    });
    await rig.pass(2);
    // While this one is on its way, the others wait for the resting order, and go together afterwards.
    const early = rig.order({ owner: rig.trader(), ...sell, price: 500_000n });
    const late = rig.order({ owner: spender, ...sell, price: 500_000n });
    const taking = rig.order({ owner: innocent, ...sell, price: 500_000n });
    await rig.runUntilClosed(early, late, taking);
    expect(rig.held(spender, market, false)).toBe(TEN);
    expect(rig.held(innocent, market, false)).toBe(TEN);
    expect(rig.isOpen(second)).toBe(true);
    await rig.closeAll();
  });

  it('fills orders while wallets that close their token accounts have it open these again and again', async () => {
    const rig = new PredictionRig(opened.store);
    const market = rig.market();
    rig.limits = { ...rig.limits, inAll: 4n * (2_039_280n + 5_000n) + 9_000n };
    await rig.start();
    await rig.pass(2);
    for (let wallets = 0; wallets < 12; wallets++) {
      const owner = rig.trader(5_000_000n);
      const account = derivePredictionTokens(owner);
      // It is not filled, so that the keeper gives its deposit back.
      rig.order({ owner, market, price: 400_000n, contracts: 1_000_000n, deposit: 5_000_000n });
      rig.must(
        rig.network.send([closeAccount(TOKEN_PROGRAM, { account, destination: owner, authority: owner })]),
      );
    }
    await rig.pass(20);
    const owner = rig.trader();
    await rig.runUntilClosed(rig.order({ owner, market }));
    expect(rig.held(owner, market)).toBe(TEN);
    await rig.closeAll();
  });
});
