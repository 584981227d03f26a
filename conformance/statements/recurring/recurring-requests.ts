import * as kit from '@solana/kit';
import { type Answer, firstOf, shown, unless } from '../../answer.ts';
import type { World } from '../../world.ts';
import { JUP, USDC } from '../mints.ts';
import { decodeTransaction, signTransaction } from '../transactions.ts';

// biome-ignore lint/suspicious/noExplicitAny: statements read bodies of every shape, and a wrong shape is a finding.
export type Json = any;

export const DCA_PROGRAM = 'DCA265Vj8a9CEuX1eb1LWRnDT7uK6q1xMipnNyatn23M';
/** What an order of the statements deposits: an odd amount, of which two orders leave a base unit over. */
export const AMOUNT = 104_000_001;
const POLL_MS = 200;
const MAX_POLLS = 150;

export function post(world: World, endpoint: string, body: unknown): Promise<Answer> {
  return world.ask(`/recurring/v1/${endpoint}`, { method: 'POST', body });
}

/** Asks for an order that sells USDC for JUP, with the explicit nulls that clients send. */
export function createOrder(world: World, time: object = {}, changes: object = {}): Promise<Answer> {
  return post(world, 'createOrder', {
    user: world.wallet.address,
    inputMint: USDC,
    outputMint: JUP,
    params: {
      time: {
        inAmount: AMOUNT,
        numberOfOrders: 2,
        interval: 86_400,
        minPrice: null,
        maxPrice: null,
        startAt: null,
        ...time,
      },
    },
    ...changes,
  });
}

export function cancelOrder(world: World, order: string, changes: object = {}): Promise<Answer> {
  return post(world, 'cancelOrder', { order, user: world.wallet.address, recurringType: 'time', ...changes });
}

/** Signs what was handed out, and sends it. */
export async function execute(world: World, { requestId, transaction }: Json): Promise<Answer> {
  const signedTransaction = await signTransaction(transaction, world.wallet);
  return post(world, 'execute', { requestId, signedTransaction });
}

/** Begins so late that no statement sees a fill, also not one that has put the clock of the network forward. */
const LATER_SECONDS = 60 * 86_400;

/** Opens an order, which is not filled for a while unless `time` says so, and returns its address. */
export async function openOrder(world: World, time: object = {}): Promise<string> {
  const startAt = Math.floor(Date.now() / 1_000) + LATER_SECONDS;
  const { json } = await execute(world, (await createOrder(world, { startAt, ...time })).json);
  if (json?.status !== 'Success') throw new Error(`no order was opened: ${JSON.stringify(json)}`);
  return json.order;
}

export function listOrders(world: World, query: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const usual = {
    user: world.wallet.address,
    recurringType: 'time',
    orderStatus: 'active',
    includeFailedTx: 'false',
  };
  return world.ask(`/recurring/v1/getRecurringOrders?${new URLSearchParams({ ...usual, ...query })}`);
}

/** Asks for the lists until one has the order as it is to be. */
export async function findListed(
  world: World,
  order: string,
  query: Readonly<Record<string, string>> = {},
  isAwaited: (found: Json) => boolean = () => true,
) {
  let answer = await listOrders(world, query);
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    const listed: readonly Json[] = answer.json?.[query.recurringType ?? 'time'] ?? [];
    const found = listed.find(({ orderKey }) => orderKey === order);
    if (found !== undefined && isAwaited(found)) return { answer, found };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    answer = await listOrders(world, query);
  }
  return { answer, found: null };
}

/** Checks the form in which every refusal is answered. */
export function refusal(answer: Answer, error: string | RegExp): string | null {
  const { status, json } = answer;
  const says = typeof error === 'string' ? json?.error === error : error.test(json?.error ?? '');
  const isForm = json?.code === 400 && json?.status === 'Bad Request' && Object.keys(json).length === 3;
  return status === 400 && isForm && says ? null : shown(answer);
}

/** Returns the instructions of a transaction that was handed out, by the programs that they call. */
export function listInstructions(transaction: string) {
  const decoded = decodeTransaction(transaction);
  const message = kit.getCompiledTransactionMessageDecoder().decode(decoded.transaction.messageBytes);
  if (message.version === 1) throw new Error('messages of version 1 are not sent');
  const at = (index: number) => `${message.staticAccounts[index]}`;
  return message.instructions.map(({ programAddressIndex, accountIndices = [], data = [] }) => ({
    program: at(programAddressIndex),
    accounts: accountIndices.map(at),
    data: Buffer.from(data as Uint8Array),
  }));
}

/** Checks that the wallet alone signs, and pays. */
export function checkSoleSigner(world: World, transaction: string): string | null {
  const { signers, feePayer } = decodeTransaction(transaction);
  return firstOf(unless(signers === 1 && feePayer === world.wallet.address, { signers, feePayer }));
}
