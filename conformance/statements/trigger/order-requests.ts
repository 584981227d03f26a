import { type Answer, shown } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import type { World } from '../../world.ts';
import { SOL, USDC } from '../mints.ts';
import { signTransaction } from '../transactions.ts';
import { type SignedIn, signIn } from './sign-in.ts';

// biome-ignore lint/suspicious/noExplicitAny: statements read bodies of every shape, and a wrong shape is a finding.
export type Json = any;

/** A tenth of a SOL, worth more than the 10 US dollars of the smallest order. */
export const AMOUNT = '100000000';
/** Above every price that the instance has. */
const NEVER = 1_000_000;
export async function signInWithVault(world: World): Promise<SignedIn> {
  const signedIn = await signIn(world);
  await signedIn.ask('/vault/register', {});
  return signedIn;
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

/** The body that creates an order, with the deposit signed by the wallet alone. */
export async function orderOf({ wallet }: SignedIn, crafted: Json, changes: object = {}): Promise<object> {
  return {
    orderType: 'single',
    depositRequestId: crafted.requestId,
    depositSignedTx: await signTransaction(crafted.transaction, wallet),
    userPubkey: wallet.address,
    inputMint: SOL,
    inputAmount: AMOUNT,
    outputMint: USDC,
    triggerMint: SOL,
    triggerCondition: 'above',
    triggerPriceUsd: NEVER,
    expiresAt: Date.now() + 86_400_000,
    ...changes,
  };
}

export async function createOrder(signedIn: SignedIn, changes: object = {}, kind = 'single'): Promise<Json> {
  const { json } = await craft(signedIn, { orderSubType: kind });
  const body = await orderOf(signedIn, json, { orderType: kind, ...changes });
  return (await signedIn.ask('/orders/price', body)).json;
}

/** A deposit or an order that is refused with 400 and a text that clients look for. */
export function refused(
  id: string,
  says: string,
  text: string,
  ask: (signedIn: SignedIn) => Promise<Answer>,
): Statement {
  return {
    id: `trigger/${id}`,
    says,
    check: async (world) => {
      const answer = await ask(await signInWithVault(world));
      return answer.status === 400 && answer.text.includes(text) ? null : shown(answer);
    },
  };
}

export function refusedOrder(id: string, says: string, text: string, changes: object): Statement {
  return refused(id, says, text, async (signedIn) => {
    const { json } = await craft(signedIn);
    return signedIn.ask('/orders/price', await orderOf(signedIn, json, changes));
  });
}
