import * as kit from '@solana/kit';
import { difference, firstOf, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import { JL_USDC, JUP, SOL, USDC } from '../mints.ts';
import {
  askRounds,
  BUYING,
  cancelOrder,
  craft,
  createRounds,
  refused,
  refusedRounds,
  shareWallet,
  signInWithVault,
} from './order-requests.ts';

const EARNING = { jlEnabled: true, jlMint: JL_USDC };
const DEPOSIT = { ...BUYING, jlMint: JL_USDC };
const NO_EARNING = 'jlEnabled is not supported for this input mint';
const OTHER_MINT = 'jlMint does not match the JL token for this input mint';

/** Orders in rounds whose deposit is lent out while it waits. */
export const earningStatements: readonly Statement[] = [
  refusedRounds(
    'earn-kind',
    'Only `time_based` orders earn.',
    'jlEnabled is only supported for time_based orders',
    { ...EARNING, orderType: 'price_conditional', minPriceUsd: 1, triggerMint: SOL },
    DEPOSIT,
  ),
  refused('earn-input', 'Only a stablecoin earns.', NO_EARNING, (signedIn) =>
    askRounds(signedIn, {}, { jlMint: JL_USDC }),
  ),
  refusedRounds('earn-input-order', 'An order over another token earns nothing.', NO_EARNING, EARNING),
  refused('earn-mint', 'A deposit earns with the shares of its input.', OTHER_MINT, (signedIn) =>
    askRounds(signedIn, {}, { ...BUYING, jlMint: JUP }),
  ),
  refusedRounds(
    'earn-mint-order',
    'An order names the shares of its deposit.',
    OTHER_MINT,
    { jlEnabled: true, jlMint: JUP },
    DEPOSIT,
  ),
  refusedRounds(
    'earn-no-mint',
    'The shares are named in the order as well as in the deposit.',
    OTHER_MINT,
    { jlEnabled: true },
    DEPOSIT,
  ),
  refusedRounds(
    'earn-craft',
    'An order earns only if its deposit was crafted for that.',
    'JL orders require the JL deposit craft. Please re-craft the deposit with jlMint.',
    EARNING,
    BUYING,
  ),
  {
    id: 'trigger/earn-deposit',
    says: 'A deposit that earns answers `jlTokenAccount` in place of `inputTokenAccount`.',
    check: async (world) => {
      const dca = { ...DEPOSIT, orderType: 'dca', orderSubType: undefined };
      const { json } = await craft(await shareWallet(world), dca);
      return unless(typeof json?.jlTokenAccount === 'string' && json.inputTokenAccount === undefined, json);
    },
  },
  {
    id: 'trigger/earn',
    says: 'An order that earns counts its deposit in the stablecoin, shows `jlYieldUsd` as a number while it waits, and gives the deposit back with the yield.',
    check: async (world) => {
      const signedIn = await signInWithVault(world, 20_000_000n);
      const id = await createRounds(signedIn, EARNING, DEPOSIT);
      const { json } = await signedIn.ask(`/orders/history/dca/${id}`);
      const { cancel, confirmed } = await cancelOrder(signedIn, 'dca', id);
      const ended = (await signedIn.ask(`/orders/history/dca/${id}`)).json;
      const { value } = await world.rpc
        .getTokenAccountsByOwner(
          signedIn.wallet.address,
          { mint: kit.address(USDC) },
          { encoding: 'jsonParsed', commitment: 'confirmed' },
        )
        .send();
      const held = BigInt(value[0]?.account.data.parsed.info.tokenAmount.amount ?? 0);
      return firstOf(
        unless(json?.jlEnabled === true && typeof json.jlYieldUsd === 'number', json),
        unless(json?.inputAmountInitial === '20000000' && json.inputMint === USDC, json),
        unless(cancel.json.refundAmount === '20000000', cancel.json),
        difference(confirmed, { status: 200 }),
        // Shares are rounded down when they are bought, which can cost two atoms.
        unless(held >= 19_999_998n, held),
        unless(ended?.state === 'cancelled' && ended.jlYieldUsd === null, ended),
      );
    },
  },
];
