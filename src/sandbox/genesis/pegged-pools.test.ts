import { getGenesisPools } from '../../protocol/genesis/venue-genesis.ts';
import { splStakePoolGenesis } from '../../protocols/spl-stake-pool/genesis.ts';
import { saberGenesis } from '../../protocols/saber/genesis.ts';
import { describe, expect, it } from 'vitest';
import {
  deriveTokenAccountAddress,
  GenesisNetwork,
  getTokenBySymbol,
} from '../../testing/svm/genesis-network.ts';
import type { Quote, Venue } from '../../protocol/venue/venue.ts';
import { saber } from '../../protocols/saber/venue.ts';
import { swap } from '../../protocols/saber/instructions.ts';
import { splStakePool } from '../../protocols/spl-stake-pool/venue.ts';
import {
  stakeWrappedSol,
  updateStakePoolBalance,
  withdrawWrappedSol,
} from '../../protocols/spl-stake-pool/instructions.ts';
import type { SplStakePool } from '../../protocols/spl-stake-pool/pool.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { computeAtomsWorth } from '../../protocol/genesis/prices.ts';
import { openForEach } from '../../testing/opened.ts';

const on = openForEach(() => new GenesisNetwork(['spl-stake-pool', 'stakedex', 'saber']));

describe("the genesis' stake pool", () => {
  it('has lamports for the whole supply of JitoSOL, at the rate of the price table', () => {
    const { totalLamports, tokenSupply, withdrawable } = stakePool();
    const million = 1_000_000n;
    const ideal = (tokenSupply * computeAtomsWorth(million, SOL)) / computeAtomsWorth(million, JITOSOL);
    const off = totalLamports - ideal;
    expect(off > -1_000_000n && off < 1_000_000n).toBe(true);
    expect(withdrawable).toBe(totalLamports);
    const supply = on.network.account(JITOSOL.mint)?.data ?? new Uint8Array();
    expect(new DataView(supply.buffer, supply.byteOffset).getBigUint64(36, true)).toBe(tokenSupply);
  });

  it('swaps SOL both ways as quoted, at a rate that does not depend on the size', () => {
    on.fund(on.alice, SOL, 10n * HUNDRED_SOL);
    const wrapped = {
      authority: on.alice,
      source: deriveTokenAccountAddress(on.alice, SOL),
      destination: deriveTokenAccountAddress(on.alice, JITOSOL),
    };
    const deposit = splStakePool.quoteExactIn(stakePool(), SOL.mint, HUNDRED_SOL, clock());
    expectPaid(deposit, stakeWrappedSol(stakePool(), wrapped, HUNDRED_SOL), SOL, JITOSOL);
    const tokens = deposit?.outAmount ?? 0n;
    const back = { ...wrapped, source: wrapped.destination, destination: wrapped.source };
    const withdrawal = splStakePool.quoteExactIn(stakePool(), JITOSOL.mint, tokens, clock());
    expectPaid(withdrawal, withdrawWrappedSol(stakePool(), back, tokens), JITOSOL, SOL);
    // A thousandth for the manager, a ten-thousandth for the wrapper.
    const returned = ((withdrawal?.outAmount ?? 0n) * 10_000n) / HUNDRED_SOL;
    expect(returned).toBe(9989n);
    const tenfold = splStakePool.quoteExactIn(stakePool(), SOL.mint, 10n * HUNDRED_SOL, clock());
    expect((tenfold?.outAmount ?? 0n) / 10n - tokens).toBeLessThanOrEqual(1n);
  });

  it('trades only in the epoch of its last update, and anybody may update it', () => {
    on.network.setEpoch(1n);
    expect(splStakePool.quoteExactIn(stakePool(), SOL.mint, HUNDRED_SOL, clock())).toBeNull();
    on.fund(on.alice, SOL, HUNDRED_SOL);
    const wrapped = {
      authority: on.alice,
      source: deriveTokenAccountAddress(on.alice, SOL),
      destination: deriveTokenAccountAddress(on.alice, JITOSOL),
    };
    const deposit = stakeWrappedSol(stakePool(), wrapped, HUNDRED_SOL);
    expect(on.send([deposit], on.alice).error?.custom).toBe(17);
    const before = stakePool();
    expect(on.send([updateStakePoolBalance(stakePool())], on.bob).error).toBeNull();
    const { totalLamports, tokenSupply } = stakePool();
    expect([totalLamports, tokenSupply]).toEqual([before.totalLamports, before.tokenSupply]);
    expectPaid(
      splStakePool.quoteExactIn(stakePool(), SOL.mint, HUNDRED_SOL, clock()),
      ...([deposit, SOL, JITOSOL] as const),
    );
  });
});

describe("the genesis' stable pool", () => {
  it('swaps dollars for dollars, as quoted, for little more than its fee', () => {
    const [pool] = getGenesisPools(on.genesis, saberGenesis);
    if (pool === undefined) throw new Error('the genesis has no stable pool');
    const [usdc, usdt] = [getTokenBySymbol('USDC'), getTokenBySymbol('USDT')];
    for (const [from, to] of [
      [usdc, usdt],
      [usdt, usdc],
    ] as const) {
      const amount = 5_000_000_000n;
      const quote = saber.quoteExactIn(decoded(saber, pool.address), from.mint, amount, clock());
      expect(quote?.outAmount).toBeGreaterThan((amount * 9998n) / 10_000n);
      const user = {
        authority: on.alice,
        source: deriveTokenAccountAddress(on.alice, from),
        destination: deriveTokenAccountAddress(on.alice, to),
      };
      expectPaid(quote, swap(pool, from.mint, user, amount, 0n), from, to);
    }
  });
});

const SOL = getTokenBySymbol('SOL');
const JITOSOL = getTokenBySymbol('JitoSOL');
const HUNDRED_SOL = 100_000_000_000n;

function decoded<S extends { address: Address; mints: readonly [Address, Address] }>(
  venue: Venue<S>,
  address: Address,
): S {
  const state = venue.decode(address, (each) => on.network.account(each));
  if ('unusable' in state) throw new Error(state.unusable);
  return state;
}

function stakePool(): SplStakePool {
  const [pool] = getGenesisPools(on.genesis, splStakePoolGenesis);
  if (pool === undefined) throw new Error('the genesis has no stake pool');
  return decoded(splStakePool, pool.address);
}

const clock = () => ({ slot: 0n, epoch: on.network.svm.getClock().epoch, unixTimestamp: 1_800_000_000n });

/** Runs it for the first demo wallet, which gives the one token and gets the other as was quoted. */
function expectPaid(quote: Quote | null, instruction: Instruction, from: typeof SOL, to: typeof SOL): void {
  const before = [on.balance(on.alice, from), on.balance(on.alice, to)] as const;
  const outcome = on.send([instruction], on.alice);
  expect(outcome.error, outcome.logs.join('\n')).toBeNull();
  expect(before[0] - on.balance(on.alice, from)).toBe(quote?.inAmount);
  expect(on.balance(on.alice, to) - before[1]).toBe(quote?.outAmount);
}
