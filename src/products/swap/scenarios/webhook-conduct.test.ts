import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SOL, USDC } from '../../../testing/genesis-market/makers.ts';
import { openTestSwap } from '../../../testing/genesis-market/swap.ts';
import { expireFill, judgeFill, openWebhookSwap } from '../../../testing/genesis-market/webhooks.ts';
import type { Answering, WebhookMakerRequest, TestWebhook } from '../../../testing/rfq/webhook-maker.ts';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
import type { Address } from '../../../solana/address.ts';
import { compileMessage } from '../../../solana/messages/compile-message.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { listMessageInstructions } from '../../../solana/messages/message.ts';
import { addSignatures, parseTransaction, signTransaction } from '../../../solana/messages/transaction.ts';
import { createKeypairFromSeed } from '../../../solana/keypair.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { decodeTokenAccount, encodeTokenAccount } from '../../../solana/programs/token/account.ts';
import { ExtensionType } from '../../../solana/programs/token/extensions.ts';
import { setComputeUnitPrice } from '../../../solana/programs/compute-budget.ts';
import type { OrderResponse } from '../endpoints/order.ts';
import { executeSwap } from '../execution/execute.ts';
import { openForEach } from '../../../testing/opened.ts';

let maker: TestWebhook;
const open = openForEach(openWebhookSwap, 'close');
beforeEach(setUp);

describe('a maker misses a swap', () => {
  it.each<[string, typeof SELL, bigint]>([
    ['the fee', SELL, 0n],
    ['the rent of the account in which SOL is unwrapped', BUY, 1_000_000n],
  ])('that it cannot pay %s for, because it moved its SOL away', async (_, wanted, left) => {
    maker.rate = wanted === BUY ? 20_000_000n : maker.rate;
    maker.onSwap = accepts;
    const executed = open.swap.execute(await open.swap.order(wanted));
    await sent();
    setLamports(maker.keypair.address, left);
    await judge();
    expire();
    const error = expect.stringMatching(/^the maker did not land .* when it expired$/);
    expect(await executed).toMatchObject({ status: 'Failed', code: -2_000, error });
    expect(conduct()).toMatchObject({ missed: 1, excused: 0 });
  });

  it('that fails on chain because it moved its SOL away', async () => {
    maker.rate = 20_000_000n;
    maker.onSwap = async (asked) => {
      setLamports(maker.keypair.address, 1_000_000n);
      await maker.land(asked);
      return { body: { quoteId: asked.body.quoteId, state: 'accepted' } };
    };
    const executed = await open.swap.execute(await open.swap.order(BUY));
    expect(executed).toMatchObject({ status: 'Failed' });
    expect(executed.signature).toBeDefined();
    expect(conduct()).toMatchObject({ missed: 1, excused: 0 });
  });

  it('that it lands when it has expired', async () => {
    let late: WebhookMakerRequest | null = null;
    maker.onSwap = (asked) => {
      late = asked;
      return accepts(asked, undefined as never);
    };
    const executed = open.swap.execute(await open.swap.order(SELL));
    await sent();
    await judge();
    pass(2n);
    await maker.land(late as unknown as WebhookMakerRequest);
    expect(await executed).toMatchObject({ status: 'Failed', code: 2_506 });
    expect(conduct()).toMatchObject({ missed: 1, excused: 0 });
  });

  it('that it rejects, also if it has another instance execute it when the taker would have held it too long', async () => {
    maker.onSwap = rejects;
    const order = await open.swap.order(SELL);
    expect(await open.swap.execute(order)).toMatchObject({ code: -2_004 });
    const other = await another();
    pass(30n);
    const executed = other.execute(order);
    expire();
    expect(await executed).toMatchObject({ status: 'Failed', code: -2_004 });
    await vi.waitFor(() => expect(conduct()).toMatchObject({ missed: 1, excused: 0 }));
    expect(maker.of('/swap')).toHaveLength(1);
  });

  it('that it rejected and landed, as another instance finds out, and is turned off', async () => {
    let rejected: WebhookMakerRequest | null = null;
    maker.onSwap = (asked) => {
      rejected = asked;
      return rejects(asked, undefined as never);
    };
    const order = await open.swap.order(SELL);
    await open.swap.execute(order);
    const other = await another();
    const executed = other.execute(order);
    await maker.land(rejected as unknown as WebhookMakerRequest);
    expect(await executed).toMatchObject({ status: 'Success' });
    await vi.waitFor(() => expect(conduct()?.off).toContain('after it had rejected it'));
    expect(conduct()).toMatchObject({ filled: 1, missed: 0 });
  });

  /** Moves the clock of the network. */
  function pass(seconds: bigint): void {
    const { network, chain } = open.market;
    network.setUnixTime(chain.clock().unixTimestamp + seconds);
  }
});

describe('a maker is excused', () => {
  it('if the taker raised the fee that the maker pays, within the limits', async () => {
    maker.onSwap = rejects;
    const request = signed(await open.swap.order(SELL), { change: priced(50_000_000n) });
    expect(await executeSwap(open.swap.composed, request)).toMatchObject({ kind: 'failed', code: -2_004 });
    expire();
    await vi.waitFor(() => expect(conduct()).toMatchObject({ missed: 0, excused: 1 }));
  });

  it('if the taker signed an unknown blockhash', async () => {
    maker.onSwap = accepts;
    const request = signed(await open.swap.order(SELL), { blockhash: new Uint8Array(32).fill(7) });
    const executed = executeSwap(open.swap.composed, request);
    await sent();
    await judge();
    expire();
    expect(await executed).toMatchObject({ kind: 'failed', code: -2_000 });
    expect(conduct()).toMatchObject({ missed: 0, excused: 1 });
  });

  it('if the taker moved its funds away, and the swap that the maker lands fails on chain for little', async () => {
    maker.onSwap = async (asked) => {
      setLamports(open.swap.wallet.address, 1_000_000n);
      await maker.land(asked);
      return { body: { quoteId: asked.body.quoteId, state: 'accepted' } };
    };
    const before = open.market.network.account(maker.keypair.address)?.lamports ?? 0n;
    expect(await open.swap.execute(await open.swap.order(SELL))).toMatchObject({ status: 'Failed' });
    const after = open.market.network.account(maker.keypair.address)?.lamports ?? 0n;
    expect(before - after).toBeLessThan(100_000n);
    expect(conduct()).toMatchObject({ missed: 0, excused: 1 });
  });

  it.each<[string, Answering, number]>([
    ['accepts', accepts, -2_000],
    ['rejects', rejects, -2_004],
  ])(
    'if the taker moved its funds away while the maker tried, and back, and the maker %s',
    async (_, answer, code) => {
      const { address } = open.swap.wallet;
      const held = open.market.network.account(address)?.lamports ?? 0n;
      const move = (lamports: bigint) => {
        setLamports(address, lamports);
        open.market.chain.publish([address]);
      };
      maker.onSwap = (asked, response) => {
        move(1_000_000n);
        move(held);
        return answer(asked, response);
      };
      const order = await open.swap.order(SELL);
      const executed = open.swap.execute(order);
      await sent();
      if (answer === accepts) await judge();
      else await executed;
      expire();
      expect(await executed).toMatchObject({ status: 'Failed', code });
      await vi.waitFor(() => expect(conduct()).toMatchObject({ missed: 0, excused: 1 }));
    },
  );

  it('if the account that the taker is paid into demanded memos while the maker tried', async () => {
    const { network, chain } = open.market;
    const output = deriveAssociatedTokenAddress(open.swap.wallet.address, USDC.mint, USDC.tokenProgram);
    const before = network.account(output);
    if (before === null) throw new Error('the taker has no account');
    const extensions = [{ type: ExtensionType.MEMO_TRANSFER, data: Uint8Array.of(1) }];
    const data = encodeTokenAccount({ ...decodeTokenAccount(before.data), extensions });
    maker.onSwap = (asked, response) => {
      for (const account of [{ ...before, data }, before]) {
        network.setAccount(output, account);
        chain.publish([output]);
      }
      return rejects(asked, response);
    };
    const executed = open.swap.execute(await open.swap.order(SELL));
    await sent();
    await executed;
    expire();
    await vi.waitFor(() => expect(conduct()).toMatchObject({ missed: 0, excused: 1 }));
  });

  it('if the instance that was to send the swap has ended', async () => {
    const { requestId, transaction } = await open.swap.order(SELL);
    const order = await open.swap.composed.orders.get(requestId);
    if (order?.webhookFill === undefined) throw new Error('the order of a webhook maker is not stored');
    const { webhookFill } = order;
    const offered = Buffer.from(transaction ?? '', 'base64');
    const row = {
      requestId,
      makerId: 'maker-0',
      order: { ...order, webhookFill },
      excuse: null,
      offeredAt: 0,
    };
    await open.records.begin({
      ...row,
      offered: addSignatures(parseTransaction(offered), [open.swap.wallet]),
    });
    const { composed } = await another();
    const resumed = composed.webhookFills?.resume(composed.orders);
    await judge();
    expire();
    await resumed;
    await vi.waitFor(() => expect(conduct()).toMatchObject({ missed: 0, excused: 1 }));
    expect(maker.of('/swap')).toHaveLength(0);
  });
});

describe('a swap with a webhook maker', () => {
  it('is not sent with a blockhash that is about to expire', async () => {
    const { chain } = open.market;
    const blockhash = new Uint8Array(32).fill(7);
    vi.spyOn(chain, 'lastValidHeightOf').mockReturnValue(chain.blockHeight('confirmed') + 10n);
    const request = signed(await open.swap.order(SELL), { blockhash });
    expect(await executeSwap(open.swap.composed, request)).toMatchObject({ kind: 'failed', code: -2_003 });
    expect(maker.of('/swap')).toHaveLength(0);
  });

  it('can be executed whatever priority fee its maker quoted', async () => {
    maker.onQuote = ({ body }) => ({ body: { ...maker.quote(body), prioritizationFeeToUse: 10 ** 9 } });
    const order = await open.swap.order(SELL);
    expect(Number(order.prioritizationFeeLamports)).toBeGreaterThan(10_000_000);
    expect(await open.swap.execute(order)).toMatchObject({ status: 'Success' });
    const request = signed(await open.swap.order(SELL), { change: priced(2n * 10n ** 9n) });
    expect(await executeSwap(open.swap.composed, request)).toMatchObject({ kind: 'refused', code: -3 });
  });

  it('is refused once the operator took the right to it from the maker, and made when that is back', async () => {
    const order = await open.swap.order(SELL);
    const pairs = [{ base: SOL.mint, quote: SOL.mint }];
    for (const [changes, reason] of [
      [{ pairs }, /^the operator no longer allows the maker maker-0 to swap So1.* for EPj/],
      [{ pairs: null, enabled: false }, /^the operator disabled the maker maker-0$/],
    ] as const) {
      open.store.change('maker-0', changes);
      await open.webhooks.refresh();
      const refused = { status: 'Failed', code: -2_004, error: expect.stringMatching(reason) };
      expect(await open.swap.execute(order)).toMatchObject(refused);
    }
    expect([maker.of('/swap').length, open.records.rows.size]).toEqual([0, 0]);
    open.store.change('maker-0', { enabled: true });
    await open.webhooks.refresh();
    expect(await open.swap.execute(order)).toMatchObject({ status: 'Success' });
  });

  it('goes on to its end if the maker is removed while it has it', async () => {
    const { onSwap } = maker;
    maker.onSwap = async (asked, response) => {
      open.store.entries.delete('maker-0');
      await open.webhooks.refresh();
      return onSwap(asked, response);
    };
    const [order, standing] = [await open.swap.order(SELL), await open.swap.order(SELL)];
    const executed = await open.swap.execute(order);
    expect(executed).toMatchObject({ status: 'Success', totalOutputAmount: order.outAmount });
    expect(open.records.rows.get(order.requestId)).toMatchObject({ state: 'ended', makerId: 'maker-0' });
    expect(await open.swap.execute(standing)).toMatchObject({
      status: 'Failed',
      code: -2_004,
      error: 'the operator removed the maker maker-0, or its webhook',
    });
    expect(await open.swap.execute(order)).toMatchObject(executed);
  });

  it('is not sent to another maker that was registered under the same id since', async () => {
    const order = await open.swap.order(SELL);
    open.store.change('maker-0', { address: createKeypairFromSeed(new Uint8Array(32).fill(9)).address });
    await open.webhooks.refresh();
    expect(await open.swap.execute(order)).toMatchObject({
      status: 'Failed',
      code: -2_004,
      error: 'the operator removed the maker maker-0, and registered another one under its id',
    });
    expect([maker.of('/swap').length, open.records.rows.size]).toEqual([0, 0]);
  });

  it('does not count against another maker that was registered under the same id meanwhile', async () => {
    maker.onSwap = accepts;
    const executed = open.swap.execute(await open.swap.order(SELL));
    await sent();
    open.store.change('maker-0', { address: createKeypairFromSeed(new Uint8Array(32).fill(9)).address });
    await open.webhooks.refresh();
    await judge();
    expire();
    expect(await executed).toMatchObject({ status: 'Failed', code: -2_000 });
    expect(conduct()).toMatchObject({ filled: 0, missed: 0, excused: 0 });
  });

  it('is not the swap of another order, whose signature its maker names', async () => {
    let landed = '';
    maker.onSwap = async (asked) => {
      landed = await maker.land(asked);
      return { body: { quoteId: asked.body.quoteId, state: 'accepted', txSignature: landed } };
    };
    expect(await open.swap.execute(await open.swap.order(SELL))).toMatchObject({ status: 'Success' });
    maker.onSwap = ({ body: { quoteId } }) => ({
      body: { quoteId, state: 'accepted', txSignature: landed },
    });
    const executed = open.swap.execute(await open.swap.order({ ...SELL, amount: '1000000001' }));
    await vi.waitFor(() => expect(maker.of('/swap')).toHaveLength(2));
    await judge();
    expire();
    expect(await executed).toMatchObject({ status: 'Failed', code: -2_000 });
    expect(conduct()).toMatchObject({ filled: 1, missed: 1 });
  });
});

const SELL = { inputMint: SOL.mint, outputMint: USDC.mint, amount: '1000000000' };
const BUY = { inputMint: USDC.mint, outputMint: SOL.mint, amount: '100000000' };

function setUp(): void {
  [maker] = open.makers as [TestWebhook];
}

const conduct = () => open.webhooks.find('maker-0')?.state;
const accepts: Answering = ({ body: { quoteId } }) => ({ body: { quoteId, state: 'accepted' } });
const rejects: Answering = ({ body: { quoteId } }) => ({
  body: { quoteId, state: 'rejected', rejectionReason: 'the price has moved' },
});

function setLamports(wallet: Address, lamports: bigint): void {
  const { network } = open.market;
  const account = network.account(wallet);
  if (account === null) throw new Error(`there is no wallet ${wallet}`);
  network.setAccount(wallet, { ...account, lamports });
}

const judge = () => judgeFill(open);
const expire = () => expireFill(open);

const sent = () => vi.waitFor(() => expect(maker.of('/swap')).toHaveLength(1));

/** The request for an order whose wallet has changed the message. */
function signed(
  order: OrderResponse,
  { blockhash, change = (all) => all }: { blockhash?: Uint8Array; change?: Change } = {},
) {
  const { message } = parseTransaction(Buffer.from(order.transaction ?? '', 'base64'));
  const compiled = compileMessage({
    feePayer: maker.keypair.address,
    blockhash: blockhash ?? open.market.chain.recentBlockhash().bytes,
    instructions: change(listMessageInstructions(message, { writable: [], readonly: [] })),
  });
  const signedTransaction = Buffer.from(signTransaction(compiled, [open.swap.wallet])).toString('base64');
  return { signedTransaction, requestId: order.requestId };
}

type Change = (instructions: readonly Instruction[]) => readonly Instruction[];

const priced =
  (microLamports: bigint): Change =>
  (all) =>
    all.map((each, index) => (index === 1 ? setComputeUnitPrice(microLamports) : each));

/** The records and conduct that instances share, at another instance. */
async function another() {
  const webhooks = { makers: open.webhooks, records: open.records };
  return openTestSwap({ market: open.market, timers: SYSTEM_TIMERS, webhooks });
}
