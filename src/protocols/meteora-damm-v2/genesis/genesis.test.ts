import { getGenesisPools } from '../../../protocol/genesis/venue-genesis.ts';
import { meteoraDammV2Genesis } from './genesis.ts';
import { describe, expect, it } from 'vitest';
import {
  type CustomPoolTerms,
  initializeCustomizablePool,
  removeAllLiquidity,
} from '../../../../programs/meteora-damm-v2/tests/instructions.ts';
import {
  deriveTokenAccountAddress,
  GenesisNetwork,
  getTokenByMint,
} from '../../../testing/svm/genesis-network.ts';
import type { TestNetwork } from '../../../testing/svm/network.ts';
import { deriveDammPositionAddress, deriveDammPositionTokenAddress } from '../program/addresses.ts';
import { meteoraDammV2 } from '../venue.ts';
import { swap } from '../instructions.ts';
import { decodeTerms, readChanges } from '../program/layout.ts';
import type { MeteoraDammV2Pool } from '../pool.ts';
import type { Address } from '../../../solana/address.ts';
import { TOKEN_2022_PROGRAM } from '../../../solana/program-addresses.ts';
import type { GenesisMeteoraPool } from './genesis.ts';
import { computeAtomsWorth } from '../../../protocol/genesis/prices.ts';

const on = new GenesisNetwork(['meteora-damm-v2']);
const { genesis, network, alice } = on;
network.setUnixTime(1_800_000_000n);
const clock = { slot: 1n, epoch: 0n, unixTimestamp: network.svm.getClock().unixTimestamp };

const named = getGenesisPools(genesis, meteoraDammV2Genesis).map((pool) => ({
  pool,
  name: pool.mints.map((mint) => getTokenByMint(mint).symbol).join('/'),
}));

describe('genesis DAMM v2 pools', () => {
  it.each(named)('swap for the demo wallet, as quoted, both ways: $name', ({ pool }) => {
    for (const [input, output] of [pool.mints, [...pool.mints].reverse()] as [Address, Address][]) {
      for (const usd of [1n, 20n]) {
        const state = decodeMeteoraState(pool);
        const amount = computeAtomsWorth(usd, getTokenByMint(input));
        on.fund(alice, getTokenByMint(input), amount);
        const [source, destination] = [
          deriveTokenAccountAddress(alice, getTokenByMint(input)),
          deriveTokenAccountAddress(alice, getTokenByMint(output)),
        ];
        const before = [network.tokenBalance(source), network.tokenBalance(destination)] as const;
        const quote = meteoraDammV2.quoteExactIn(state, input, amount, clock);
        if (quote === null) throw new Error('no quote');
        const user = { authority: alice, source, destination };
        const outcome = on.send([swap(state, user, amount, quote.outAmount)], alice);
        expect(outcome.error, outcome.logs.join('\n')).toBeNull();
        expect(before[0] - network.tokenBalance(source)).toBe(amount);
        expect(network.tokenBalance(destination) - before[1]).toBe(quote.outAmount);
      }
    }
  });

  it.each(named)('price as the genesis does, to within their fees: $name', ({ pool }) => {
    const [a, b] = pool.mints;
    const quote = meteoraDammV2.quoteExactIn(
      decodeMeteoraState(pool),
      a,
      computeAtomsWorth(1n, getTokenByMint(a)),
      clock,
    );
    const ratio = Number(quote?.outAmount ?? 0n) / Number(computeAtomsWorth(1n, getTokenByMint(b)));
    expect(ratio).toBeGreaterThan(getTokenByMint(a).symbol === 'BERN' ? 0.9 : 0.985);
    expect(ratio).toBeLessThan(1.001);
  });

  it.each(named)('stand as their creation leaves them: $name', ({ pool }) => {
    const owner = genesis.keys.poolCreator.address;
    const { address, mints, vaults, positionMint } = pool;
    const position = [
      positionMint,
      deriveDammPositionTokenAddress(positionMint),
      deriveDammPositionAddress(positionMint),
    ];
    const parts = [address, ...vaults, ...position];
    const written = new GenesisNetwork().network;
    const made = new GenesisNetwork(['meteora-damm-v2'], new Set(parts));
    const amounts = vaults.map((vault) => written.tokenBalance(vault));
    const tokens = mints.map((mint, side) => {
      // Enough that what its transfer fee keeps does not matter.
      made.fund(owner, getTokenByMint(mint), ((amounts[side] ?? 0n) * 5n) / 4n);
      return deriveTokenAccountAddress(owner, getTokenByMint(mint));
    }) as [Address, Address];
    const state = decodeMeteoraState(pool);
    const outcome = made.send(
      [
        initializeCustomizablePool(
          state,
          { owner, tokens, positionMint },
          readCustomPoolTerms(address, written),
        ),
      ],
      owner,
    );
    expect(outcome.error, outcome.logs.join('\n')).toBeNull();
    returnPosition(pool, written);
    for (const part of parts) {
      const [ours, theirs] = [written.account(part), made.network.account(part)];
      const withheld = vaults.includes(part) && ours?.owner === TOKEN_2022_PROGRAM ? 165 : undefined;
      expect(ours?.data.subarray(0, withheld), part).toEqual(theirs?.data.subarray(0, withheld));
      expect(ours?.lamports, part).toBe(theirs?.lamports);
    }
  });

  it.each(named)('give their maker all tokens back: $name', ({ pool }) => {
    const owner = genesis.keys.poolCreator.address;
    returnPosition(pool, network);
    const tokens = pool.mints.map((mint) => {
      on.fund(owner, getTokenByMint(mint), 1n);
      return deriveTokenAccountAddress(owner, getTokenByMint(mint));
    }) as [Address, Address];
    const position = { owner, tokens, positionMint: pool.positionMint };
    const outcome = on.send([removeAllLiquidity(decodeMeteoraState(pool), position, [0n, 0n])], owner);
    expect(outcome.error, outcome.logs.join('\n')).toBeNull();
    // What rounding, fees and a share that belongs to nobody leave is little.
    const [left] = pool.vaults.map((vault) => network.tokenBalance(vault)) as [bigint, bigint];
    expect(left).toBeLessThan(computeAtomsWorth(10n, getTokenByMint(pool.mints[0])));
  });
});

function decodeMeteoraState({ address }: GenesisMeteoraPool): MeteoraDammV2Pool {
  const state = meteoraDammV2.decode(address, (at) => network.account(at));
  if ('unusable' in state) throw new Error(`${address}: ${state.unusable}`);
  return state;
}

/** Where a token account holds its amount, and one token as it is written there. */
const AMOUNT_OFFSET = 64;
const ONE = Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0);

/** Gives the token of the pool's position back to the pool's maker. The demo wallet holds that of one pool. */
function returnPosition({ positionMint }: GenesisMeteoraPool, to: TestNetwork): void {
  const address = deriveDammPositionTokenAddress(positionMint);
  const account = to.account(address);
  if (account === null) throw new Error(`no token account at ${address}`);
  const data = Uint8Array.from(account.data);
  data.set(ONE, AMOUNT_OFFSET);
  to.setAccount(address, { ...account, data });
}

/** The arguments with which the pool is created as the genesis has it. */
function readCustomPoolTerms(address: Address, written: TestNetwork): CustomPoolTerms {
  const data = written.account(address)?.data ?? new Uint8Array(0);
  const terms = decodeTerms(data);
  const { liquidity, sqrtPrice } = readChanges(data);
  return { ...terms, liquidity, sqrtPrice, hasAlphaVault: false, activationPoint: 0n };
}
