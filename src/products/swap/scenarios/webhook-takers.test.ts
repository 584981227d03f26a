import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SOL, USDC } from '../../../testing/genesis-market/makers.ts';
import { expireFill, openWebhookRivals } from '../../../testing/genesis-market/webhooks.ts';
import type { TestWebhook } from '../../../testing/rfq/webhook-maker.ts';
import type { Address } from '../../../solana/address.ts';
import { compileMessage } from '../../../solana/messages/compile-message.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { listMessageInstructions } from '../../../solana/messages/message.ts';
import { parseTransaction, signTransaction } from '../../../solana/messages/transaction.ts';
import { SYSVAR_CLOCK } from '../../../solana/program-addresses.ts';
import { setComputeUnitLimit, setComputeUnitPrice } from '../../../solana/programs/compute-budget.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import { executeSwap } from '../execution/execute.ts';
import type { OrderResponse } from '../endpoints/order.ts';
import { openForEach } from '../../../testing/opened.ts';

let maker: TestWebhook;
const open = openForEach(openWebhookRivals, 'close');
beforeEach(setUp);

describe('a taker', () => {
  const assertion = (first: number): Instruction => ({
    programAddress: LIGHTHOUSE,
    accounts: [],
    data: Uint8Array.of(first, 0),
  });

  it.each<[string, (all: readonly Instruction[]) => readonly Instruction[], string]>([
    [
      'adds a transfer',
      (all) => [...all, transferLamports(maker.keypair.address, open.swap.wallet.address, 1n)],
      'is not in the order',
    ],
    ['appends a memory write', (all) => [...all, assertion(0)], 'none of the assertions'],
    ['puts an assertion first', (all) => [assertion(5), ...all], 'instruction 0 is of'],
    ['leaves an instruction out', (all) => all.slice(0, 3), 'fewer than'],
    [
      'changes the amounts',
      (all) =>
        all.map((each, index) =>
          index === 3 ? { ...each, data: each.data.map((byte, at) => (at === 8 ? byte ^ 1 : byte)) } : each,
        ),
      'has other data',
    ],
    [
      'sets the limit twice',
      (all) => all.map((each, index) => (index === 1 ? setComputeUnitLimit(1) : each)),
      'something else',
    ],
    [
      'makes the maker pay a huge priority fee',
      (all) => all.map((each, index) => (index === 1 ? setComputeUnitPrice(10n ** 12n) : each)),
      'its priority fee is',
    ],
  ])('that %s is refused, and the maker sees nothing of it', async (_, change, reason) => {
    const order = await open.swap.order(SELL);
    const outcome = await executeSwap(open.swap.composed, changed(order, change));
    expect(outcome).toMatchObject({ kind: 'refused', code: -3 });
    expect(JSON.stringify(outcome, (_key, value) => value as unknown)).toContain(reason);
    expect(maker.of('/swap')).toHaveLength(0);
  });

  it('can swap with a wallet that changes the compute budget and the blockhash', async () => {
    const order = await open.swap.order(SELL);
    const request = changed(order, ([, , ...rest]) => [
      setComputeUnitLimit(400_000),
      setComputeUnitPrice(20_000n),
      ...rest,
    ]);
    expect(await executeSwap(open.swap.composed, request)).toMatchObject({ kind: 'succeeded' });
    // The same order with another message is not executed again.
    expect(await open.swap.execute(order)).toMatchObject({ status: 'Success' });
    expect(maker.of('/swap')).toHaveLength(1);
  });

  it('is refused when it signs too late, and the maker is not sent the swap', async () => {
    const order = await open.swap.order(SELL);
    open.market.network.setUnixTime(BigInt(order.expireAt ?? 0) - 19n);
    expect(await open.swap.execute(order)).toMatchObject({ status: 'Failed', code: -2_003 });
    expect(maker.of('/swap')).toHaveLength(0);
  });

  it('has only as many swaps sent to makers as its funds cover', async () => {
    const held = open.swap.holding(open.swap.wallet.address, SOL.mint);
    const amount = ((held * 6n) / 10n).toString();
    maker.rate = 300_000n;
    const orders = [await open.swap.order({ ...SELL, amount }), await open.swap.order({ ...SELL, amount })];
    maker.onSwap = () => {};
    for (const other of open.makers) other.onSwap = () => {};
    const first = open.swap.execute(orders[0] as OrderResponse);
    const sent = () => open.makers.flatMap((each) => each.of('/swap'));
    await vi.waitFor(() => expect(sent()).toHaveLength(1));
    expect(await open.swap.execute(orders[1] as OrderResponse)).toMatchObject({ code: -2_004 });
    expect(sent()).toHaveLength(1);
    expire();
    await first;
  });

  it('does not harm the maker by moving its funds away after it signed', async () => {
    const order = await open.swap.order(SELL);
    maker.onSwap = ({ body: { quoteId } }) => ({ body: { quoteId, state: 'accepted' } });
    const executed = open.swap.execute(order);
    await vi.waitFor(() => expect(maker.of('/swap')).toHaveLength(1));
    const { network } = open.market;
    const wallet = network.account(open.swap.wallet.address);
    if (wallet === null) throw new Error('the taker has no wallet');
    network.setAccount(open.swap.wallet.address, { ...wallet, lamports: 1_000_000n });
    expire();
    const error = expect.stringMatching(
      /^the maker did not land .* expired, which is not counted against it$/,
    );
    expect(await executed).toMatchObject({ status: 'Failed', code: -2_000, error });
    expect(outcomes()).toMatchObject({ missed: 0, excused: 1 });
  });

  it('does not harm the maker by it over a node whose Clock sysvar is too short', async () => {
    const { chain, network } = open.market;
    const order = await open.swap.order(SELL);
    maker.onSwap = ({ body: { quoteId } }) => ({ body: { quoteId, state: 'accepted' } });
    const executed = open.swap.execute(order);
    await vi.waitFor(() => expect(maker.of('/swap')).toHaveLength(1));
    const getAccounts = chain.getAccounts.bind(chain);
    const asked = vi
      .spyOn(chain, 'getAccounts')
      .mockImplementation(async (addresses) =>
        (await getAccounts(addresses)).map((each) =>
          each.address === SYSVAR_CLOCK && each.account !== null
            ? { ...each, account: { ...each.account, data: each.account.data.subarray(0, 39) } }
            : each,
        ),
      );
    const wallet = network.account(open.swap.wallet.address);
    if (wallet === null) throw new Error('the taker has no wallet');
    network.setAccount(open.swap.wallet.address, { ...wallet, lamports: 1_000_000n });
    chain.publish([open.swap.wallet.address]);
    await vi.waitFor(() => expect(asked.mock.calls.flat(2)).toContain(SYSVAR_CLOCK));
    expire();
    expect(await executed).toMatchObject({ status: 'Failed', code: -2_000 });
    expect(outcomes()).toMatchObject({ missed: 0, excused: 1 });
  });

  /** The order with other instructions, signed by the taker. */
  function changed(
    order: OrderResponse,
    change: (instructions: readonly Instruction[]) => readonly Instruction[],
  ) {
    const { message } = parseTransaction(Buffer.from(order.transaction ?? '', 'base64'));
    const instructions = listMessageInstructions(message, { writable: [], readonly: [] });
    const compiled = compileMessage({
      feePayer: maker.keypair.address,
      blockhash: open.market.chain.recentBlockhash().bytes,
      instructions: change(instructions),
    });
    const signedTransaction = Buffer.from(signTransaction(compiled, [open.swap.wallet])).toString('base64');
    return { signedTransaction, requestId: order.requestId };
  }
});

const SELL = { inputMint: SOL.mint, outputMint: USDC.mint, amount: '1000000000' };
const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95' as Address;

function setUp(): void {
  maker = open.makers[0] as TestWebhook;
}

const outcomes = () => open.webhooks.find('maker-0')?.state;

const expire = () => expireFill(open);
