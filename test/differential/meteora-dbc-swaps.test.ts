import { describe, expect, it } from 'vitest';
import { configCase } from '../../programs/meteora-dbc/tests/cases.ts';
import { describeLaunch, PAYER, prepare, QUOTE, setClock } from '../../programs/meteora-dbc/tests/fixture.ts';
import {
  layOut,
  readPool,
  REFERRALS,
  USER,
  USER_TOKENS,
  userParties,
  writeLaunch,
  writeUser,
} from '../../programs/meteora-dbc/tests/swap-fixture.ts';
import {
  HALF,
  launchCase,
  NOW,
  SLOT,
  type SwapCase,
  swapCase,
} from '../../programs/meteora-dbc/tests/swap-cases.ts';
import { instructionOf, lives } from '../../programs/meteora-dbc/tests/swap-lives.ts';
import { token, writeTokenAccount, writeWallet } from '../../programs/raydium-cpmm/tests/fixture.ts';
import { swap2Dbc, swapDbc } from '../../src/protocols/meteora-dbc/program/instructions-swap.ts';
import { METEORA_DBC_PROGRAM } from '../../src/protocols/meteora-dbc/program/program.ts';
import type { Instruction } from '../../src/solana/messages/instruction.ts';
import { U64_MAX } from '../../src/solana/units.ts';
import { sampleCases } from '../../src/testing/random.ts';
import { yieldToOtherWork } from '../../src/testing/waits.ts';
import { Comparison, compareCases, compareWrongAccounts } from './comparison.ts';
import { transactions } from './meteora-dbc/swap-transactions.ts';
import { validSwapsAndClaims } from './meteora-dbc/valid-swaps.ts';
import { PUBLIC_PROGRAM, readDump, Twin } from './twin.ts';

const dump = readDump(METEORA_DBC_PROGRAM);

describe.skipIf(dump === null)('swaps of meteora-dbc and of the public program', () => {
  it('do the same in single swaps of pools of every kind', async () => {
    const networks = twin();
    const cases = sampleCases(swapCase, { cases: 6_000, seed: SEED, against: PUBLIC_PROGRAM });
    const errors = new Map<string, number>();
    await compareCases(new Comparison('single swaps', networks), cases, (each, index) => {
      const instruction = swapOf(networks, each, index);
      const { error } = networks.standIn.simulate([instruction]);
      const end = error === null ? 'executed' : `${error.custom ?? error.kind}`;
      errors.set(end, (errors.get(end) ?? 0) + 1);
      return networks.difference(instruction);
    });
    process.stdout.write(`${[...errors].map(([end, count]) => `${end} ${count}`).join(', ')}\n`);
    expect(errors.get('executed')).toBeGreaterThan(cases.length / 3);
  });

  it('do the same through the lives of pools', async () => {
    const networks = twin();
    const comparison = new Comparison('steps in the lives of pools', networks);
    const all = sampleCases(lives, { cases: 200, seed: SEED, against: PUBLIC_PROGRAM });
    for (const [index, life] of all.entries()) {
      await yieldToOtherWork();
      const launch = layOut(`life ${index}`, [
        token(`dbc life ${index}`, [], life.isToken2022),
        token('dbc quote'),
      ]);
      networks.both((network) => {
        setClock(network, { slot: SLOT, time: NOW });
        writeLaunch(network, launch, life.launch);
        writeUser(network, launch, [1n << 62n, 1n << 62n]);
      });
      let time = NOW;
      for (const [at, { step, seconds }] of life.steps.entries()) {
        time += seconds;
        networks.both((network) => setClock(network, { slot: SLOT + (time - NOW) * 2n, time }));
        const pool = readPool(networks.publicBuild, launch.pool);
        comparison.add(networks.difference(instructionOf(launch, pool, step)), { pool: index, at, step });
      }
    }
    comparison.finish();
  });

  it('do the same in transactions that swap several times, directly or through other programs', async () => {
    const networks = twin();
    networks.both((network) => network.loadShipped('aggregator'));
    const comparison = new Comparison('transactions with several swaps', networks);
    const cases = sampleCases(launchCase, { cases: 150, seed: SEED, against: PUBLIC_PROGRAM });
    for (const [index, each] of cases.entries()) {
      await yieldToOtherWork();
      const launch = layOut(`sent ${index}`);
      const write = () =>
        networks.both((network) => {
          writeLaunch(network, launch, each);
          writeUser(network, launch, [1n << 62n, 1n << 62n]);
        });
      write();
      for (const [name, sent] of transactions(networks.standIn, launch)) {
        write();
        comparison.add(networks.transactionDifference(sent, [launch.pool]), { pool: index, name });
      }
    }
    comparison.finish();
  });

  it('charge the same for the first swaps of pools, in and after the transaction that creates them', async () => {
    const networks = twin();
    networks.both((network) => network.loadShipped('token-metadata'));
    networks.both((network) => prepare(network));
    const comparison = new Comparison('transactions with the first swap', networks);
    let executed = 0;
    const cases = sampleCases(configCase, { cases: 300, seed: SEED, against: PUBLIC_PROGRAM });
    for (const [index, changes] of cases.entries()) {
      if (index % 20 === 0) await yieldToOtherWork();
      networks.both((network) => writeWallet(network, PAYER));
      const { keys, instructions } = describeLaunch({ name: `first ${index}`, changes });
      const [config, creation] = instructions;
      comparison.addPreparation(networks.difference(config), changes);
      const base = { ...token('base'), mint: keys.baseMint, tokenProgram: keys.tokenBaseProgram };
      networks.both((network) => {
        writeTokenAccount(network, USER_TOKENS[0], USER, base, 0n);
        writeTokenAccount(network, USER_TOKENS[1], USER, QUOTE, 1n << 62n);
      });
      const parties = userParties(true, { showsInstructions: index % 5 !== 0 });
      const amount = changes.migrationQuoteThreshold / BigInt(2 + (index % 50)) + 1n;
      const purchase = swapDbc(keys, parties, { amountIn: amount, minimumAmountOut: 0n });
      for (const sent of [[creation, purchase], [purchase]]) {
        if (networks.standIn.simulate(sent).error === null) executed++;
        comparison.add(networks.transactionDifference(sent, [keys.pool]), { index, changes });
      }
    }
    comparison.finish();
    expect(executed).toBeGreaterThan(cases.length / 2);
  });

  it('refuse the same wrong accounts, in the same way', async () => {
    const networks = twin();
    const comparison = new Comparison('swaps and claims with wrong accounts', networks);
    await compareWrongAccounts(comparison, validSwapsAndClaims(networks));
  });
});

const SEED = 20_261_131;

function twin(): Twin {
  if (dump === null) throw new Error('no dump');
  const networks = new Twin('meteora-dbc', METEORA_DBC_PROGRAM, dump, { comparesCalls: true });
  networks.both((network) => setClock(network, { slot: SLOT, time: NOW }));
  return networks;
}

/** Writes the case, and returns its swap. Exact inputs take both forms in turn. */
function swapOf(networks: Twin, each: SwapCase, index: number): Instruction {
  const { amount, isPurchase, mode, hasReferral, showsInstructions, isToken2022 } = each;
  const name = isToken2022 ? 'twin 2022' : 'twin';
  const launch = layOut(name, [token(`dbc ${name}`, [], isToken2022), token('dbc quote')]);
  networks.both((network) => {
    writeLaunch(network, launch, each.launch);
    writeUser(network, launch, isPurchase ? [0n, HALF] : [HALF, 0n]);
  });
  const feeSide = isPurchase && each.launch.config.collectFeeMode === 1 ? 0 : 1;
  const parties = userParties(isPurchase, {
    showsInstructions,
    ...(hasReferral ? { referralTokenAccount: REFERRALS[feeSide] } : {}),
  });
  if (mode === 0 && index % 2 === 0)
    return swapDbc(launch, parties, { amountIn: amount, minimumAmountOut: 0n });
  return swap2Dbc(launch, parties, { amount0: amount, amount1: mode === 2 ? U64_MAX : 0n, swapMode: mode });
}
