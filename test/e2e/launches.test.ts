import * as web3 from '@solana/web3.js';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { transferDbcPoolCreator } from '../../src/protocols/meteora-dbc/program/instructions-launch.ts';
import {
  getTransactionSignature,
  parseTransaction,
  signTransaction,
} from '../../src/solana/messages/transaction.ts';
import { TokenLauncher, USDC } from './launched-token.ts';
import { useInstance } from './shared-instance.ts';
import { toInstruction, toLookupTables } from './web3-instructions.ts';

const instance = useInstance();
let launcher: TokenLauncher;
beforeAll(setUp);

describe('a launched token', () => {
  it('trades from its launch on, migrates by itself once its curve is complete, and trades on in its pool', async () => {
    const { wallet } = launcher;
    const keys = await launcher.launch();
    await vi.waitFor(async () =>
      expect(await find(keys.baseMint)).toMatchObject({
        bondingCurve: 0,
        launchpad: 'met-dbc',
        partnerConfig: keys.config,
        dev: wallet.address,
        audit: { devMints: 1 },
      }),
    );
    const onCurve = await trade(USDC, keys.baseMint, '80000000');
    expect(onCurve.routePlan.map((leg) => leg.swapInfo.ammKey)).toEqual([keys.pool]);
    await vi.waitFor(async () => expect((await find(keys.baseMint)).bondingCurve).toBeGreaterThan(9));
    await launcher.buy(keys);
    await vi.waitFor(async () =>
      expect(await find(keys.baseMint)).toMatchObject({
        graduatedPool: expect.any(String),
        graduatedAt: expect.stringMatching(/Z$/),
      }),
    );
    const token = await find(keys.baseMint);
    expect(token).not.toHaveProperty('bondingCurve');
    const inPool = await trade(keys.baseMint, USDC, '1000000000');
    expect(inPool.routePlan.map((leg) => leg.swapInfo.ammKey)).toEqual([token.graduatedPool]);
  });

  it('is bought by order and by build in the slot of its launch', async () => {
    const { keys, mint, instruction } = launcher.prepareLaunch(await launcher.createConfig());
    const { order, executed, slots } = await inOneSlot(async () => {
      const launched = await launcher.submit([instruction], [mint]);
      const ordered = await vi.waitFor(() => requestOrder(USDC, keys.baseMint, '20000000'));
      const { signature, executed: execution } = execute(ordered);
      await vi.waitFor(async () => expect(await launcher.readStatus(signature)).toBe('processed'));
      const built = await buildAndSend(USDC, keys.baseMint, '20000000');
      await vi.waitFor(async () => expect(await launcher.readStatus(built)).toBe('processed'));
      const all = await Promise.all([launched, signature, built].map((each) => launcher.readSlot(each)));
      return { order: ordered, executed: execution, slots: all };
    });
    expect(new Set(slots).size).toBe(1);
    expect(await executed).toMatchObject({ status: 'Success', outputAmountResult: order.outAmount });
  });

  it('is one more mint of its creator, also after its rights were handed to somebody else', async () => {
    const { wallet } = launcher;
    const keys = await launcher.launch({ tokenDecimal: 6 });
    const famous = await instance.newWallet(1_000_000n, {});
    await launcher.land(
      [transferDbcPoolCreator(keys, { creator: wallet.address, newCreator: famous.address })],
      [],
    );
    await vi.waitFor(async () =>
      expect(await find(keys.baseMint)).toMatchObject({ dev: wallet.address, audit: { devMints: 3 } }),
    );
  });
});

/** Does something while the network stands still. Nothing is confirmed meanwhile. */
async function inOneSlot<T>(work: () => Promise<T>): Promise<T> {
  await instance.rpc('surfnet_pauseClock');
  try {
    return await work();
  } finally {
    await instance.rpc('surfnet_resumeClock');
  }
}

interface TradedOrder {
  readonly transaction: string;
  readonly requestId: string;
  readonly outAmount: string;
  readonly routePlan: readonly { readonly swapInfo: { readonly ammKey: string } }[];
}

async function setUp(): Promise<void> {
  const wallet = await instance.newWallet(10_000_000_000n, { [USDC]: 1_000_000_000_000n });
  launcher = new TokenLauncher(wallet, (method, ...params) => instance.rpc(method, ...params));
}

/** Finds a token by its mint. */
async function find(mint: string) {
  const { json } = await instance.ask(`/tokens/v2/search?query=${mint}`);
  expect(json).toHaveLength(1);
  return json[0];
}

/** Orders a swap and executes it. */
async function trade(inputMint: string, outputMint: string, amount: string): Promise<TradedOrder> {
  const order = await requestOrder(inputMint, outputMint, amount);
  expect(await execute(order).executed).toMatchObject({
    status: 'Success',
    outputAmountResult: order.outAmount,
  });
  return order;
}

function toSwapQuery(inputMint: string, outputMint: string, amount: string): URLSearchParams {
  return new URLSearchParams({ inputMint, outputMint, amount, taker: launcher.wallet.address });
}

async function requestOrder(inputMint: string, outputMint: string, amount: string): Promise<TradedOrder> {
  const { json } = await instance.ask(`/swap/v2/order?${toSwapQuery(inputMint, outputMint, amount)}`);
  expect(json.transaction, JSON.stringify(json)).toEqual(expect.any(String));
  return json;
}

/** Sends an order. `executed` resolves when its transaction is confirmed. */
function execute({ transaction, requestId }: TradedOrder) {
  const { messageBytes } = parseTransaction(new Uint8Array(Buffer.from(transaction, 'base64')));
  const wire = signTransaction(messageBytes, [launcher.wallet]);
  const signedTransaction = Buffer.from(wire).toString('base64');
  const answer = instance.ask('/swap/v2/execute', { signedTransaction, requestId });
  return {
    signature: getTransactionSignature(parseTransaction(wire)),
    executed: answer.then(({ json }) => json),
  };
}

/** Builds a swap, signs it and sends it. Resolves to the signature. */
async function buildAndSend(inputMint: string, outputMint: string, amount: string): Promise<string> {
  const { json } = await instance.ask(`/swap/v2/build?${toSwapQuery(inputMint, outputMint, amount)}`);
  expect(json.swapInstruction, JSON.stringify(json)).toBeDefined();
  const steps = [
    ...json.computeBudgetInstructions,
    ...json.setupInstructions,
    json.swapInstruction,
    ...(json.cleanupInstruction === null ? [] : [json.cleanupInstruction]),
    ...json.otherInstructions,
  ];
  const message = new web3.TransactionMessage({
    payerKey: new web3.PublicKey(launcher.wallet.address),
    recentBlockhash: new web3.PublicKey(json.blockhashWithMetadata.blockhash).toBase58(),
    instructions: steps.map(toInstruction),
  }).compileToV0Message(toLookupTables(json.addressesByLookupTableAddress ?? {}));
  const wire = signTransaction(message.serialize(), [launcher.wallet]);
  const options = { encoding: 'base64', preflightCommitment: 'processed' };
  return instance.rpc('sendTransaction', Buffer.from(wire).toString('base64'), options);
}
