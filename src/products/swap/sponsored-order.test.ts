import { genesisPools } from '../../market/venue-genesis.ts';
import { raydiumCpmmGenesis } from '../../market/venues/raydium-cpmm/genesis.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { openTestSwap, type TestSwap } from '../../../test/genesis-market/swap.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { createAssociatedToken } from '../../solana/programs/associated-token.ts';
import { associatedTokenAddress } from '../../solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { encodeTokenAccount } from '../../solana/programs/token/account.ts';
import { closeAccount } from '../../solana/programs/token/instructions.ts';
import { SwapRefused } from './errors.ts';
import type { OrderResponse } from './endpoints/order-schema.ts';
import type { StoredOrder } from './execution/stored-order.ts';
import { orderOf, orderText } from './execution/order-text.ts';
import { TOKEN_ACCOUNT_RENT } from './build/token-flow.ts';
import { refusalAfter, type SponsorBudget, type SponsorLimits } from '../../transactions/sponsor/budget.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' as Address;
const JUP = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN' as Address;
const PYTH = 'HZ1JovNiVvGrGNiiYvEozEVgZ58xaU3RKwX8eACQBCt3' as Address;
const FEE_MINTS = [WRAPPED_SOL_MINT, USDC, USDT];
const LIMITS: SponsorLimits = { perTaker: 100_000_000n, inAll: 1_000_000_000n };

let swap: TestSwap;
let budget: SponsorBudget;
let taker: Keypair;

async function open(
  limits = LIMITS,
  leastDollars = 10,
  mints: readonly Address[] = FEE_MINTS,
): Promise<void> {
  budget = budgetOfOneTaker(limits);
  const sponsor = (keypair: Keypair) => ({ keypair, budget, leastDollars, feeMints: new Set(mints) });
  swap = await openTestSwap({ sponsor: ({ genesis }) => sponsor(genesis.keys.sponsor) });
  taker = swap.newWallet(0n);
  hold(taker.address, USDC, 1_000_000_000n);
}

/** In memory, for as long as a test. */
function budgetOfOneTaker(limits: SponsorLimits): SponsorBudget {
  let spent = 0n;
  const refusal: SponsorBudget['refusal'] = async (wallet, amount) =>
    refusalAfter({ byTaker: spent, inAll: spent }, limits, wallet, amount);
  return {
    refusal,
    spend: async (wallet, amount) => {
      const refused = await refusal(wallet, amount);
      if (refused === null) spent += amount;
      return refused;
    },
    giveBack: (_, amount) => {
      spent -= amount;
    },
  };
}

beforeEach(() => open());

function hold(owner: Address, mint: Address, amount: bigint): void {
  const data = encodeTokenAccount({
    mint,
    owner,
    amount,
    delegate: null,
    state: 'initialized',
    nativeReserve: null,
    delegatedAmount: 0n,
    closeAuthority: null,
    extensions: [],
  });
  const account = {
    lamports: TOKEN_ACCOUNT_RENT,
    owner: TOKEN_PROGRAM,
    data,
    executable: false,
    rentEpoch: 0n,
  };
  swap.market.network.setAccount(associatedTokenAddress(owner, mint, TOKEN_PROGRAM), account);
}

const sponsorOf = () => swap.market.genesis.keys.sponsor.address;
const lamports = (wallet: Address) => swap.market.network.account(wallet)?.lamports ?? 0n;

/** A quarter of what the taker has. */
const wanted = (outputMint: Address, amount = '250000000') => ({
  inputMint: USDC,
  outputMint,
  amount,
  taker: taker.address,
});

describe('a taker without SOL', () => {
  it.each([
    ['a token, for which an account is opened', USDT],
    ['SOL', WRAPPED_SOL_MINT],
  ])('buys %s at the expense of a sponsor, who gets the gas back as a fee', async (_what, outputMint) => {
    const before = { sol: lamports(sponsorOf()), fee: swap.holding(sponsorOf(), USDC) };
    const feeMint = outputMint === USDT ? USDC : WRAPPED_SOL_MINT;
    const collected = () =>
      swap.market.network.tokenBalance(associatedTokenAddress(sponsorOf(), feeMint, TOKEN_PROGRAM));
    const feeBefore = collected();
    const order = await swap.order(wanted(outputMint));
    expect(order).toMatchObject({ gasless: true, mode: 'ultra', router: 'metis' });
    for (const payer of [order.signatureFeePayer, order.prioritizationFeePayer, order.rentFeePayer]) {
      expect(payer).toBe(sponsorOf());
    }
    expect(order.feeBps).toBeGreaterThan(0);
    expect(order.platformFee).toMatchObject({ feeBps: 0, amount: '0' });
    expect(order.feeMint).toBe(feeMint);
    const result = await swap.execute(order, [taker]);
    expect(result).toMatchObject({ status: 'Success', totalInputAmount: order.inAmount });
    expect(result.totalOutputAmount).toBe(order.outAmount);
    const cost = before.sol - lamports(sponsorOf());
    expect(cost).toBe(swap.costsOf(order));
    const paid = collected() - feeBefore;
    const inSol = feeMint === WRAPPED_SOL_MINT ? paid : (paid * 1_000_000_000n) / priceOfSol();
    expect(inSol).toBeGreaterThanOrEqual(cost);
    // A tenth more, up to a whole basis point of the swap.
    expect(inSol).toBeLessThan((cost * 12n) / 10n + 150_000n);
  });

  /** Micro-dollars of one SOL. */
  function priceOfSol(): bigint {
    const [pool] = swap.market.parts.pools.between(WRAPPED_SOL_MINT, USDC);
    const quote = pool?.venue.quoteExactIn(
      pool.pool,
      WRAPPED_SOL_MINT,
      1_000_000_000n,
      swap.parts.chain.clock(),
    );
    return quote?.outAmount ?? 0n;
  }

  it('is told from which size on that is so', async () => {
    const order = await swap.order(wanted(USDT, '5000000'));
    expect(order).toMatchObject({ transaction: '', errorCode: 3, gasless: false });
    expect(order.errorMessage).toMatch(
      /^Below the minimum for gasless swaps: the swap is worth \$5\.00, and from \$10\.00/,
    );
  });

  it('is told so too where the fee would be out of proportion', async () => {
    await open(LIMITS, 1);
    const order = await swap.order(wanted(USDT, '1100000'));
    expect(order).toMatchObject({ transaction: '', errorCode: 3 });
  });

  it('pays alone where somebody else would gain from the fee, a receiver gets the output, or a tip is paid', async () => {
    const [referrer] = swap.market.genesis.keys.demoWallets.slice(1);
    const referral = { referralAccount: referrer?.address ?? '', referralFee: '50' };
    const tip = { jitoTipLamports: '1000' };
    for (const option of [referral, { receiver: referrer?.address ?? '' }, tip]) {
      expect(await swap.order({ ...wanted(USDT), ...option })).toMatchObject({
        errorCode: 2,
        gasless: false,
      });
    }
  });
});

describe("a payer that is the sponsor's address", () => {
  it('is refused, so that nobody has the sponsor pay without a fee, a minimum or a budget', async () => {
    const before = lamports(sponsorOf());
    const asked = swap.order({ ...wanted(USDT, '10000'), payer: sponsorOf() });
    await expect(asked).rejects.toThrow(
      new SwapRefused(
        `payer must be a wallet of your own that signs, but ${sponsorOf()} is the sponsor's; leave payer out to be sponsored`,
      ),
    );
    expect(lamports(sponsorOf())).toBe(before);
  });

  it.each([
    ['a taker', (sponsor: Address) => ({ taker: sponsor })],
    ['a taker with a payer', (sponsor: Address) => ({ taker: sponsor, payer: swap.wallet.address })],
    ['a taker that names itself as payer', (sponsor: Address) => ({ taker: sponsor, payer: sponsor })],
  ])('as %s gets no signature of the sponsor', async (_what, named) => {
    swap.market.network.setAccount(sponsorOf(), {
      lamports: 20_000_000_000n,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(),
      executable: false,
      rentEpoch: 0n,
    });
    const query = { inputMint: WRAPPED_SOL_MINT, outputMint: USDT, amount: '1000000' };
    const order = await swap.order({ ...query, ...named(sponsorOf()) });
    const before = lamports(sponsorOf());
    const answer = await swap.execute(order, order.gasless ? [swap.wallet] : []);
    expect(answer).toMatchObject({ status: 'Failed', code: -1003 });
    expect(answer.error).toContain(sponsorOf());
    expect(lamports(sponsorOf())).toBe(before);
  });

  it('is not what makes an order sponsored: that is stored with it', async () => {
    const order = await swap.order(wanted(USDT));
    const stored = await swap.parts.orders.get(order.requestId);
    expect(stored?.sponsorship).toMatchObject({ sponsor: sponsorOf() });
    const { sponsorship: _, ...without } = stored as StoredOrder;
    await swap.parts.orders.put(without);
    expect(await swap.execute(order, [taker])).toMatchObject({ status: 'Failed', code: -1003 });
    await swap.parts.orders.put(orderOf(orderText(stored as StoredOrder)));
    expect(await swap.execute(order, [taker])).toMatchObject({ status: 'Success' });
  });
});

describe('the rent that a sponsor pays', () => {
  const output = () => associatedTokenAddress(taker.address, USDT, TOKEN_PROGRAM);
  const RENT = Number(TOKEN_ACCOUNT_RENT);

  /** The taker closes its account of the output, and keeps the rent. */
  function close(): void {
    const destination = swap.wallet.address;
    const closing = closeAccount(TOKEN_PROGRAM, { account: output(), destination, authority: taker.address });
    expect(swap.market.network.send([closing])).toMatchObject({ error: null });
  }

  /** Lamports at the address of the account, which does not exist by that. */
  const donate = () =>
    swap.market.network.send([transferLamports(swap.market.network.payer, output(), 890_880n)]);

  it('is not paid for an account that existed with the order and is closed before the execution', async () => {
    hold(taker.address, USDT, 0n);
    const order = await swap.order(wanted(USDT));
    expect(order).toMatchObject({ gasless: true, rentFeeLamports: 0 });
    close();
    const before = lamports(sponsorOf());
    const answer = await swap.execute(order, [taker]);
    expect(answer).toMatchObject({ status: 'Failed', code: -1002 });
    expect(lamports(sponsorOf())).toBe(before);
  });

  it('is not paid either for one that is closed after the sponsor has signed: the swap fails for its fees', async () => {
    hold(taker.address, USDT, 0n);
    const order = await swap.order(wanted(USDT));
    const { chain } = swap.market;
    const send = chain.send.bind(chain);
    chain.send = (wire) => {
      close();
      return send(wire);
    };
    const before = lamports(sponsorOf());
    const answer = await swap.execute(order, [taker]);
    expect(answer).toMatchObject({ status: 'Failed', slot: expect.any(String) });
    const fees = order.signatureFeeLamports + order.prioritizationFeeLamports;
    expect(before - lamports(sponsorOf())).toBe(BigInt(fees));
  });

  it('is charged for an account that does not exist, also where lamports lie at its address', async () => {
    donate();
    const order = await swap.order(wanted(USDT));
    expect(order).toMatchObject({ gasless: true, rentFeeLamports: RENT });
    const before = lamports(sponsorOf());
    expect(await swap.execute(order, [taker])).toMatchObject({ status: 'Success' });
    expect(before - lamports(sponsorOf())).toBe(swap.costsOf(order) - 890_880n);
  });

  it('is charged in full where the lamports at its address can be taken away again', async () => {
    donate();
    const order = await swap.order(wanted(USDT));
    const owner = taker.address;
    const opening = { payer: swap.market.network.payer, owner, mint: USDT, tokenProgram: TOKEN_PROGRAM };
    expect(swap.market.network.send([createAssociatedToken(opening)])).toMatchObject({ error: null });
    close();
    const before = lamports(sponsorOf());
    expect(await swap.execute(order, [taker])).toMatchObject({ status: 'Success' });
    expect(before - lamports(sponsorOf())).toBe(swap.costsOf(order));
  });

  it('is compared with what was charged by a simulation before the sponsor signs', async () => {
    const order = await swap.order(wanted(USDT));
    const stored = (await swap.parts.orders.get(order.requestId)) as StoredOrder;
    const cost = swap.costsOf(order);
    const sponsorship = { sponsor: sponsorOf(), chargedLamports: cost - 1n };
    await swap.parts.orders.put({ ...stored, sponsorship });
    const refused = await swap.execute(order, [taker]);
    expect(refused).toMatchObject({
      status: 'Failed',
      code: -1002,
      error: `the sponsor does not sign: the swap would cost it ${cost} lamports by now, and the order charged for ${cost - 1n}; ask for a new order`,
    });
    expect(swap.market.chain.sent).toBe(0);
    await swap.parts.orders.put({ ...stored, sponsorship: { ...sponsorship, chargedLamports: cost } });
    expect(await swap.execute(order, [taker])).toMatchObject({ status: 'Success' });
  });
});

describe('a sponsor whose balance changes while it simulates', () => {
  /** Changes the balance right before each simulation of what a swap costs. */
  function changing(lamports: bigint, told: 'balances' | 'slot' | 'nothing'): void {
    const { chain, network } = swap.market;
    const simulate = chain.simulate.bind(chain);
    chain.simulate = async (wire, options) => {
      const account = network.account(sponsorOf());
      if (account !== null && options.accounts !== undefined) {
        network.setAccount(sponsorOf(), { ...account, lamports: account.lamports + lamports });
      }
      const simulation = await simulate(wire, options);
      if (told === 'balances') return simulation;
      return { ...simulation, feePayer: null, slot: told === 'slot' ? simulation.slot : 0n };
    };
  }

  it.each([
    ['the swaps of others land', -10_000n, 'balances'],
    ['somebody sends it a lamport', 1n, 'balances'],
    ['the node states only the slot', -10_000n, 'slot'],
    ['the node is never asked twice for one slot', -10_000n, 'nothing'],
  ] as const)('signs while %s', async (_, lamports, told) => {
    const order = await swap.order(wanted(USDT));
    changing(lamports, told);
    expect(await swap.execute(order, [taker])).toMatchObject({ status: 'Success' });
  });

  it.each(['balances', 'slot', 'nothing'] as const)(
    'is not made to pay more than was charged by what others pay in, told %s',
    async (told) => {
      const order = await swap.order(wanted(USDT));
      const stored = (await swap.parts.orders.get(order.requestId)) as StoredOrder;
      const chargedLamports = swap.costsOf(order) - 1n;
      await swap.parts.orders.put({ ...stored, sponsorship: { sponsor: sponsorOf(), chargedLamports } });
      changing(1_000_000n, told);
      expect(await swap.execute(order, [taker])).toMatchObject({ status: 'Failed', code: -1002 });
      expect(swap.market.chain.sent).toBe(0);
    },
  );
});

describe('what a failure costs a sponsor', () => {
  /** The most that it pays for a swap that fails: two signatures, and its own bound of the priority fee. */
  const MAX_FAILURE = 110_000n;

  it('is nothing for a second swap with the same tokens at the same time', async () => {
    const all = '1000000000';
    const orders = [await swap.order(wanted(USDT, all)), await swap.order(wanted(WRAPPED_SOL_MINT, all))];
    expect(orders).toMatchObject([{ gasless: true }, { gasless: true }]);
    const before = lamports(sponsorOf());
    const answers = await Promise.all(orders.map((order) => swap.execute(order, [taker])));
    expect(answers).toMatchObject([{ status: 'Success' }, { status: 'Failed', code: -1002 }]);
    expect(answers[1]?.error).toBe(
      `the sponsor does not sign: another sponsored swap of ${taker.address} is being executed; send this one again when that has ended`,
    );
    expect(swap.market.chain.sent).toBe(1);
    expect(before - lamports(sponsorOf())).toBe(swap.costsOf(orders[0] as OrderResponse));
    const again = await swap.execute(orders[1] as OrderResponse, [taker]);
    expect(again.error).toMatch(/the swap would fail at present/);
    hold(taker.address, USDC, 1_000_000_000n);
    expect(await swap.execute(orders[1] as OrderResponse, [taker])).toMatchObject({ status: 'Success' });
  });

  it('is not decided by the taker: who names a priority fee pays for the swap', async () => {
    const exact = { ...wanted(USDT), priorityFeeLamports: '5000000' };
    expect(await swap.order(exact)).toMatchObject({ transaction: '', errorCode: 2, gasless: false });
    const capped = await swap.order({ ...exact, broadcastFeeType: 'maxCap' });
    expect(capped).toMatchObject({ gasless: true, prioritizationFeeLamports: 0 });
  });

  it('is bounded whatever others pay for priority, and however the taker makes the swap fail', async () => {
    swap.market.chain.fees.push({ slot: 1n, microLamports: 1_000_000_000n });
    const order = await swap.order(wanted(USDT));
    expect(order.gasless).toBe(true);
    expect(order.prioritizationFeeLamports).toBeGreaterThan(90_000);
    expect(order.prioritizationFeeLamports).toBeLessThanOrEqual(100_000);
    const { chain } = swap.market;
    const send = chain.send.bind(chain);
    chain.send = (wire) => {
      hold(taker.address, USDC, 0n);
      return send(wire);
    };
    const before = lamports(sponsorOf());
    expect(await swap.execute(order, [taker])).toMatchObject({ status: 'Failed', slot: expect.any(String) });
    const cost = before - lamports(sponsorOf());
    expect(cost).toBe(BigInt(order.signatureFeeLamports + order.prioritizationFeeLamports));
    expect(cost).toBeLessThanOrEqual(MAX_FAILURE);
  });
});

describe('what a sponsored swap is worth', () => {
  const dollarsOf: ReadonlyMap<Address, bigint> = new Map([
    [USDC, 1_000_000n],
    [WRAPPED_SOL_MINT, 5_000_000n],
  ]);

  /** Leaves about a dollar and a thousand atoms of PYTH in each of its pools, so that an atom costs a tenth of a cent. */
  function drain(): void {
    const { network, chain, genesis, parts } = swap.market;
    for (const [quote, dollar] of dollarsOf) {
      for (const { pool } of parts.pools.between(PYTH, quote)) {
        const { vaults = [] } =
          genesisPools(genesis, raydiumCpmmGenesis).find(({ address }) => address === pool.address) ?? {};
        expect(vaults).toHaveLength(2);
        for (const [index, vault] of vaults.entries()) {
          const account = network.account(vault);
          if (account === null) throw new Error(`no vault ${vault}`);
          const data = Buffer.from(account.data);
          data.writeBigUInt64LE(pool.mints[index] === quote ? dollar : 1_000n, 64);
          network.setAccount(vault, { ...account, data });
          chain.publish([vault]);
        }
      }
    }
  }

  it('is no more than what it pays out, and nothing by pools that hold a dollar', async () => {
    drain();
    hold(taker.address, PYTH, 1_000_000_000_000n);
    const order = await swap.order({ ...wanted(USDC, '1000000000000'), inputMint: PYTH });
    expect(order.inUsdValue).toBeGreaterThan(100_000_000);
    expect(order).toMatchObject({ transaction: '', errorCode: 3, gasless: false });
    expect(order.errorMessage).toMatch(/the swap is worth \$[012]\.\d\d, and from \$10\.00 on/);
  });

  it('is that of the payment where the pools do not price what is bought: the fee comes from the payment', async () => {
    drain();
    const order = await swap.order(wanted(PYTH));
    expect(order).toMatchObject({ gasless: true, feeMint: USDC });
    const before = { sol: lamports(sponsorOf()), fee: swap.holding(sponsorOf(), USDC) };
    expect(await swap.execute(order, [taker])).toMatchObject({ status: 'Success' });
    const dollars = (Number(before.sol - lamports(sponsorOf())) * 200) / 1e9;
    expect(Number(swap.holding(sponsorOf(), USDC) - before.fee) / 1e6).toBeGreaterThan(dollars / 2);
  });

  it('does not count where neither token is one that the operator takes fees in', async () => {
    hold(taker.address, JUP, 1_000_000_000n);
    const query = { ...wanted(PYTH), inputMint: JUP };
    expect(await swap.order(query)).toMatchObject({ transaction: '', errorCode: 2, gasless: false });
    await open(LIMITS, 10, [JUP]);
    hold(taker.address, JUP, 1_000_000_000n);
    expect(await swap.order(query)).toMatchObject({ gasless: true, feeMint: JUP });
    expect(await swap.order(wanted(USDT))).toMatchObject({ errorCode: 2, gasless: false });
  });

  it('is what the slippage leaves of it where the fee comes out of the output', async () => {
    hold(taker.address, JUP, 1_000_000_000n);
    const query = { ...wanted(USDC), inputMint: JUP };
    const order = await swap.order({ ...query, slippageBps: '100' });
    expect(order).toMatchObject({ gasless: true, feeMint: USDC });
    const half = await swap.order({ ...query, slippageBps: '5000' });
    expect(half.gasless).toBe(true);
    expect(half.feeBps).toBeGreaterThanOrEqual(2 * order.feeBps - 2);
    const all = await swap.order({ ...query, slippageBps: '10000' });
    expect(all).toMatchObject({ transaction: '', errorCode: 2, gasless: false });
  });
});

describe('a taker with some SOL', () => {
  it('pays for the swap', async () => {
    const rich = swap.newWallet(10_000_000n);
    hold(rich.address, USDC, 1_000_000_000n);
    expect(await swap.order({ ...wanted(USDT), taker: rich.address })).toMatchObject({
      gasless: false,
      feeBps: 0,
    });
  });
});

describe('a sponsor', () => {
  it('signs no more within an hour than its budget has room for', async () => {
    await open({ ...LIMITS, perTaker: 5_000_000n });
    const orders = [await swap.order(wanted(USDT)), await swap.order(wanted(USDT))] as const;
    expect(await swap.execute(orders[0], [taker])).toMatchObject({ status: 'Success' });
    const sent = swap.market.chain.sent;
    const refused = await swap.execute(orders[1], [taker]);
    expect(refused).toMatchObject({ status: 'Failed', code: -1002 });
    expect(refused.error).toMatch(
      /the sponsor does not sign: the swaps of .* within an hour, at most 5000000/,
    );
    expect(swap.market.chain.sent).toBe(sent);
  });

  it('counts what a swap has cost once that is known, so that cheap failures do not use up everybody’s budget', async () => {
    await open({ ...LIMITS, inAll: 20_000_000n });
    const { chain } = swap.market;
    const send = chain.send.bind(chain);
    const before = lamports(sponsorOf());
    for (let round = 0; round < 12; round++) {
      const attacker = swap.newWallet(0n);
      hold(attacker.address, USDC, 1_000_000_000n);
      const order = await swap.order({ ...wanted(USDT), taker: attacker.address });
      expect(order).toMatchObject({ gasless: true });
      chain.send = (wire) => {
        hold(attacker.address, USDC, 0n);
        return send(wire);
      };
      expect(await swap.execute(order, [attacker])).toMatchObject({ status: 'Failed' });
      chain.send = send;
    }
    const lost = before - lamports(sponsorOf());
    expect(await budget.refusal(taker.address, 20_000_000n - lost)).toBeNull();
    expect(await budget.refusal(taker.address, 20_000_001n - lost)).toMatch(/used up|at most/);
    expect(await swap.order(wanted(USDT))).toMatchObject({ gasless: true });
  });

  it('counts a swap that succeeded at what it has cost', async () => {
    const before = lamports(sponsorOf());
    const order = await swap.order(wanted(WRAPPED_SOL_MINT));
    expect(await swap.execute(order, [taker])).toMatchObject({ status: 'Success' });
    const cost = before - lamports(sponsorOf());
    expect(await budget.refusal(taker.address, LIMITS.perTaker - cost)).toBeNull();
    expect(await budget.refusal(taker.address, LIMITS.perTaker - cost + 1n)).toMatch(/at most/);
  });

  it('does not offer what its budget has no room for', async () => {
    await open({ ...LIMITS, perTaker: 1_000_000n });
    expect(await swap.order(wanted(USDT))).toMatchObject({ transaction: '', errorCode: 2, gasless: false });
    hold(taker.address, USDT, 0n);
    expect(await swap.order(wanted(USDT))).toMatchObject({ gasless: true });
  });

  it('does not sign what would fail by now, so that it costs nothing', async () => {
    const order = await swap.order(wanted(USDT));
    hold(taker.address, USDC, 1n);
    const before = lamports(sponsorOf());
    const result = await swap.execute(order, [taker]);
    expect(result.error).toMatch(/the sponsor does not sign: the swap would fail at present/);
    expect(lamports(sponsorOf())).toBe(before);
    hold(taker.address, USDC, 1_000_000_000n);
    expect(await swap.execute(order, [taker])).toMatchObject({ status: 'Success' });
  });

  it('signs nothing that the taker has not signed', async () => {
    const order = await swap.order(wanted(USDT));
    const lacking = await swap.execute(order, []);
    expect(lacking).toMatchObject({ status: 'Failed', code: -1003 });
    expect(lacking.error).toContain(taker.address);
    expect(lacking.error).not.toContain(sponsorOf());
  });

  it('gives the same answer to the same request, and pays once', async () => {
    const order = await swap.order(wanted(USDT));
    const answers = await Promise.all([swap.execute(order, [taker]), swap.execute(order, [taker])]);
    expect(answers[0]).toMatchObject({ status: 'Success' });
    expect(answers[1]).toEqual(answers[0]);
    expect(swap.holding(taker.address, USDC)).toBe(750_000_000n);
  });
});
