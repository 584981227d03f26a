import * as kit from '@solana/kit';
import { difference, firstOf, shown, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import type { World } from '../../world.ts';
import { associatedAccount, COMPUTE_BUDGET, USDC } from '../mints.ts';
import { decodeTransaction } from '../transactions.ts';
import {
  AMOUNT,
  BUYING,
  cancelOrder,
  confirmationOf,
  craft,
  createOrder,
  createRounds,
  refusal,
  shareWallet,
  signInWithVault,
  UNKNOWN_ID,
} from './order-requests.ts';

const NOT_CACHED = 'Withdrawal transaction not found in cache. Please initiate cancel again.';
const NOT_OWNED = 'DCA order not found or you do not own it';
const CONFIRMATION = { signedTransaction: 'AA==', cancelRequestId: UNKNOWN_ID };

export const withdrawalStatements: readonly Statement[] = [
  {
    id: 'trigger/cancel',
    says: 'Cancelling hands out a withdrawal, again a fresh one; confirming it pays everything back, and may be repeated.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const { id } = await createOrder(signedIn);
      const before = await lamportsOf(world, signedIn.wallet.address);
      const first = await signedIn.send('POST', `/orders/price/cancel/${id}`);
      const cancel = await signedIn.ask(`/orders/price/cancel/${id}`, {});
      if (cancel.status !== 200) return shown(cancel);
      const pending = (await signedIn.ask(`/orders/history/${id}`)).json;
      const body = await confirmationOf(signedIn, cancel);
      const confirmed = await signedIn.ask(`/orders/price/confirm-cancel/${id}`, body);
      const again = await signedIn.ask(`/orders/price/confirm-cancel/${id}`, body);
      const { json } = await signedIn.ask(`/orders/history/${id}`);
      const gained = (await lamportsOf(world, signedIn.wallet.address)) - before;
      const { txSignature } = confirmed.json ?? {};
      return firstOf(
        difference(first, { status: 200, body: { id } }),
        unless(first.json?.requestId !== cancel.json.requestId, cancel.json),
        unless(pending?.orderState === 'pending_withdraw' && pending.rawState === 'ready_to_cancel', pending),
        difference(confirmed, { status: 200, body: { id } }),
        difference(again, { status: 200, body: { id, txSignature } }),
        unless(json?.orderState === 'cancelled' && json.rawState === 'cancelled', json),
        unless(
          json?.events?.map(({ type }: { type: string }) => type).join() === 'deposit,withdrawal,cancelled',
          json?.events,
        ),
        unless(gained > BigInt(AMOUNT), gained),
      );
    },
  },
  {
    id: 'trigger/cancel-other',
    says: "Another wallet's order is 403 to cancel and to confirm, and an unknown one is 404.",
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const { id } = await createOrder(signedIn);
      const other = await shareWallet(world);
      const confirm = (orderId: string) => other.ask(`/orders/price/confirm-cancel/${orderId}`, CONFIRMATION);
      return firstOf(
        refusal(await other.send('POST', `/orders/price/cancel/${id}`), /^Forbidden: /, 403),
        refusal(await confirm(id), /^Forbidden: /, 403),
        refusal(await other.send('POST', `/orders/price/cancel/${UNKNOWN_ID}`), 'Order not found', 404),
        refusal(await confirm(UNKNOWN_ID), 'Order not found', 404),
      );
    },
  },
  {
    id: 'trigger/cancel-ended',
    says: 'An order that has ended is not cancellable: 400.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const { id } = await createOrder(signedIn);
      await cancelOrder(signedIn, 'price', id);
      return refusal(await signedIn.send('POST', `/orders/price/cancel/${id}`), /not cancellable/);
    },
  },
  {
    id: 'trigger/cancel-alias',
    says: 'Clients that call `/orders/price/{id}/cancel` are served as well.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const { id } = await createOrder(signedIn);
      return difference(await signedIn.send('POST', `/orders/price/${id}/cancel`), {
        status: 200,
        body: { id },
      });
    },
  },
  {
    id: 'trigger/confirm-early',
    says: 'Confirming what was not cancelled is 400 `not yet marked ready`.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const { id } = await createOrder(signedIn);
      return refusal(
        await signedIn.ask(`/orders/price/confirm-cancel/${id}`, CONFIRMATION),
        /not yet marked ready/,
      );
    },
  },
  {
    id: 'trigger/confirm-wrong',
    says: 'A confirmation is refused that has another id, is no transaction, is not signed, or is the withdrawal of another wallet; the right one is served after that.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const { id } = await createOrder(signedIn);
      return checkConfirmations(world, id, signedIn, 'price');
    },
  },
  {
    id: 'trigger/dca-confirm-wrong',
    says: 'Of an order in rounds, such a confirmation is refused with the same sentences, and leaves it withdrawing.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const id = await createRounds(signedIn);
      return checkConfirmations(world, id, signedIn, 'dca');
    },
  },
  {
    id: 'trigger/dca-confirm-early',
    says: 'Confirming an order in rounds that was not cancelled is 400 `DCA order not in cancellation state`.',
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const id = await createRounds(signedIn);
      return refusal(
        await signedIn.ask(`/orders/dca/confirm-cancel/${id}`, CONFIRMATION),
        /^DCA order not in cancellation state/,
      );
    },
  },
  {
    id: 'trigger/dca-cancel-other',
    says: "Another wallet's order in rounds, an unknown one, and an order at a price are 404 `DCA order not found or you do not own it`.",
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const [id, price] = [await createRounds(signedIn), (await createOrder(signedIn)).id];
      const other = await shareWallet(world);
      return firstOf(
        refusal(await other.send('POST', `/orders/dca/cancel/${id}`), NOT_OWNED, 404),
        refusal(await other.ask(`/orders/dca/confirm-cancel/${id}`, CONFIRMATION), NOT_OWNED, 404),
        refusal(await signedIn.send('POST', `/orders/dca/cancel/${UNKNOWN_ID}`), NOT_OWNED, 404),
        refusal(await signedIn.send('POST', `/orders/dca/cancel/${price}`), NOT_OWNED, 404),
      );
    },
  },
  {
    id: 'trigger/dca-cancel-ended',
    says: "An order in rounds that is cancelled cannot be cancelled again: `Cannot cancel DCA order in 'cancelled' state`.",
    check: async (world) => {
      const signedIn = await signInWithVault(world);
      const id = await createRounds(signedIn);
      const again = await signedIn.send('POST', `/orders/dca/cancel/${id}`);
      const { confirmed } = await cancelOrder(signedIn, 'dca', id);
      return firstOf(
        difference(again, { status: 200, body: { id, roundsRemaining: 2, refundAmount: '200000000' } }),
        difference(confirmed, { status: 200 }),
        refusal(
          await signedIn.send('POST', `/orders/dca/cancel/${id}`),
          "Cannot cancel DCA order in 'cancelled' state",
        ),
      );
    },
  },
  {
    id: 'trigger/withdrawal',
    says: 'A withdrawal is a legacy transaction with the three signers of the deposit, all empty, which transfers to the account of the wallet and closes that of the order.',
    check: async (world) => {
      const signedIn = await signInWithVault(world, 50_000_000n);
      const deposit = (await craft(signedIn, BUYING)).json;
      const { id } = await createOrder(signedIn, {}, 'single', BUYING);
      const { json } = await signedIn.send('POST', `/orders/price/cancel/${id}`);
      const { version, feePayer, signers, transaction } = decodeTransaction(json.transaction);
      const { staticAccounts, instructions } = decodeMessage(transaction);
      const named = (indices: readonly number[] = []) => indices.map((index) => staticAccounts[index]);
      const programs = instructions.map(({ programAddressIndex }) => staticAccounts[programAddressIndex]);
      const own = instructions.filter((_, index) => programs[index] !== COMPUTE_BUDGET);
      const close = own.find(({ data }) => data?.[0] === 9);
      const transfer = own.find(({ data }) => data?.[0] === 12 || data?.[0] === 3);
      const wallet = signedIn.wallet.address;
      return firstOf(
        unless(version === 'legacy' && feePayer === wallet && signers === 3, { version, feePayer, signers }),
        unless(
          Object.values(transaction.signatures).every((signature) => signature === null),
          transaction.signatures,
        ),
        unless(
          listSigners(transaction).join() ===
            listSigners(decodeTransaction(deposit.transaction).transaction).join(),
          listSigners(transaction),
        ),
        unless(
          named(transfer?.accountIndices).includes(kit.address(await associatedAccount(wallet, USDC))),
          instructions,
        ),
        unless(named(close?.accountIndices)[1] === wallet, instructions),
      );
    },
  },
];

async function checkConfirmations(
  world: World,
  id: string,
  signedIn: Awaited<ReturnType<typeof signInWithVault>>,
  family: 'price' | 'dca',
): Promise<string | null> {
  const other = await signInWithVault(world);
  const foreign = await other.send('POST', `/orders/price/cancel/${(await createOrder(other)).id}`);
  const { signedTransaction } = (await confirmationOf(other, foreign)) as { signedTransaction: string };
  const cancel = await signedIn.send('POST', `/orders/${family}/cancel/${id}`);
  if (cancel.status !== 200) return shown(cancel);
  const right = await confirmationOf(signedIn, cancel);
  const confirm = (changes: object) =>
    signedIn.ask(`/orders/${family}/confirm-cancel/${id}`, { ...right, ...changes });
  const shownState = async () => {
    const list = family === 'dca' ? 'history/dca' : 'history';
    const { displayState, orderState } = (await signedIn.ask(`/orders/${list}/${id}`)).json ?? {};
    return displayState ?? orderState;
  };
  return firstOf(
    refusal(await confirm({ cancelRequestId: UNKNOWN_ID }), NOT_CACHED),
    refusal(await confirm({ signedTransaction: 'AAAA' }), /^Invalid transaction format/),
    refusal(
      await confirm({ signedTransaction: cancel.json.transaction }),
      /^Invalid withdrawal transaction: /,
    ),
    refusal(
      await confirm({ signedTransaction }),
      'Invalid withdrawal transaction: Transaction signers modified',
    ),
    unless((await shownState()) === 'pending_withdraw', await shownState()),
    difference(await confirm({}), { status: 200, body: { id } }),
  );
}

function decodeMessage({ messageBytes }: kit.Transaction) {
  const message = kit.getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (message.version === 1) throw new Error('messages of version 1 are not sent');
  return message;
}

function listSigners(transaction: kit.Transaction): readonly string[] {
  const { staticAccounts, header } = decodeMessage(transaction);
  return staticAccounts.slice(0, header.numSignerAccounts);
}

async function lamportsOf(world: World, address: kit.Address): Promise<bigint> {
  return (await world.rpc.getBalance(address, { commitment: 'confirmed' }).send()).value;
}
