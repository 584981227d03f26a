import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createUnaccountedWork } from '../../../common/work/work.ts';
import { assertProperty, countCases } from '../../../testing/random.ts';
import { getMakerBalance, SOL, USDC } from '../../../testing/genesis-market/makers.ts';
import { listLabels, MAKER, openOneMakerSwap } from '../../../testing/genesis-market/one-maker.ts';
import { openTestSwap } from '../../../testing/genesis-market/swap.ts';
import { getGenesisToken, TOKENS } from '../../../solana/known-tokens.ts';
import type { Address } from '../../../solana/address.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { encodeTokenAccount } from '../../../solana/programs/token/account.ts';
import type { Sponsor } from '../../../transactions/sponsor/sponsor.ts';
import { type OrderResponse, order as orderEndpoint } from '../endpoints/order.ts';
import type { ExecuteResponse } from '../endpoints/execute.ts';
import { TOKEN_ACCOUNT_RENT } from '../../../transactions/build/closings.ts';
import { createSwapServices } from '../index.ts';
import { buildSwap } from '../../../swaps/build/build.ts';
import { parseBuildRequest } from '../endpoints/build.ts';
import { getHouseFeeBps } from '../../../swaps/fees/house-fee.ts';
import { chooseFeeMint } from '../../../swaps/fees/platform-fee.ts';
import { openForAll } from '../../../testing/opened.ts';

const mintOf = (symbol: string) => getGenesisToken(symbol).mint;
const SOL_FOR_USDC = { inputMint: mintOf('SOL'), outputMint: mintOf('USDC'), amount: '1000000000' };

/** The sponsor of the genesis, which has an account for every token. */
let house: Address;
const swap = openForAll(() =>
  openTestSwap({
    sponsor: ({ genesis }) => generous(genesis.keys.sponsor),
    house: ({ genesis }) => ({ wallet: genesis.keys.sponsor.address }),
  }),
);
beforeAll(setUp);

describe('orderSwap with house fees', () => {
  it('takes the fee of the table for any pair in either mode, to the atom', async () => {
    const mints = TOKENS.map(({ mint }) => mint);
    const seen = { kept: 0, charged: 0 };
    const property = fc.asyncProperty(
      fc.constantFrom(...mints),
      fc.constantFrom(...mints),
      fc.integer({ min: 2, max: 9 }),
      fc.constantFrom({}, { slippageBps: '100' }, { priorityFeeLamports: '5000' }),
      async (inputMint, outputMint, zeros, options) => {
        const amount = swap.holding(swap.wallet.address, inputMint) / 10n ** BigInt(zeros);
        fc.pre(inputMint !== outputMint && amount > 0n);
        const order = await swap
          .order({ inputMint, outputMint, amount: `${amount}`, ...options })
          .catch(() => null);
        if (order === null) return;
        const rate = getHouseFeeBps({ inputMint, outputMint }, () => false);
        expect(order).toMatchObject({ feeBps: rate, feeMint: chooseFeeMint(inputMint, outputMint) });
        expect(order.mode).toBe(Object.keys(options).length === 0 ? 'ultra' : 'manual');
        await expectKept(order);
        seen.kept++;
        if (order.platformFee.amount !== '0') seen.charged++;
      },
    );
    await assertProperty(property, SUITE);
    expect(seen.kept).toBeGreaterThan(countCases(SUITE) / 2);
    expect(seen.charged).toBeGreaterThan(countCases(SUITE) / 6);
  });

  it('adds the gas of a sponsored order, which the sponsor collects together with the fee', async () => {
    for (const [outputMint, rate] of [
      [mintOf('SOL'), 2],
      [mintOf('BONK'), 10],
      [mintOf('USDT'), 0],
    ] as const) {
      const taker = swap.newWallet(0n);
      give(taker.address, 'USDC', 500_000_000n);
      const query = { inputMint: mintOf('USDC'), outputMint, amount: '250000000', taker: taker.address };
      const order = await swap.order(query);
      expect(order).toMatchObject({ gasless: true, platformFee: { feeBps: rate } });
      expect(order.feeBps).toBeGreaterThan(rate);
      const free = await swap.order({ ...query, taker: swap.wallet.address });
      expect(free.feeBps).toBe(rate);
      const before = { collected: collected(order.feeMint as Address), lamports: lamportsOf(house) };
      await expectKept(order, taker);
      if (order.feeMint !== mintOf('SOL')) continue;
      // What remains of the fee without the house's part pays for the gas.
      const forGas =
        collected(order.feeMint as Address) - before.collected - BigInt(order.platformFee.amount);
      expect(forGas).toBeGreaterThanOrEqual(before.lamports - lamportsOf(house));
    }
  });

  it('gives a referrer its fee instead of the house', async () => {
    const referral = swap.market.network.newAddress();
    const options = { referralAccount: referral, referralFee: '85' };
    const asked = { ...SOL_FOR_USDC, ...options, taker: swap.wallet.address };
    const answer = await orderEndpoint.handle(createSwapServices(swap.composed).services, {
      query: asked,
      params: {},
      body: null,
      headers: {},
      id: 'request',
      caller: { kind: 'client', id: '127.0.0.1' },
      work: createUnaccountedWork(),
      beginWork: createUnaccountedWork,
    });
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'x-sluice-notice': `referralAccount ${referral} has no token account for ${SOL.mint}, so referralFee is not taken`,
      },
    });
    const unopened = await swap.order({ ...SOL_FOR_USDC, ...options });
    expect(unopened).toMatchObject({ feeBps: 2, platformFee: { feeBps: 2 } });
    await expectKept(unopened);
    give(referral, 'SOL', 0n);
    const order = await swap.order({ ...SOL_FOR_USDC, ...options });
    expect(order).toMatchObject({ feeBps: 85, platformFee: { feeBps: 85 } });
    const before = collected(SOL.mint);
    expect(await swap.execute(order)).toMatchObject({ totalOutputAmount: order.outAmount });
    expect(collected(SOL.mint)).toBe(before);
  });

  it('takes nothing if the house has no account, and nothing from the house itself', async () => {
    const elsewhere = swap.market.network.newAddress();
    const fresh = await openTestSwap({ market: swap.market, house: () => ({ wallet: elsewhere }) });
    expect(await fresh.order(SOL_FOR_USDC)).toMatchObject({ feeBps: 0, platformFee: { amount: '0' } });
    expect(await swap.order({ ...SOL_FOR_USDC, receiver: house })).toMatchObject({ feeBps: 0 });
  });

  it('charges the input if a receiver gets Token-2022 tokens', async () => {
    const receiver = swap.market.network.newAddress();
    const pair = { inputMint: mintOf('BONK'), outputMint: mintOf('PYUSD'), amount: '1000000000' };
    expect(await swap.order(pair)).toMatchObject({ feeBps: 10, feeMint: mintOf('PYUSD') });
    const order = await swap.order({ ...pair, receiver });
    expect(order).toMatchObject({ feeBps: 10, feeMint: mintOf('BONK') });
    expect(await swap.execute(order)).toMatchObject({ totalOutputAmount: order.outAmount });
  });

  it('lets a market maker fill the rest of the amount, at its price', async () => {
    const { swap: withMaker } = await openOneMakerSwap({
      house: ({ genesis }) => ({ wallet: genesis.keys.sponsor.address }),
    });
    const before = getMakerBalance(withMaker.market, MAKER, SOL);
    const order = await withMaker.order(SOL_FOR_USDC);
    expect(listLabels(order)).toEqual(['JupiterRfqV2']);
    expect(order).toMatchObject({ feeBps: 2, platformFee: { amount: '200000', feeMint: SOL.mint } });
    expect(await withMaker.execute(order)).toMatchObject({
      totalInputAmount: '1000000000',
      inputAmountResult: '999800000',
      totalOutputAmount: order.outAmount,
    });
    expect(getMakerBalance(withMaker.market, MAKER, SOL) - before).toBe(999_800_000n);
    const sale = { inputMint: USDC.mint, outputMint: SOL.mint, amount: '100000000' };
    expect(await withMaker.execute(await withMaker.order(sale))).toMatchObject({ status: 'Success' });
  });

  it('takes more for a token that was not traded 24 hours ago', async () => {
    const young = await openTestSwap({ market: swap.market, house: () => ({ wallet: house }) });
    const { network, chain } = swap.market;
    const pair = { inputMint: mintOf('SOL'), outputMint: mintOf('HNT'), amount: '10000000' };
    const opened = chain.clock().unixTimestamp;
    const rates = [];
    const pools = [...young.composed.pools.counterparts(pair.outputMint).values()].flat();
    for (const { pool } of pools) {
      rates.push((await young.order(pair)).feeBps);
      const { owner, data } = network.account(pool.address) as { owner: Address; data: Uint8Array };
      const changed = Uint8Array.from(data);
      new DataView(changed.buffer).setBigUint64(OPEN_TIME_AT, opened, true);
      network.setData(pool.address, owner, changed);
      chain.publish([pool.address]);
    }
    const order = await young.order(pair);
    expect([...rates, order.feeBps]).toEqual([...pools.map(() => 10), 50]);
    expect(await young.execute(order)).toMatchObject({ totalOutputAmount: order.outAmount });
    network.setUnixTime(opened + 86_399n);
    expect(await young.order(pair)).toMatchObject({ feeBps: 50 });
    network.setUnixTime(opened + 86_400n);
    expect(await young.order(pair)).toMatchObject({ feeBps: 10 });
  });

  it('takes no house fee in /build', async () => {
    const request = parseBuildRequest({ ...SOL_FOR_USDC, taker: swap.wallet.address }, []);
    const quoted = await buildSwap(swap.composed, request);
    const free = await openTestSwap({ market: swap.market });
    const without = await buildSwap(free.composed, request);
    expect(quoted.route.inAmount).toBe(1_000_000_000n);
    expect(quoted.route.outAmount).toBe(without.route.outAmount);
  });
});

const SEED = 20_261_122;
const SUITE = { cases: 120, short: 60, seed: SEED };
/** Offset in a Raydium CP pool at which the time of its opening is stored. */
const OPEN_TIME_AT = 373;

/** A sponsor with an unlimited budget. */
function generous(keypair: Keypair): Sponsor {
  const budget = { refusal: async () => null, spend: async () => null, giveBack: () => {} };
  const feeMints = new Set(['SOL', 'USDC', 'USDT'].map(mintOf));
  return { keypair, budget, leastDollars: 10, feeMints };
}

function setUp(): void {
  house = swap.market.genesis.keys.sponsor.address;
}

function lamportsOf(wallet: Address): bigint {
  return swap.market.network.account(wallet)?.lamports ?? 0n;
}

function collected(mint: Address): bigint {
  const { network } = swap.market;
  const program = network.account(mint)?.owner as Address;
  return network.tokenBalance(deriveAssociatedTokenAddress(house, mint, program));
}

/** Executes an order and compares what it moved with what it stated, to the atom. */
async function expectKept(order: OrderResponse, signer = swap.wallet): Promise<ExecuteResponse> {
  const before = collected(order.feeMint as Address);
  const result = await swap.execute(order, [signer]);
  expect(result).toMatchObject({
    status: 'Success',
    totalInputAmount: order.inAmount,
    totalOutputAmount: order.outAmount,
  });
  const paysInput = order.feeMint === order.inputMint;
  const charged = BigInt(paysInput ? order.inAmount : (result.outputAmountResult ?? 0));
  const fee = (charged * BigInt(order.feeBps)) / 10_000n;
  expect(BigInt(result.inputAmountResult ?? 0)).toBe(BigInt(order.inAmount) - (paysInput ? fee : 0n));
  expect(BigInt(result.outputAmountResult ?? 0)).toBe(BigInt(order.outAmount) + (paysInput ? 0n : fee));
  const { amount, feeBps, feeMint: mint } = order.platformFee;
  expect(mint).toBe(order.feeMint);
  expect(BigInt(amount)).toBe((charged * BigInt(feeBps)) / 10_000n);
  const taken = collected(order.feeMint as Address) - before;
  // Each transfer of this token costs a fee of the token's own.
  if (order.feeMint === mintOf('BERN')) expect(taken).toBeLessThanOrEqual(fee);
  else expect(taken).toBe(fee);
  return result;
}

function accountOf(owner: Address, mint: Address, amount: bigint): Uint8Array {
  return encodeTokenAccount({
    mint,
    owner,
    amount,
    delegate: null,
    state: 'initialized',
    delegatedAmount: 0n,
    nativeReserve: mint === SOL.mint ? TOKEN_ACCOUNT_RENT : null,
    closeAuthority: null,
    extensions: [],
  });
}

/** Gives a wallet a token account with this many atoms. */
function give(owner: Address, symbol: string, amount: bigint): void {
  const { network } = swap.market;
  const { mint } = getGenesisToken(symbol);
  const program = network.account(mint)?.owner as Address;
  network.setData(
    deriveAssociatedTokenAddress(owner, mint, program),
    program,
    accountOf(owner, mint, amount),
  );
}
