import { describe, expect, it } from 'vitest';
import { openSponsoredSwap, USDT } from '../../../testing/genesis-market/sponsored.ts';
import { createAssociatedToken } from '../../../solana/programs/associated-token.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import { closeAccount } from '../../../solana/programs/token/instructions.ts';
import type { StoredOrder } from '../../../swaps/orders/stored-order.ts';
import { TOKEN_ACCOUNT_RENT } from '../../../transactions/build/closings.ts';
import { openForEach } from '../../../testing/opened.ts';

const test = openForEach(openSponsoredSwap);

describe('the rent that a sponsor pays', () => {
  it('is not paid for an account that existed with the order and is closed before the execution', async () => {
    test.hold(test.taker.address, USDT, 0n);
    const order = await test.swap.order(test.wanted(USDT));
    expect(order).toMatchObject({ gasless: true, rentFeeLamports: 0 });
    close();
    const before = test.lamports(test.sponsor);
    const answer = await test.swap.execute(order, [test.taker]);
    expect(answer).toMatchObject({ status: 'Failed', code: -1002 });
    expect(test.lamports(test.sponsor)).toBe(before);
  });

  it('is not paid for an account that is closed after the sponsor has signed: the swap fails for its fees', async () => {
    test.hold(test.taker.address, USDT, 0n);
    const order = await test.swap.order(test.wanted(USDT));
    const { chain } = test.swap.market;
    const send = chain.send.bind(chain);
    chain.send = (wire) => {
      close();
      return send(wire);
    };
    const before = test.lamports(test.sponsor);
    const answer = await test.swap.execute(order, [test.taker]);
    expect(answer).toMatchObject({ status: 'Failed', slot: expect.any(String) });
    const fees = order.signatureFeeLamports + order.prioritizationFeeLamports;
    expect(before - test.lamports(test.sponsor)).toBe(BigInt(fees));
  });

  it('is charged for an account that does not exist, also if there are lamports at its address', async () => {
    donate();
    const order = await test.swap.order(test.wanted(USDT));
    expect(order).toMatchObject({ gasless: true, rentFeeLamports: RENT });
    const before = test.lamports(test.sponsor);
    expect(await test.swap.execute(order, [test.taker])).toMatchObject({ status: 'Success' });
    expect(before - test.lamports(test.sponsor)).toBe(test.swap.costsOf(order) - 890_880n);
  });

  it('is charged in full if the lamports at its address can be taken away again', async () => {
    donate();
    const order = await test.swap.order(test.wanted(USDT));
    const owner = test.taker.address;
    const opening = { payer: test.swap.market.network.payer, owner, mint: USDT, tokenProgram: TOKEN_PROGRAM };
    expect(test.swap.market.network.send([createAssociatedToken(opening)])).toMatchObject({ error: null });
    close();
    const before = test.lamports(test.sponsor);
    expect(await test.swap.execute(order, [test.taker])).toMatchObject({ status: 'Success' });
    expect(before - test.lamports(test.sponsor)).toBe(test.swap.costsOf(order));
  });

  it('is compared by a simulation with what was charged, before the sponsor signs', async () => {
    const order = await test.swap.order(test.wanted(USDT));
    const stored = (await test.swap.composed.orders.get(order.requestId)) as StoredOrder;
    const cost = test.swap.costsOf(order);
    const sponsorship = { sponsor: test.sponsor, chargedLamports: cost - 1n };
    await test.swap.composed.orders.put({ ...stored, sponsorship });
    const refused = await test.swap.execute(order, [test.taker]);
    expect(refused).toMatchObject({
      status: 'Failed',
      code: -1002,
      error: `the sponsor does not sign: the swap would cost it ${cost} lamports by now, and the order charged for ${cost - 1n}; ask for a new order`,
    });
    expect(test.swap.market.chain.sent).toBe(0);
    await test.swap.composed.orders.put({
      ...stored,
      sponsorship: { ...sponsorship, chargedLamports: cost },
    });
    expect(await test.swap.execute(order, [test.taker])).toMatchObject({ status: 'Success' });
  });

  const output = () => deriveAssociatedTokenAddress(test.taker.address, USDT, TOKEN_PROGRAM);
  const RENT = Number(TOKEN_ACCOUNT_RENT);

  /** The taker closes its account of the output, and keeps the rent. */
  function close(): void {
    const destination = test.swap.wallet.address;
    const closing = closeAccount(TOKEN_PROGRAM, {
      account: output(),
      destination,
      authority: test.taker.address,
    });
    expect(test.swap.market.network.send([closing])).toMatchObject({ error: null });
  }

  /** Sends lamports to the address of the account, which does not create it. */
  const donate = () =>
    test.swap.market.network.send([transferLamports(test.swap.market.network.payer, output(), 890_880n)]);
});

describe('a sponsor whose balance changes during a simulation', () => {
  it.each([
    ['the swaps of others land', -10_000n, 'balances'],
    ['somebody sends it a lamport', 1n, 'balances'],
    ['the node states only the slot', -10_000n, 'slot'],
    ['the node is never asked twice for one slot', -10_000n, 'nothing'],
  ] as const)('signs while %s', async (_, lamports, told) => {
    const order = await test.swap.order(test.wanted(USDT));
    changing(lamports, told);
    expect(await test.swap.execute(order, [test.taker])).toMatchObject({ status: 'Success' });
  });

  it.each(['balances', 'slot', 'nothing'] as const)(
    'cannot be made to pay more than it charged by deposits of others, with a node that states %s',
    async (told) => {
      const order = await test.swap.order(test.wanted(USDT));
      const stored = (await test.swap.composed.orders.get(order.requestId)) as StoredOrder;
      const chargedLamports = test.swap.costsOf(order) - 1n;
      await test.swap.composed.orders.put({
        ...stored,
        sponsorship: { sponsor: test.sponsor, chargedLamports },
      });
      changing(1_000_000n, told);
      expect(await test.swap.execute(order, [test.taker])).toMatchObject({ status: 'Failed', code: -1002 });
      expect(test.swap.market.chain.sent).toBe(0);
    },
  );

  /** Changes the balance right before each simulation of a swap's cost. */
  function changing(lamports: bigint, told: 'balances' | 'slot' | 'nothing'): void {
    const { chain, network } = test.swap.market;
    const simulate = chain.simulate.bind(chain);
    chain.simulate = async (wire, options) => {
      const account = network.account(test.sponsor);
      if (account !== null && options.accounts !== undefined) {
        network.setAccount(test.sponsor, { ...account, lamports: account.lamports + lamports });
      }
      const simulation = await simulate(wire, options);
      if (told === 'balances') return simulation;
      return { ...simulation, feePayer: null, slot: told === 'slot' ? simulation.slot : 0n };
    };
  }
});
