import { beforeAll, describe, expect, it, vi } from 'vitest';
import { JUPUSD_MINT } from '../../src/protocols/jupiter-prediction/prediction-program.ts';
import type { Keypair } from '../../src/solana/keypair.ts';
import { getGenesisToken } from '../../src/solana/known-tokens.ts';
import { addSignatures, parseTransaction } from '../../src/solana/messages/transaction.ts';
import { openEvenRound } from './forecast-round.ts';
import { useInstance } from './shared-instance.ts';

// Positions of both kinds of market, over a running instance whose keeper opens the rounds of forecasts.

const instance = useInstance();
const EVENT = 'FORECASTS-TEST';
const DEPOSIT = '20000000';
/** A wallet that cannot pay for its transactions. */
let poor: Keypair;
beforeAll(setUp);

describe('a wallet without SOL', () => {
  it('holds a forecast and contracts of a market at once, and leaves both', async () => {
    const [up] = (await openEvenRound(instance)).markets;
    const marketId = up?.marketId;
    const bought = await build<Built>('POST', '/orders', { marketId, isBuy: true, depositAmount: DEPOSIT });
    expect(bought).toMatchObject({
      isGasless: true,
      requiredSigners: [expect.any(String), poor.address],
      executionModel: 'atomic_swap',
      execution: { context: { type: 'bisonfi_swap', requestId: bought.jupiterSwapRequestId } },
    });
    await land(bought);
    const { positionPubkey, contractsMicro } = bought.order;
    await vi.waitFor(async () => {
      expect((await ask(`/positions/${positionPubkey}`)).json).toMatchObject({
        contractsMicro,
        totalCostUsd: DEPOSIT,
        marketMetadata: { provider: 'bisonfi', result: null },
      });
    });
    expect((await ask(`/orders/status/${positionPubkey}`)).json).toMatchObject({
      code: 'order_history_not_found',
    });
    const [row] = (await ask(`/history?ownerPubkey=${poor.address}`)).json.data;
    expect(row).toMatchObject({
      eventType: 'order_filled',
      orderPubkey: '',
      positionPubkey,
      marketId,
      isYes: true,
      isBuy: true,
      filledContractsMicro: contractsMicro,
      totalCostUsd: DEPOSIT,
    });

    const contracts = await buyContracts();
    const closings = { minSellPriceSlippageBps: 2_500 };
    const { data } = await build<{ data: Built[] }>('DELETE', '/positions', closings);
    const sales = new Map(data.map((each) => [each.order.positionPubkey, each]));
    expect([...sales.keys()].sort()).toEqual([positionPubkey, contracts].sort());
    expect(sales.get(positionPubkey)).toMatchObject({
      settlement: 'auto',
      order: { newContractsMicro: '0' },
    });
    expect(sales.get(contracts)).toMatchObject({ settlement: 'claim', isGasless: true });
    await land(sales.get(positionPubkey) as Built);
    await vi.waitFor(async () => {
      expect((await ask(`/positions/${positionPubkey}`)).status).toBe(404);
    });
  });
});

/** What the test reads of a transaction that was made. */
interface Built {
  readonly transaction: string;
  readonly execution: { readonly context: unknown };
  readonly jupiterSwapRequestId: string | null;
  readonly order: {
    readonly positionPubkey: string;
    readonly orderPubkey: string;
    readonly contractsMicro: string;
  };
}

async function setUp(): Promise<void> {
  const deposit = BigInt(DEPOSIT);
  poor = await instance.newWallet(900_000n, {
    [getGenesisToken('USDC').mint]: deposit,
    [JUPUSD_MINT]: deposit,
  });
  await instance.admin('POST', 'prediction-events', {
    eventId: EVENT,
    title: 'Are there two kinds of market?',
    category: 'tech',
    closeAt: '1d',
    markets: [{ title: 'There are', house: { startCents: 40, contractsPerCent: 100 } }],
  });
}

/** Buys contracts of the market that orders trade, and returns the position once the order is closed. */
async function buyContracts(): Promise<string> {
  const built = await build<Built>('POST', '/orders', {
    marketId: `${EVENT}-1`,
    isYes: true,
    isBuy: true,
    depositAmount: DEPOSIT,
    depositMint: JUPUSD_MINT,
  });
  await land(built);
  await vi.waitFor(async () => {
    const { json } = await ask(`/orders/status/${built.order.orderPubkey}`);
    expect(json).toMatchObject({ latestEventType: 'order_closed' });
  });
  return built.order.positionPubkey;
}

function ask(path: string, body?: object) {
  return instance.ask(`/prediction/v1${path}`, body);
}

async function build<Answer>(method: 'POST' | 'DELETE', path: string, body: object): Promise<Answer> {
  const answer = await fetch(`${instance.restUrl}/prediction/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ownerPubkey: poor.address, ...body }),
  });
  const json = (await answer.json()) as Answer;
  expect(answer.status, JSON.stringify(json)).toBe(200);
  return json;
}

async function land({ transaction, execution }: Built): Promise<void> {
  const parsed = parseTransaction(new Uint8Array(Buffer.from(transaction, 'base64')));
  const signedTransaction = Buffer.from(addSignatures(parsed, [poor])).toString('base64');
  const { json } = await ask('/execute', { signedTransaction, context: execution.context });
  expect(json, JSON.stringify(json)).toMatchObject({ status: 'Success' });
}
