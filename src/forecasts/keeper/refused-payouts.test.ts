import { describe, expect, it } from 'vitest';
import type { KeeperWork, WorkOutcome } from '../../predictions/keeper/sending/keeper-sender.ts';
import type { Address } from '../../solana/address.ts';
import { NO_METRICS } from '../../common/ports/metrics.ts';
import { createTestRound } from '../../testing/forecasts/test-forecast-accounts.ts';
import { ForecastTestWorld } from '../../testing/forecasts/forecast-world.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { deriveOutcomeTokens } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import { TOKEN_2022_PROGRAM } from '../../solana/program-addresses.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import { ordinaryTokenAccount } from '../../testing/token-account.ts';
import { readForecastRound } from '../rounds/read-forecast-round.ts';
import { type EndedRound, RoundPayouts } from './round-payouts.ts';

// What becomes of the holders that share a transaction with one whose payout is refused.

describe('RoundPayouts with a holder that the program refuses', () => {
  it('pays the others in the same turn, and tries that one again after a pause', async () => {
    const { payouts, round, accounts, paid, attempts, timers, refuse } = open(7);
    refuse((instructions) => instructions.findIndex(({ account }) => account === accounts[2]));
    expect(await payouts.pay(round)).toBe('again');
    expect(paid.sort()).toEqual(accounts.filter((_, index) => index !== 2).sort());
    expect(payouts.waiting).toBe(1);
    const before = attempts();
    expect(await payouts.pay(round)).toBe('failed');
    expect(attempts()).toBe(before);
    timers.advance(30_000);
    refuse(() => -1);
    expect(await payouts.pay(round)).toBe('again');
    expect(paid).toHaveLength(7);
    expect(await payouts.pay(round)).toBe('done');
    expect([payouts.isEmpty(round), payouts.waiting]).toEqual([true, 0]);
  });

  it('sends fewer at a time where the transaction as a whole is refused', async () => {
    const { payouts, round, paid, timers, refuse } = open(5);
    refuse((instructions) => (instructions.length > 2 ? null : -1));
    for (let turn = 0; turn < 4; turn++) {
      await payouts.pay(round);
      timers.advance(60_000);
    }
    expect(paid).toHaveLength(5);
  });

  it('keeps those for the next turn that nobody pays for now', async () => {
    const { payouts, round, paid, refuse, fail } = open(3);
    fail({ kind: 'gas', isWallet: true });
    expect(await payouts.pay(round)).toBe('failed');
    expect([paid, payouts.waiting]).toEqual([[], 0]);
    refuse(() => -1);
    expect(await payouts.pay(round)).toBe('again');
    expect(paid).toHaveLength(3);
  });

  function open(holders: number) {
    const world = new ForecastTestWorld();
    const timers = new ManualTimers();
    const { address, round, data } = createTestRound({ status: 'up' });
    const supply = BigInt(holders) * 2_000_000n;
    const mint = { mintAuthority: null, decimals: 6, freezeAuthority: null, extensions: [] };
    const setMint = (to: Address, amount: bigint) =>
      world.network.setData(to, TOKEN_2022_PROGRAM, encodeMint({ ...mint, supply: amount }));
    setMint(round.upMint, supply);
    setMint(round.downMint, 0n);
    const accounts = Array.from({ length: holders }, () => {
      const owner = world.trader();
      const account = deriveOutcomeTokens(owner, round.upMint);
      const held = ordinaryTokenAccount({ mint: round.upMint, owner, amount: 2_000_000n });
      world.network.setData(account, TOKEN_2022_PROGRAM, held);
      return account;
    });
    const paid: Address[] = [];
    let runs = 0;
    let judge: (instructions: readonly { readonly account: Address | undefined }[]) => number | null = () =>
      -1;
    let failure: WorkOutcome | null = null;
    const run = async ({ instructions }: KeeperWork): Promise<WorkOutcome> => {
      runs++;
      if (failure !== null) return failure;
      const named = instructions.map((each) => ({ account: each.accounts[3]?.address }));
      const at = judge(named);
      if (at !== -1) return { kind: 'refused', at, failure: REFUSED };
      for (const { account } of named) {
        if (account === undefined) continue;
        paid.push(account);
        world.network.setAccount(account, { ...NOTHING, owner: TOKEN_2022_PROGRAM });
      }
      if (paid.length === holders) setMint(round.upMint, 0n);
      return { kind: 'done' };
    };
    const payouts = new RoundPayouts({
      chain: world.chain,
      sender: { run },
      operator: world.operator.address,
      timers,
      mayGoOn: () => true,
      onOutcome: () => undefined,
      paid: NO_METRICS.counter('paid', ''),
    });
    return {
      payouts,
      round: readForecastRound(address, data) as EndedRound,
      accounts,
      paid,
      timers,
      attempts: () => runs,
      refuse: (by: typeof judge) => {
        [judge, failure] = [by, null];
      },
      fail: (outcome: WorkOutcome) => {
        failure = outcome;
      },
    };
  }
});

const REFUSED = { code: 6016, program: null, callers: [], message: 'InvalidTokenAccount' };
const NOTHING = { lamports: 0n, data: new Uint8Array(0), executable: false, rentEpoch: 0n };
