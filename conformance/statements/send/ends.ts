import { difference, firstOf, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import { giveTokens } from '../embedded-network.ts';
import { USDC } from '../mints.ts';
import { decodeTransaction } from '../transactions.ts';
import {
  claim,
  clawBack,
  craftClawback,
  craftSend,
  deriveInvite,
  INVITE_PROGRAM,
  isUnsignedFor,
  land,
  namesOf,
  openInvite,
  post,
  readLamports,
  readTokens,
  SIGNATURE_FEE,
  submit,
} from './invite-requests.ts';

const CLAIM_FIELDS = 'amount,invitePDA,mint,sender,totalFeeLamports,transaction,tx';

export const sendEndStatements: readonly Statement[] = [
  {
    id: 'send/clawback',
    says: '`craft-clawback` answers `tx` and the same text as `transaction`, of version 0, which the sender alone signs, and nothing else.',
    check: async (world) => {
      const { invite } = await openInvite(world);
      const answer = await craftClawback(world, invite);
      const { json } = answer;
      return firstOf(
        difference(answer, { status: 200 }),
        unless(namesOf(json) === 'transaction,tx' && json.tx === json.transaction, json),
        unless(isUnsignedFor(json.tx, [world.wallet.address]), decodeTransaction(json.tx)),
      );
    },
  },
  {
    id: 'send/clawback-totals',
    says: 'A clawback gives back the amount, the left-over fees and every rent: sending and taking back costs the sender the fees of three signatures.',
    check: async (world) => {
      const sender = await world.newWallet();
      const before = await readLamports(world, sender.address);
      const { invite } = await openInvite(world, { amount: '250000000' }, sender);
      const between = await readLamports(world, sender.address);
      await clawBack(world, invite, sender);
      const after = await readLamports(world, sender.address);
      return firstOf(
        unless(between < before - 250_000_000n, { before, between }),
        unless(before - after === 3n * SIGNATURE_FEE, { before, after }),
        unless((await readLamports(world, invite)) === 0n, { invite }),
      );
    },
  },
  {
    id: 'send/clawback-token',
    says: 'Tokens are given back whole, with the rent of the account that held them.',
    check: async (world) => {
      const sender = await world.newWallet();
      await giveTokens(world, sender.address, USDC, 5_000_000n);
      const before = await readLamports(world, sender.address);
      const { invite } = await openInvite(world, { amount: '5000000', mint: USDC }, sender);
      const sent = await readTokens(world, sender.address, USDC);
      await clawBack(world, invite, sender);
      const after = await readLamports(world, sender.address);
      const returned = await readTokens(world, sender.address, USDC);
      return unless(sent === 0n && returned === 5_000_000n && before - after === 3n * SIGNATURE_FEE, {
        sent,
        returned,
        before,
        after,
      });
    },
  },
  {
    id: 'send/claim',
    says: '`POST /send/v1/craft-claim` answers `tx`, `transaction`, `invitePDA`, `sender`, `mint`, `amount` and `totalFeeLamports`, which the receiver, who pays, and the invite key sign.',
    check: async (world) => {
      // Whoever has just paid for priority competes for the sender's account, and a claim pays as much.
      const [sender, receiver] = [await world.newWallet(), await world.newWallet()];
      const opened = await openInvite(world, {}, sender);
      const answer = await post(world, 'craft-claim', {
        inviteSigner: opened.key.address,
        receiver: receiver.address,
      });
      const { json } = answer;
      return firstOf(
        difference(answer, {
          status: 200,
          body: {
            invitePDA: opened.invite,
            sender: sender.address,
            mint: null,
            amount: '5000000',
            totalFeeLamports: `${2n * SIGNATURE_FEE}`,
          },
        }),
        unless(namesOf(json) === CLAIM_FIELDS && json.tx === json.transaction, json),
        unless(isUnsignedFor(json.tx, [receiver.address, opened.key.address]), decodeTransaction(json.tx)),
      );
    },
  },
  {
    id: 'send/claim-totals',
    says: 'A claim pays the whole amount to a receiver that did not exist, if somebody else pays the fees, and gives the rents back to the sender.',
    check: async (world) => {
      const [sender, payer, receiver] = [
        await world.newWallet(),
        await world.newWallet(),
        await world.newWallet(0n),
      ];
      const before = await readLamports(world, sender.address);
      const { key } = await openInvite(world, { amount: '250000000' }, sender);
      const { json } = await post(world, 'craft-claim', {
        inviteSigner: key.address,
        receiver: receiver.address,
        payer: payer.address,
      });
      const funds = await readLamports(world, payer.address);
      await land(world, json.tx, [payer, key]);
      const spent = before - (await readLamports(world, sender.address));
      const paid = funds - (await readLamports(world, payer.address));
      const received = await readLamports(world, receiver.address);
      return unless(
        received === 250_000_000n &&
          spent === 250_000_000n + 2n * SIGNATURE_FEE &&
          `${paid}` === json.totalFeeLamports,
        { received, spent, paid, json },
      );
    },
  },
  {
    id: 'send/claim-token',
    says: 'A claim of tokens opens the account of a receiver who has none, at the price that `totalFeeLamports` says.',
    check: async (world) => {
      const receiver = await world.newWallet();
      const { key } = await openInvite(world, { amount: '5000000', mint: USDC });
      const before = await readLamports(world, receiver.address);
      const { json } = await post(world, 'craft-claim', {
        inviteSigner: key.address,
        receiver: receiver.address,
      });
      await land(world, json.tx, [receiver, key]);
      const paid = before - (await readLamports(world, receiver.address));
      const received = await readTokens(world, receiver.address, USDC);
      const { mint, amount, totalFeeLamports } = json;
      return unless(
        received === 5_000_000n && mint === USDC && amount === '5000000' && `${paid}` === totalFeeLamports,
        { received, paid, json },
      );
    },
  },
  {
    id: 'send/one-end',
    says: 'Of a claim and a clawback that were both handed out, only the one that lands first succeeds.',
    check: async (world) => {
      const { key, invite } = await openInvite(world);
      const receiver = await world.newWallet();
      const late = await craftClawback(world, invite);
      await claim(world, { key }, receiver);
      const { error } = await submit(world, late.json.tx, [world.wallet]);
      return unless(error !== null, { error });
    },
  },
  {
    id: 'send/second-lands-never',
    says: 'Of two creations with one code that were both handed out, only the one that lands first succeeds.',
    check: async (world) => {
      const { key } = await openInvite(world, { amount: '1000000' });
      await clawBack(world, await deriveInvite(key.address));
      const [one, other] = await Promise.all(
        ['2000000', '3000000'].map((amount) => craftSend(world, key.address, { amount })),
      );
      await land(world, one?.json.tx, [world.wallet, key]);
      const { error } = await submit(world, other?.json.tx, [world.wallet, key]);
      return unless(error !== null, { error });
    },
  },
  {
    id: 'send/code-again',
    says: 'A code can be used again when its invite has ended.',
    check: async (world) => {
      const { key, invite } = await openInvite(world);
      await clawBack(world, invite);
      const { json } = await craftSend(world, key.address);
      await land(world, json.tx, [world.wallet, key]);
      const { value } = await world.rpc
        .getAccountInfo(invite, { commitment: 'confirmed', encoding: 'base64' })
        .send();
      return unless(value?.owner === INVITE_PROGRAM, value);
    },
  },
];
