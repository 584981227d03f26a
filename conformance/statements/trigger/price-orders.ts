import { difference, firstOf, shown, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import { SOL } from '../mints.ts';
import { decodeTransaction } from '../transactions.ts';
import { AMOUNT, craft, createOrder, type Json, orderOf, signInWithVault } from './order-requests.ts';
import { signIn } from './sign-in.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HISTORY_FIELDS: readonly (readonly [string, string])[] = [
  ['rawState', 'string'],
  ['initialInputAmount', 'string'],
  ['remainingInputAmount', 'string'],
  ['triggerPriceUsd', 'number'],
  ['expiresAt', 'number'],
  ['createdAt', 'number'],
  ['updatedAt', 'number'],
];

export const triggerStatements: readonly Statement[] = [
  {
    id: 'trigger/craft',
    says: 'A deposit is a legacy transaction with three empty signatures: of the wallet, which pays, the vault and a co-signer.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const { vaultPubkey } = (await signedIn.ask('/vault')).json;
      const answer = await craft(signedIn);
      if (answer.status !== 200) return shown(answer);
      const { requestId, transaction, inputTokenAccount } = answer.json;
      const { version, feePayer, signers, transaction: decoded } = decodeTransaction(transaction);
      const signatures = Object.entries(decoded.signatures);
      return firstOf(
        difference(answer, {
          body: { receiverAddress: vaultPubkey, mint: SOL, amount: AMOUNT, tokenDecimals: 9 },
        }),
        unless(UUID.test(requestId) && typeof inputTokenAccount === 'string', answer.json),
        unless(version === 'legacy' && feePayer === signedIn.wallet.address && signers === 3, {
          version,
          feePayer,
          signers,
        }),
        unless(
          signatures.every(([, signature]) => signature === null) &&
            signatures.some(([signer]) => signer === vaultPubkey),
          signatures,
        ),
      );
    },
  },
  {
    id: 'trigger/create',
    says: 'Creating an order lands the deposit: the order is open, and the same request again answers the same order with `message`.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const body = await orderOf(signedIn, (await craft(signedIn)).json);
      const made = await signedIn.ask('/orders/price', body);
      const again = await signedIn.ask('/orders/price', body);
      const { json } = await signedIn.ask(`/orders/history/${made.json?.id}`);
      const { id, txSignature } = made.json ?? {};
      return firstOf(
        difference(made, { status: 200, body: { depositConfirmed: true } }),
        unless(UUID.test(id) && typeof txSignature === 'string', made.json),
        difference(again, { status: 200, body: { id, txSignature } }),
        unless(typeof again.json?.message === 'string', again.json),
        unless(json?.orderState === 'open' && json?.remainingInputAmount === AMOUNT, json),
      );
    },
  },
  {
    id: 'trigger/refused-deposit',
    says: 'Validation comes before the deposit is used up: a corrected request with the same `depositRequestId` creates the order.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const { json } = await craft(signedIn);
      const wrong = await signedIn.ask('/orders/price', await orderOf(signedIn, json, { expiresAt: 1 }));
      const right = await signedIn.ask('/orders/price', await orderOf(signedIn, json));
      return firstOf(difference(wrong, { status: 400 }), difference(right, { status: 200 }));
    },
  },
  {
    id: 'trigger/changed-deposit',
    says: 'A deposit whose message is another one than was handed out is 400.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const [one, other] = [(await craft(signedIn)).json, (await craft(signedIn)).json];
      const mixed = await orderOf(signedIn, { ...one, transaction: other.transaction });
      return difference(await signedIn.ask('/orders/price', mixed), { status: 400 });
    },
  },
  {
    id: 'trigger/history',
    says: 'The history has the orders of the wallet, with numbers in milliseconds, amounts as texts, events and paging.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const { id } = await createOrder(signedIn);
      const { status, json } = await signedIn.ask('/orders/history?state=active&limit=100&offset=0');
      const past = await signedIn.ask('/orders/history?state=past');
      const [order] = json?.orders ?? [];
      const wrong = HISTORY_FIELDS.filter(([name, type]) => typeof order?.[name] !== type);
      return firstOf(
        unless(status === 200 && order?.id === id && wrong.length === 0, { wrong, json }),
        unless(order?.orderType === 'single' && order.userPubkey === signedIn.wallet.address, order),
        unless(order?.events?.[0]?.type === 'deposit' && order.events[0].state === 'success', order?.events),
        unless(JSON.stringify(json?.pagination) === '{"total":1,"limit":100,"offset":0}', json?.pagination),
        unless(past.json?.orders?.length === 0, past.json),
      );
    },
  },
  {
    id: 'trigger/history-none',
    says: 'An order that does not exist is 404 `Order not found`.',
    check: async (world) =>
      difference(await (await signIn(world)).ask('/orders/history/019ac9f4-8a1b-7c3e-9d52-0f6e1b7a4c21'), {
        status: 404,
        body: { error: 'Order not found' },
      }),
  },
  {
    id: 'trigger/portfolio',
    says: 'The portfolio has what an open order holds, as a trade with the label `LimitOrder`.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      await createOrder(signedIn);
      const { json } = await world.ask(
        `/portfolio/v1/positions/${signedIn.wallet.address}?platforms=jupiter-exchange`,
      );
      const found = (json?.elements ?? []).filter(({ label }: Json) => label === 'LimitOrder');
      return unless(found.length === 1 && found[0].data.assets.input.data.amount === 0.1, json);
    },
  },
];
