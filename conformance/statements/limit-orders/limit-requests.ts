import { type Answer, shown } from '../../answer.ts';
import type { World } from '../../world.ts';
import { SOL, USDC } from '../mints.ts';
import { signTransaction } from '../transactions.ts';

// biome-ignore lint/suspicious/noExplicitAny: statements read bodies of every shape, and a wrong shape is a finding.
export type Json = any;

/** What orders of the statements sell: 20 USDC, for a SOL at a price that no market pays. */
export const ORDER = { makingAmount: '20000000', takingAmount: '5000000000' };
const POLL_MS = 200;
const MAX_POLLS = 150;

export function post(world: World, endpoint: string, body: unknown): Promise<Answer> {
  return world.ask(`/trigger/v1/${endpoint}`, { method: 'POST', body });
}

/** Asks for an order of the demo wallet that sells USDC for SOL. */
export function createOrder(world: World, params: object = {}, changes: object = {}): Promise<Answer> {
  return post(world, 'createOrder', {
    inputMint: USDC,
    outputMint: SOL,
    maker: world.wallet.address,
    payer: world.wallet.address,
    params: { ...ORDER, ...params },
    computeUnitPrice: 'auto',
    ...changes,
  });
}

/** Signs what was handed out, and sends it. */
export async function execute(world: World, requestId: string, transaction: string): Promise<Answer> {
  const signedTransaction = await signTransaction(transaction, world.wallet);
  return post(world, 'execute', { requestId, signedTransaction });
}

/** Places an order, and returns its address. */
export async function placeOrder(world: World, params: object = {}): Promise<string> {
  const { json } = await createOrder(world, params);
  const executed = await execute(world, json.requestId, json.transaction);
  if (executed.json?.status !== 'Success') throw new Error(`no order was placed: ${shown(executed)}`);
  return json.order;
}

export function listOrders(world: World, query: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const usual = { user: world.wallet.address, orderStatus: 'active' };
  return world.ask(`/trigger/v1/getTriggerOrders?${new URLSearchParams({ ...usual, ...query })}`);
}

/** Asks for the first page until it has the order. */
export async function findListed(world: World, order: string, query: Readonly<Record<string, string>> = {}) {
  let answer = await listOrders(world, query);
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    const listed: readonly Json[] = answer.json?.orders ?? [];
    const found = listed.find(({ orderKey }) => orderKey === order);
    if (found !== undefined) return { answer, found };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    answer = await listOrders(world, query);
  }
  return { answer, found: null };
}

/** Checks the form in which refusals are answered. */
export function refusal(answer: Answer, error: string, cause?: string | RegExp): string | null {
  const { status, json } = answer;
  const says =
    cause === undefined ||
    (typeof cause === 'string' ? json?.cause === cause : cause.test(json?.cause ?? ''));
  return status === 400 && json?.code === 400 && json?.error === error && says ? null : shown(answer);
}
