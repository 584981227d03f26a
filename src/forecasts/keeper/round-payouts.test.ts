import { describe, expect, it } from 'vitest';
import {
  deriveForecastUsdc,
  deriveForecastVault,
  FORECAST_USDC,
} from '../../protocols/bisonfi-forecast/forecast-program.ts';
import type { Address } from '../../solana/address.ts';
import { findProgramAddress } from '../../solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { openForEach } from '../../testing/opened.ts';
import { ForecastRig } from '../../testing/forecasts/forecast-rig.ts';
import { WORLD_START } from '../../testing/forecasts/forecast-world.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { ordinaryTokenAccount } from '../../testing/token-account.ts';

// Who is paid after a round, and who cannot keep others from being paid. The price does not move, so the side `up` wins.

const opened = openForEach(() => openTestStore('sqlite'), 'cleanUp');
describe('ForecastKeeper with payouts', () => {
  it('pays whoever holds the tokens, also many holders at a time', async () => {
    const { rig, round } = await start();
    const owners = Array.from({ length: 23 }, () => rig.trader());
    const won = owners.map((owner, index) =>
      rig.balance(rig.buy(owner, round, index % 2 ? 'up' : 'down', 5n * USD)),
    );
    await rig.runUntil(WORLD_START + 305);
    for (const [index, owner] of owners.entries())
      expect(rig.usdc(owner)).toBe(995n * USD + (index % 2 ? (won[index] ?? 0n) : 0n));
    // Five token accounts go into one transaction.
    expect(rig.metrics.countsOf('sluice_forecasts_transactions_total')['pay success']).toBe(5);
    await rig.closeAll();
  });

  it('pays others while thousands of token accounts hold dust that cannot be paid', async () => {
    const { rig, round } = await start();
    const [attacker, honest] = [rig.trader(), rig.trader()];
    const source = rig.buy(attacker, round, 'up', 100n * USD);
    const account = rig.buy(honest, round, 'up', 10n * USD);
    const mint = rig.forecasts.rounds.find(round)?.up.mint as Address;
    for (let dust = 0; dust < 3_000; dust++) rig.splitTokens(source, rig.network.newAddress(), mint, 10n);
    const won = rig.balance(account);
    await rig.runUntil(WORLD_START + 310);
    expect(rig.usdc(honest)).toBe(990n * USD + won);
    expect(rig.usdc(attacker)).toBeGreaterThan(900n * USD);
    // The rounds go on meanwhile.
    expect(rig.statusOf(rig.roundAt(WORLD_START + 300))).toBe('open');
    await rig.closeAll();
  });

  it('leaves what a program owns to that program for a day, and then closes the round all the same', async () => {
    const { rig, round } = await start();
    const owner = rig.trader();
    const source = rig.buy(owner, round, 'up', 10n * USD);
    const { address: pool } = findProgramAddress(SYSTEM_PROGRAM, [Buffer.from('pool')]);
    const mint = rig.forecasts.rounds.find(round)?.up.mint as Address;
    const held = rig.moveTokens(source, pool, mint);
    const amount = rig.balance(held);
    await rig.runUntil(WORLD_START + 400);
    expect(rig.balance(held)).toBe(amount);
    expect(rig.metrics.read('sluice_forecasts_payouts_waiting')).toEqual({ '': 1 });
    const { settledAt = 0n } = rig.readRound(round) ?? {};
    await rig.jump(Number(settledAt) + DAY + 1);
    await rig.passLong();
    expect(rig.statusOf(round)).toBeNull();
    await rig.closeAll();
  });

  it('opens an account of USDC for a dollar and more, and waits for the owner below that', async () => {
    const { rig, round } = await start();
    const [rich, poor] = [rig.trader(), rig.trader()];
    const won = rig.balance(rig.buy(rich, round, 'up', 5n * USD));
    const few = rig.buy(poor, round, 'up', USD / 4n);
    for (const owner of [rich, poor]) rig.closeUsdc(owner);
    const held = rig.balance(few);
    await rig.runUntil(WORLD_START + 310);
    expect(rig.usdc(rich)).toBe(won - USD / 2n);
    expect(rig.balance(few)).toBe(held);
    rig.give(poor, 0n);
    await rig.passLong();
    expect(rig.usdc(poor)).toBe(held);
    await rig.closeAll();
  });

  it('pays others however many accounts of USDC it has to open in a round', async () => {
    const rig = new ForecastRig(opened.store);
    rig.payoutLimits = { perWallet: 100_000n, inAll: 100_000n };
    await rig.start();
    const round = rig.roundAt();
    const closed = Array.from({ length: 30 }, () => rig.trader());
    for (const owner of closed) {
      rig.buy(owner, round, 'up', 5n * USD);
      rig.closeUsdc(owner);
    }
    const owner = rig.trader();
    const won = rig.balance(rig.buy(owner, round, 'up', USD));
    await rig.runUntil(WORLD_START + 310);
    expect(rig.usdc(owner)).toBe(999n * USD + won);
    for (const each of closed) expect(rig.usdc(each)).toBeGreaterThan(5n * USD);
    await rig.closeAll();
  });

  it('pays again after a snapshot was restored from before a payout', async () => {
    const rig = new ForecastRig(opened.store);
    rig.payoutLimits = { perWallet: 0n, inAll: 0n };
    await rig.start();
    const round = rig.roundAt();
    const owner = rig.trader();
    const account = rig.buy(owner, round, 'up', 10n * USD);
    await rig.runUntil(WORLD_START + 301);
    const mint = rig.forecasts.rounds.find(round)?.up.mint as Address;
    const restore = rig.save(round, mint, account, deriveForecastUsdc(owner), deriveForecastVault(round));
    await rig.closeAll();
    rig.payoutLimits = rig.limits;
    await rig.start();
    await rig.run(2);
    const paid = rig.usdc(owner);
    expect(paid).toBeGreaterThan(990n * USD);
    restore();
    expect(rig.usdc(owner)).toBe(990n * USD);
    await rig.run(2);
    expect(rig.usdc(owner)).toBe(paid);
    await rig.closeAll();
  });

  it('pays those beside a holder whose account of USDC belongs to somebody else', async () => {
    const { rig, round } = await start();
    const owners = [rig.trader(), rig.trader(), rig.trader()];
    const [, odd] = owners as [Address, Address, Address];
    const accounts = owners.map((owner) => rig.buy(owner, round, 'up', 10n * USD));
    const won = accounts.map((account) => rig.balance(account));
    const stolen = ordinaryTokenAccount({ mint: FORECAST_USDC, owner: rig.operator.address, amount: 0n });
    rig.network.setData(deriveForecastUsdc(odd), TOKEN_PROGRAM, stolen);
    await rig.runUntil(WORLD_START + 310);
    expect(owners.map((owner) => rig.usdc(owner))).toEqual([
      990n * USD + (won[0] ?? 0n),
      0n,
      990n * USD + (won[2] ?? 0n),
    ]);
    await rig.closeAll();
  });

  it('pays again when the budget of payouts allows it, and opens rounds meanwhile', async () => {
    const rig = new ForecastRig(opened.store);
    rig.payoutLimits = { perWallet: 0n, inAll: 0n };
    await rig.start();
    const owner = rig.trader();
    rig.buy(owner, rig.roundAt(), 'up', 10n * USD);
    await rig.runUntil(WORLD_START + 310);
    expect(rig.usdc(owner)).toBe(990n * USD);
    expect(rig.statusOf(rig.roundAt(WORLD_START + 300))).toBe('open');
    expect(rig.metrics.countsOf('sluice_forecasts_transactions_total')['pay gas']).toBeGreaterThan(0);
    await rig.closeAll();
    rig.payoutLimits = { perWallet: 1_000_000n, inAll: 1_000_000n };
    await rig.start();
    await rig.run(2);
    expect(rig.usdc(owner)).toBeGreaterThan(990n * USD);
    await rig.closeAll();
  });
});

async function start() {
  const rig = new ForecastRig(opened.store);
  await rig.start();
  return { rig, round: rig.roundAt() };
}

const USD = 1_000_000n;
const DAY = 86_400;
