import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestMarket } from '../testing/genesis-market/open.ts';
import { computeGenesisAtoms } from '../testing/genesis-market/price.ts';
import { type Address, address } from '../solana/address.ts';
import { ExtensionType } from '../solana/programs/token/extensions.ts';
import { decodeMint, encodeMint } from '../solana/programs/token/mint.ts';
import {
  type TransferFee,
  encodeTransferFeeConfigExtension,
  findTransferFeeConfig,
} from '../solana/programs/token/transfer-fee.ts';
import { compareAmounts, U64_MAX } from '../solana/units.ts';
import type { PoolHandle } from './pools/liquidity.ts';
import { measurePoolDepth } from './prices/pool-depth.ts';
import { computePriceImpact } from './prices/price-impact.ts';
import { findRoutesExactOut } from './router/exact-out.ts';
import { findRoutes, type RouteRequest } from './router/index.ts';

/** What the token is worth with the fee of the genesis. */
let price: number;
beforeAll(setUp);

describe('a fee that a maximum makes the same for every transfer', () => {
  for (const maximumFee of [5_000n, 50_000_000n]) {
    describe(`of ${maximumFee} atoms`, () => {
      beforeEach(() => charge(fixed(maximumFee)));

      it('leaves routes over one and two pools, the best first', () => {
        for (const [inputMint, outputMint] of PAIRS) {
          for (const amount of [500n, 1_000n, 100_000n]) {
            const input = cents(amount, inputMint);
            const most = mostPaid(inputMint, outputMint, input);
            expect(most).not.toBeNull();
            expect(routed(inputMint, outputMint, input)).toBe(most);
          }
        }
      });

      it('leaves routes for an exact output, however little of it remains', () => {
        for (const amount of [1_000n, maximumFee / 2n, maximumFee * 3n]) {
          for (const inputMint of [USDC, JUP]) {
            const [best] = findRoutesExactOut(market.pools, request(inputMint, BERN, amount));
            expect(best?.outAmount).toBeGreaterThanOrEqual(amount);
            // No pool is chosen that takes far more than another.
            expect(mostPaid(inputMint, BERN, (best?.inAmount ?? 0n) / 2n) ?? 0n).toBeLessThan(amount);
          }
        }
      });

      it('changes neither the price nor the depth of the token, and its worth by no more than the fee', () => {
        expect(market.prices.dollarsPerAtom(BERN)).toBeCloseTo(price, 18);
        const [pool] = market.pools.between(BERN, USDC);
        const depth = pool === undefined ? null : measurePoolDepth(pool, BERN, USDC);
        charge(NONE);
        const [same] = market.pools.between(BERN, USDC);
        expect(depth).toEqual(same === undefined ? null : measurePoolDepth(same, BERN, USDC));
        charge(fixed(maximumFee));
        const worth = market.prices.worthInDollars(BERN, computeGenesisAtoms(100n, BERN)) ?? 0;
        expect(worth / 100).toBeCloseTo(1, 2);
      });

      it('is no part of what the size of a swap costs', () => {
        const input = cents(500_000n, BERN);
        const impact = () => {
          const [best] = findRoutes(market.pools, request(BERN, USDC, input));
          return best === undefined ? Number.NaN : Number(computePriceImpact(best, market.chain.clock()));
        };
        const charged = impact();
        charge(NONE);
        expect(impact()).toBeGreaterThan(0.001);
        expect(charged / impact()).toBeCloseTo(1, 1);
      });
    });
  }

  const cents = (count: bigint, mint: Address) => computeGenesisAtoms(count, mint) / 100n;
});

describe('a fee that is announced', () => {
  it('counts from its epoch on, and the older one until then', () => {
    const input = computeGenesisAtoms(10n, BERN);
    const { network } = market;
    for (const [older, newer, before, after] of [
      [NONE, EVERYTHING, true, false],
      [EVERYTHING, NONE, false, true],
      [fixed(20n * input), { basisPoints: 100, maximumFee: U64_MAX }, false, true],
    ] as const) {
      network.setEpoch(4n);
      charge(older, { ...newer, epoch: 6n });
      for (const [epoch, isRouted] of [
        [4n, before],
        [5n, before],
        [6n, after],
      ] as const) {
        network.setEpoch(epoch);
        for (const outputMint of [USDC, JUP]) {
          const most = mostPaid(BERN, outputMint, input);
          expect(most !== null).toBe(isRouted);
          expect(routed(BERN, outputMint, input)).toBe(most);
        }
        expect(market.prices.worthInDollars(BERN, input) !== null).toBe(isRouted);
        expect(market.prices.dollarsPerAtom(BERN)).toBeCloseTo(price, 18);
      }
    }
    network.setEpoch(0n);
  });
});

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const JUP = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
/** A token with a transfer fee. Its pools are one against SOL and one against USDC. */
const BERN = address('CKfatsPMUf8SkiURsDXs7eK6GWb4Jsd6UDbs7twMCWxo');
const PAIRS: readonly (readonly [Address, Address])[] = [
  [BERN, USDC],
  [BERN, JUP],
  [JUP, BERN],
  [USDC, BERN],
];

const market = await openTestMarket('without programs');

function setUp(): void {
  price = market.prices.dollarsPerAtom(BERN) ?? 0;
}

/** Gives the mint the two fees, of which the newer applies from its epoch on. */
function charge(older: Omit<TransferFee, 'epoch'>, newer: TransferFee = { ...older, epoch: 0n }): void {
  const account = market.network.account(BERN);
  if (account === null) throw new Error('the genesis has no such mint');
  const mint = decodeMint(account.data);
  const config = findTransferFeeConfig(mint.extensions);
  if (config === null) throw new Error('the mint has no fee');
  const changed = encodeTransferFeeConfigExtension({ ...config, older: { ...older, epoch: 0n }, newer });
  const extensions = mint.extensions.map((each) =>
    each.type === ExtensionType.TRANSFER_FEE_CONFIG ? changed : each,
  );
  market.network.setAccount(BERN, { ...account, data: encodeMint({ ...mint, extensions }) });
  market.chain.publish([BERN]);
}

/** A fee that takes the same from each transfer, whatever its size; one of less takes all of it. */
function fixed(maximumFee: bigint): Omit<TransferFee, 'epoch'> {
  return { basisPoints: 10_000, maximumFee };
}

const NONE = { basisPoints: 0, maximumFee: 0n };
const EVERYTHING = { basisPoints: 10_000, maximumFee: U64_MAX };

function request(inputMint: Address, outputMint: Address, amount: bigint): RouteRequest {
  const clock = market.chain.clock();
  return { inputMint, outputMint, amount, clock, maxHops: 2, maxPaths: 0, onlyHubs: false };
}

function routed(inputMint: Address, outputMint: Address, amount: bigint): bigint | null {
  const [best] = findRoutes(market.pools, request(inputMint, outputMint, amount));
  return best?.outAmount ?? null;
}

type Quoted = (handle: PoolHandle, mint: Address, amount: bigint) => bigint | null;

/** The best of all pools and pairs of pools, by quoting every one. */
function mostPaid(inputMint: Address, outputMint: Address, amount: bigint): bigint | null {
  const { pools, chain } = market;
  const pays: Quoted = ({ venue, pool }, mint, input) =>
    venue.quoteExactIn(pool, mint, input, chain.clock())?.outAmount ?? null;
  const best = (from: Address, to: Address, input: bigint): bigint => {
    const outputs = pools.between(from, to).map((handle) => pays(handle, from, input) ?? 0n);
    return outputs.toSorted(compareAmounts).at(-1) ?? 0n;
  };
  let most = best(inputMint, outputMint, amount);
  for (const middle of pools.counterparts(inputMint).keys()) {
    const between = middle === outputMint ? 0n : best(inputMint, middle, amount);
    const paid = between === 0n ? 0n : best(middle, outputMint, between);
    if (paid > most) most = paid;
  }
  return most === 0n ? null : most;
}
