import { randomUUID } from 'node:crypto';
import * as kit from '@solana/kit';
import { type Answer, difference, firstOf, unless } from '../answer.ts';
import type { Statement } from '../statement.ts';
import type { World } from '../world.ts';
import { SOL, USDC } from './mints.ts';
import { signTransaction } from './transactions.ts';

const NOT_FOUND = 'Order not found, it might have expired';
const FAULTS = '/admin/v1/network/faults';

/** An order of SOL for USDC with its transaction signed by the taker. */
async function signedOrder(world: World, changes = '', signer = world.wallet, amount = '100000000') {
  const query = `inputMint=${SOL}&outputMint=${USDC}&amount=${amount}&taker=${signer.address}${changes}`;
  const { json } = await world.ask(`/swap/v2/order?${query}`);
  return { order: json, signedTransaction: await signTransaction(json.transaction, signer) };
}

function execute(world: World, body: unknown, path = '/swap/v2/execute'): Promise<Answer> {
  return world.ask(path, { method: 'POST', body });
}

/** A failure names its code and its text twice, for clients of both versions of the public interface. */
function pairs({ json }: Answer): string | null {
  const { code, error, errorCode, errorMessage } = json ?? {};
  return unless(code === errorCode && error === errorMessage && typeof error === 'string', json);
}

function refusal(answer: Answer, code: number): string | null {
  return difference(answer, { status: 400, body: { code } }) ?? pairs(answer);
}

function failure(answer: Answer, code: number): string | null {
  const body = { status: 'Failed', code, slot: '0' };
  return difference(answer, { status: 200, body }) ?? pairs(answer);
}

const refusals: readonly Statement[] = [
  {
    id: 'execute/not-found',
    says: '-1: an unknown order is 400 `Order not found, it might have expired`.',
    check: async (world) => {
      const { signedTransaction } = await signedOrder(world);
      const answer = await execute(world, { signedTransaction, requestId: randomUUID() });
      return difference(answer, { status: 400, body: { code: -1, error: NOT_FOUND } }) ?? pairs(answer);
    },
  },
  {
    id: 'execute/not-a-transaction',
    says: '-2: signedTransaction is no valid signed transaction.',
    check: async (world) => {
      const { order } = await signedOrder(world);
      const texts = ['AAAA', 'no base64', Buffer.alloc(1_300).toString('base64')];
      const seen = await Promise.all(
        texts.map((signedTransaction) => execute(world, { signedTransaction, requestId: order.requestId })),
      );
      return firstOf(...seen.map((answer) => refusal(answer, -2)));
    },
  },
  {
    id: 'execute/other-message',
    says: '-3: the message is not that of the order.',
    check: async (world) => {
      const [{ order }, { signedTransaction }] = [await signedOrder(world), await signedOrder(world)];
      return refusal(await execute(world, { signedTransaction, requestId: order.requestId }), -3);
    },
  },
  {
    id: 'execute/missing-fields',
    says: '-4 and -5: requestId or signedTransaction is missing.',
    check: async (world) =>
      firstOf(
        refusal(await execute(world, { signedTransaction: 'AAAA' }), -4),
        refusal(await execute(world, { requestId: randomUUID() }), -5),
      ),
  },
  {
    id: 'execute/unsigned',
    says: '-1003: a transaction without its signatures fails, in slot "0".',
    check: async (world) => {
      const { order } = await signedOrder(world);
      const body = { signedTransaction: order.transaction, requestId: order.requestId };
      return failure(await execute(world, body), -1003);
    },
  },
  {
    id: 'execute/half-signed',
    says: '-1003: with another payer, both signatures are needed.',
    check: async (world) => {
      const payer = await world.newWallet();
      const { order, signedTransaction } = await signedOrder(world, `&payer=${payer.address}`);
      return failure(await execute(world, { signedTransaction, requestId: order.requestId }), -1003);
    },
  },
  {
    id: 'execute/block-height',
    says: '-1004: lastValidBlockHeight, if given, is that of the order.',
    check: async (world) => {
      const { order, signedTransaction } = await signedOrder(world);
      const body = { signedTransaction, requestId: order.requestId, lastValidBlockHeight: '1' };
      return failure(await execute(world, body), -1004);
    },
  },
];

const successes: readonly Statement[] = [
  {
    id: 'execute/success',
    says: 'A confirmed swap is Success with code 0, its slot, signature, amounts and events.',
    check: async (world) => {
      const { order, signedTransaction } = await signedOrder(world);
      const { requestId, lastValidBlockHeight, inAmount, outAmount, routePlan } = order;
      const answer = await execute(world, { signedTransaction, requestId, lastValidBlockHeight });
      // A fee in the input token is the difference between what the wallet lost and what the route took.
      const routed = BigInt(inAmount) - BigInt(order.platformFee.amount);
      const body = {
        status: 'Success',
        code: 0,
        totalInputAmount: inAmount,
        inputAmountResult: `${routed}`,
        totalOutputAmount: outAmount,
        outputAmountResult: outAmount,
      };
      const { slot, signature, swapEvents, error, errorCode } = answer.json ?? {};
      const isOnChain = /^[1-9]\d*$/.test(slot) && kit.isSignature(`${signature}`);
      const isWhole =
        swapEvents?.length === routePlan.length && error === undefined && errorCode === undefined;
      return difference(answer, { status: 200, body }) ?? unless(isOnChain && isWhole, answer.json);
    },
  },
  {
    id: 'execute/events',
    says: 'Each event has both mints, and amounts as texts.',
    check: async (world) => {
      const { order, signedTransaction } = await signedOrder(world);
      const { json } = await execute(world, { signedTransaction, requestId: order.requestId });
      const holds = json.swapEvents.every(
        (event: Record<string, string>) =>
          kit.isAddress(`${event.inputMint}`) &&
          kit.isAddress(`${event.outputMint}`) &&
          /^\d+$/.test(`${event.inputAmount}`) &&
          /^\d+$/.test(`${event.outputAmount}`),
      );
      return unless(holds, json.swapEvents);
    },
  },
  {
    id: 'execute/repeat',
    says: 'The same request again has the same answer, and nothing is executed twice.',
    check: async (world) => {
      const { order, signedTransaction } = await signedOrder(world);
      const body = { signedTransaction, requestId: order.requestId };
      const seen = await Promise.all([execute(world, body), execute(world, body)]);
      seen.push(await execute(world, body));
      const texts = new Set(seen.map(({ text }) => text));
      return unless(texts.size === 1 && seen[0]?.json.code === 0, [...texts]);
    },
  },
  {
    id: 'execute/ultra',
    says: '/ultra/v1/execute answers the same.',
    check: async (world) => {
      const { order, signedTransaction } = await signedOrder(world);
      const body = { signedTransaction, requestId: order.requestId };
      const answer = await execute(world, body, '/ultra/v1/execute');
      return difference(answer, { status: 200, body: { status: 'Success', code: 0 } });
    },
  },
  {
    id: 'execute/payer',
    says: 'A transaction with another payer is executed when both have signed, and costs the taker nothing.',
    check: async (world) => {
      const [payer, taker] = [await world.newWallet(), await world.newWallet(100_000_000n)];
      const { order } = await signedOrder(world, `&payer=${payer.address}`, taker, '100000000');
      const signedTransaction = await signTransaction(order.transaction, payer, taker);
      const answer = await execute(world, { signedTransaction, requestId: order.requestId });
      const { value: left } = await world.rpc.getBalance(taker.address, { commitment: 'confirmed' }).send();
      return difference(answer, { status: 200, body: { code: 0 } }) ?? unless(left === 0n, { left });
    },
  },
];

const failures: readonly Statement[] = [
  {
    id: 'execute/program-error',
    says: 'A swap that a program fails has its code, with signature, slot, amounts and events.',
    check: async (world) => {
      const trader = await world.newWallet(60_000_000_000_000n);
      const { order, signedTransaction } = await signedOrder(world, '&slippageBps=0');
      const moved = await signedOrder(world, '', trader, '50000000000000');
      await execute(world, {
        signedTransaction: moved.signedTransaction,
        requestId: moved.order.requestId,
      });
      const answer = await execute(world, { signedTransaction, requestId: order.requestId });
      const { signature, slot, error } = answer.json ?? {};
      const body = {
        status: 'Failed',
        code: 6001,
        totalInputAmount: '0',
        totalOutputAmount: '0',
        swapEvents: [],
      };
      const isOnChain = /^[1-9]\d*$/.test(slot) && kit.isSignature(`${signature}`) && /slippage/i.test(error);
      return difference(answer, { status: 200, body }) ?? pairs(answer) ?? unless(isOnChain, answer.json);
    },
  },
  {
    id: 'execute/did-not-land',
    says: '-1000: a transaction that does not land until it expires fails in slot "0".',
    check: async (world) => {
      const { order, signedTransaction } = await signedOrder(world);
      await world.admin('PUT', FAULTS, { drop: 1 });
      try {
        const executed = execute(world, { signedTransaction, requestId: order.requestId });
        await new Promise((resolve) => setTimeout(resolve, 500));
        await world.admin('POST', '/admin/v1/network/clock', { slots: 200 });
        return failure(await executed, -1000);
      } finally {
        await world.admin('PUT', FAULTS, {});
      }
    },
  },
];

export const executeStatements: readonly Statement[] = [...refusals, ...successes, ...failures];
