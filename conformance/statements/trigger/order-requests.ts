import { type Answer, shown } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import type { World } from '../../world.ts';
import { giveTokens } from '../embedded-network.ts';
import { SOL, USDC } from '../mints.ts';
import { signTransaction } from '../transactions.ts';
import { type SignedIn, signIn } from './sign-in.ts';

// biome-ignore lint/suspicious/noExplicitAny: statements read bodies of every shape, and a wrong shape is a finding.
export type Json = any;

/** A tenth of a SOL, worth more than the 10 US dollars of the smallest order. */
export const AMOUNT = '100000000';
/** Well formed, and no order or request has it. */
export const UNKNOWN_ID = '019ac9f4-8a1b-7c3e-9d52-0f6e1b7a4c21';
/** Above every price that the instance has. */
const NEVER = 1_000_000;
const DAY_MS = 86_400_000;
const POLL_MS = 200;
const MAX_POLLS = 450;

/** Signs a new wallet in, registers its vault, and gives it USDC. */
export async function signInWithVault(world: World, usdc = 0n): Promise<SignedIn> {
  const signedIn = await signIn(world);
  await signedIn.ask('/vault/register', {});
  if (usdc > 0n) await giveTokens(world, signedIn.wallet.address, USDC, usdc);
  return signedIn;
}

const shared = new WeakMap<World, Promise<SignedIn>>();

/** Returns the wallet of the statements whose requests are refused. They leave nothing behind, so one wallet does for all. */
export function shareWallet(world: World): Promise<SignedIn> {
  const known = shared.get(world);
  if (known !== undefined) return known;
  const opened = signInWithVault(world, 10_000_000_000n);
  shared.set(world, opened);
  return opened;
}

export function craft({ wallet, ask }: SignedIn, changes: object = {}): Promise<Answer> {
  return ask('/deposit/craft', {
    inputMint: SOL,
    outputMint: USDC,
    userAddress: wallet.address,
    amount: AMOUNT,
    orderType: 'price',
    orderSubType: 'single',
    ...changes,
  });
}

/** What a deposit says that sells USDC for SOL. */
export const BUYING = { inputMint: USDC, outputMint: SOL, amount: '20000000' };

/** The fields that name a deposit in an order, with the deposit signed by the wallet alone. */
async function fundedBy({ wallet }: SignedIn, crafted: Json) {
  return {
    depositRequestId: crafted.requestId,
    depositSignedTx: await signTransaction(crafted.transaction, wallet),
    userPubkey: wallet.address,
    inputMint: crafted.mint,
    inputAmount: crafted.amount,
    outputMint: crafted.mint === SOL ? USDC : SOL,
  };
}

/** The body that creates an order at a price that is not reached. */
export async function orderOf(signedIn: SignedIn, crafted: Json, changes: object = {}): Promise<object> {
  return {
    orderType: 'single',
    ...(await fundedBy(signedIn, crafted)),
    triggerMint: SOL,
    triggerCondition: 'above',
    triggerPriceUsd: NEVER,
    expiresAt: Date.now() + DAY_MS,
    ...changes,
  };
}

/** Asks for an order at a price, over a new deposit. */
export async function askOrder(signedIn: SignedIn, changes: object, deposit: object = {}): Promise<Answer> {
  const crafted = await craft(signedIn, deposit);
  if (crafted.status !== 200) return crafted;
  return signedIn.ask('/orders/price', await orderOf(signedIn, crafted.json, changes));
}

export async function createOrder(
  signedIn: SignedIn,
  changes: object = {},
  kind = 'single',
  deposit: object = {},
): Promise<Json> {
  const order = { orderType: kind, ...changes };
  const { status, json, text } = await askOrder(signedIn, order, { orderSubType: kind, ...deposit });
  if (status !== 200) throw new Error(`the order was answered ${status}: ${text}`);
  return json;
}

/** Asks for an order in two rounds of a tenth of a SOL, over a new deposit. The first round is a day away. */
export async function askRounds(
  signedIn: SignedIn,
  changes: object = {},
  deposit: object = {},
): Promise<Answer> {
  const rounds = { orderType: 'dca', orderSubType: undefined, amount: '200000000' };
  const crafted = await craft(signedIn, { ...rounds, ...deposit });
  if (crafted.status !== 200) return crafted;
  return signedIn.ask('/orders/dca', {
    ...(await fundedBy(signedIn, crafted.json)),
    orderCount: 2,
    intervalSeconds: 3_600,
    beginFillAt: new Date(Date.now() + DAY_MS).toISOString(),
    ...changes,
  });
}

/** Creates an order in rounds, and returns its id. */
export async function createRounds(
  signedIn: SignedIn,
  changes: object = {},
  deposit: object = {},
): Promise<string> {
  const { status, json, text } = await askRounds(signedIn, changes, deposit);
  if (status !== 200) throw new Error(`the order was answered ${status}: ${text}`);
  return json.id;
}

/** What confirms a withdrawal that was handed out. */
export async function confirmationOf({ wallet }: SignedIn, { json }: Answer): Promise<object> {
  return {
    signedTransaction: await signTransaction(json.transaction, wallet),
    cancelRequestId: json.requestId,
  };
}

/** Cancels an order and takes its money back. Returns both answers. */
export async function cancelOrder(signedIn: SignedIn, family: 'price' | 'dca', id: string) {
  const cancel = await signedIn.send('POST', `/orders/${family}/cancel/${id}`);
  if (cancel.status !== 200) throw new Error(`cancelling was answered ${cancel.status}: ${cancel.text}`);
  const confirmation = await confirmationOf(signedIn, cancel);
  return { cancel, confirmed: await signedIn.ask(`/orders/${family}/confirm-cancel/${id}`, confirmation) };
}

/** Asks for an order until it is as it should be. Returns it as it was at last. */
export async function waitForOrder(
  { ask }: SignedIn,
  path: string,
  holds: (order: Json) => boolean,
): Promise<Json> {
  let { json } = await ask(path);
  for (let polls = 0; polls < MAX_POLLS && !holds(json); polls++) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    ({ json } = await ask(path));
  }
  return json;
}

/** Returns the sentence of a refusal: that of the field that is wrong, if it names one. */
function sentenceOf({ json }: Answer): string {
  const isForm = json?.error === 'Request validation failed';
  return String(isForm ? Object.values(json.details ?? {})[0] : json?.error);
}

/** Returns null if an answer is this refusal, otherwise the beginning of the answer. */
export function refusal(answer: Answer, text: string | RegExp, status = 400): string | null {
  const sentence = sentenceOf(answer);
  const isSaid = typeof text === 'string' ? sentence === text : text.test(sentence);
  return answer.status === status && isSaid ? null : shown(answer);
}

/** A request that is refused, with a sentence that clients look for. */
export function refused(
  id: string,
  says: string,
  text: string | RegExp,
  ask: (signedIn: SignedIn) => Promise<Answer>,
): Statement {
  return {
    id: `trigger/${id}`,
    says,
    check: async (world) => refusal(await ask(await shareWallet(world)), text),
  };
}

/** An order at a price that is refused. */
export function refusedOrder(
  id: string,
  says: string,
  text: string | RegExp,
  changes: object,
  deposit: object = {},
): Statement {
  return refused(id, says, text, (signedIn) => askOrder(signedIn, changes, deposit));
}

/** An order in rounds that is refused. */
export function refusedRounds(
  id: string,
  says: string,
  text: string | RegExp,
  changes: object,
  deposit: object = {},
): Statement {
  return refused(id, says, text, (signedIn) => askRounds(signedIn, changes, deposit));
}
