import * as kit from '@solana/kit';
import { difference, firstOf, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import { giveTokens, networkNow } from '../embedded-network.ts';
import { SOL, USDC } from '../mints.ts';
import { decodeTransaction, signTransaction } from '../transactions.ts';
import {
  craftSend,
  createInviteKey,
  deriveInvite,
  findInvite,
  INVITE_PROGRAM,
  ISO,
  isUnsignedFor,
  land,
  listInvites,
  namesOf,
  openInvite,
  readLamports,
  readTokens,
  submit,
} from './invite-requests.ts';

const WEEK_MS = 7 * 86_400_000;
/** Codes, with the keys and the accounts that every client derives from them. */
const DERIVED = [
  [
    '111111111111',
    '8fYNrjeZpBahbmyLU94fkqfEpeYHzYxSdNsomi61rfUy',
    'G2ntsEVYWdCu4Z8DCihwXbcdnkwjYmas3UoJoHbMm78p',
  ],
  [
    'abcdefghijkm',
    '79LbfvbBYULZHSFeqqumoMiQsi3AAeyq7NqyqUEiK84Q',
    'XukKXwrnVjUjfFe5zJdwSudw1io3c9yWcTxWB6xr1BW',
  ],
  [
    '3mJr7AoUXx2W',
    'EeQyWsZ9kCxZ4oiBTvWNMDmXWKkhfQveARTEF2r8keM6',
    '3EUpNgcWUv1y9diYXQYrF79fa1JZKG6o2o6vtcEzdmGh',
  ],
] as const;

export const sendCraftStatements: readonly Statement[] = [
  {
    id: 'send/craft',
    says: '`craft-send` answers `tx`, the same text as `transaction`, `expiry` and `totalFeeLamports`, all of them texts, and nothing else.',
    check: async (world) => {
      const { address } = await createInviteKey();
      const answer = await craftSend(world, address);
      const { json } = answer;
      return firstOf(
        difference(answer, { status: 200 }),
        unless(namesOf(json) === 'expiry,totalFeeLamports,transaction,tx', json),
        unless(typeof json.tx === 'string' && json.tx === json.transaction, json),
        unless(/^[A-Za-z0-9+/]+={0,2}$/.test(json.tx), json.tx),
        unless(typeof json.totalFeeLamports === 'string' && /^\d+$/.test(json.totalFeeLamports), json),
      );
    },
  },
  {
    id: 'send/expiry',
    says: '`expiry` is the ISO time seven days after the request, by the clock of the network, with milliseconds.',
    check: async (world) => {
      const { address } = await createInviteKey();
      const before = await networkNow(world);
      const { json } = await craftSend(world, address);
      const after = await networkNow(world);
      const created = Date.parse(json?.expiry) - WEEK_MS;
      return firstOf(
        unless(ISO.test(json?.expiry), json),
        // The instance follows the clock of the network, and may be a moment behind.
        unless(created >= before - 2_000 && created <= after, { before, created, after }),
      );
    },
  },
  {
    id: 'send/signers',
    says: '`tx` is a transaction of version 0 that the sender, who pays, and the invite key sign, in this order, and has two empty signatures.',
    check: async (world) => {
      const { address } = await createInviteKey();
      const { json } = await craftSend(world, address);
      const decoded = decodeTransaction(json.tx);
      const { signers, feePayer } = decoded;
      return firstOf(
        unless(isUnsignedFor(json.tx, [world.wallet.address, address]), { signers, feePayer, tx: json.tx }),
        unless(signers === 2 && feePayer === world.wallet.address, { signers, feePayer }),
      );
    },
  },
  {
    id: 'send/derivation',
    says: 'The key of an invite has the seed SHA-256 of `invite:` and the code, and its account is the address of `invite` and the key under the program.',
    check: async (world) => {
      const seen = await Promise.all(
        DERIVED.map(async ([code, key, invite]) => {
          const { address } = await createInviteKey(code);
          const { json } = await craftSend(world, address);
          const { transaction } = decodeTransaction(json.tx);
          const named = Buffer.from(transaction.messageBytes);
          const isNamed = [invite, INVITE_PROGRAM].map((each) =>
            named.includes(Buffer.from(kit.getAddressEncoder().encode(kit.address(each)))),
          );
          return { address, invite, holds: address === key && !isNamed.includes(false) };
        }),
      );
      return unless(
        seen.every(({ holds }) => holds),
        seen,
      );
    },
  },
  {
    id: 'send/any-code',
    says: 'The code is not checked, as only the client knows it: a key of any text will do.',
    check: async (world) => {
      const codes = ['0OIl0OIl0OIl', 'a longer text, with é', ''];
      const salt = `${Date.now()}`;
      const answers = await Promise.all(
        codes.map(async (code) => craftSend(world, (await createInviteKey(`${code}${salt}`)).address)),
      );
      return firstOf(...answers.map((answer) => difference(answer, { status: 200 })));
    },
  },
  {
    id: 'send/amount',
    says: '`amount` is in base units, and a text or a number.',
    check: async (world) => {
      const opened = await Promise.all(['7000001', 7_000_001].map((amount) => openInvite(world, { amount })));
      const pending = await listInvites(world, 'pending-invites', world.wallet.address);
      const amounts = opened.map(({ invite }) => findInvite(pending, invite)?.amount);
      return unless(`${amounts}` === '7000001,7000001', amounts);
    },
  },
  {
    id: 'send/amount-exact',
    says: 'A number beyond the safe integers is read exactly.',
    check: async (world) => {
      const { address } = await createInviteKey();
      const body = { inviteSigner: address, sender: world.wallet.address };
      const text = `${JSON.stringify(body).slice(0, -1)},"amount":18446744073709551615}`;
      const { status, json } = await world.ask('/send/v1/craft-send', { method: 'POST', text });
      return unless(status === 400 && json?.error?.includes('18446744073709551615 lamports'), json);
    },
  },
  {
    id: 'send/mint-default',
    says: '`mint` may be left out, null, or that of wrapped SOL: each sends SOL of the wallet itself, which needs no account of wrapped SOL.',
    check: async (world) => {
      const sender = await world.newWallet();
      const given: readonly object[] = [{}, { mint: null }, { mint: SOL }];
      for (const mint of given) {
        const before = await readLamports(world, sender.address);
        const { invite, crafted } = await openInvite(world, mint, sender);
        const paid = before - (await readLamports(world, sender.address));
        const held = await readLamports(world, invite);
        const { totalFeeLamports } = crafted;
        if (paid !== 5_000_000n + BigInt(totalFeeLamports) || held < 5_000_000n) {
          return unless(false, { mint, paid, held, totalFeeLamports });
        }
      }
      return null;
    },
  },
  {
    id: 'send/total-fee',
    says: 'A sender pays the amount and `totalFeeLamports`, which has the fees of the network and the rents, and nothing more.',
    check: async (world) => {
      const sender = await world.newWallet();
      const before = await readLamports(world, sender.address);
      const { crafted } = await openInvite(world, { amount: '123456789' }, sender);
      const paid = before - (await readLamports(world, sender.address));
      return unless(paid === 123_456_789n + BigInt(crafted.totalFeeLamports), { paid, crafted });
    },
  },
  {
    id: 'send/token',
    says: 'Tokens go to an account that the account of the invite owns; the sender pays `totalFeeLamports` in SOL.',
    check: async (world) => {
      const sender = await world.newWallet();
      const { address } = sender;
      await giveTokens(world, address, USDC, 3_000_000n);
      const lamports = await readLamports(world, address);
      const { invite, crafted } = await openInvite(world, { amount: '1234567', mint: USDC }, sender);
      const paid = lamports - (await readLamports(world, address));
      const sent = 3_000_000n - (await readTokens(world, address, USDC));
      const held = await readTokens(world, invite, USDC);
      return unless(paid === BigInt(crafted.totalFeeLamports) && sent === 1_234_567n && held === sent, {
        paid,
        sent,
        held,
        crafted,
      });
    },
  },
  {
    id: 'send/sign-in-turn',
    says: 'The invite key may sign first, and the wallet later, as wallets do that sign and send in one go.',
    check: async (world) => {
      const key = await createInviteKey();
      const { json } = await craftSend(world, key.address);
      const half = await signTransaction(json.tx, key);
      await land(world, half, [world.wallet]);
      const { value } = await world.rpc
        .getAccountInfo(await deriveInvite(key.address), { commitment: 'confirmed', encoding: 'base64' })
        .send();
      return unless(value?.owner === INVITE_PROGRAM, value);
    },
  },
  {
    id: 'send/both-signatures',
    says: 'With one of the two signatures alone, the network takes no creation.',
    check: async (world) => {
      const key = await createInviteKey();
      const { json } = await craftSend(world, key.address);
      const taken = await Promise.all(
        [world.wallet, key].map((signer) =>
          submit(world, json.tx, [signer]).then(
            ({ error }) => error === null,
            () => false,
          ),
        ),
      );
      return unless(!taken.includes(true), taken);
    },
  },
  {
    id: 'send/never-landed',
    says: 'A creation that never lands leaves no invite in the lists.',
    check: async (world) => {
      const key = await createInviteKey();
      const invite = await deriveInvite(key.address);
      const crafted = await craftSend(world, key.address);
      const lists = await Promise.all(
        (['pending-invites', 'invite-history'] as const).map((list) =>
          listInvites(world, list, world.wallet.address),
        ),
      );
      return firstOf(
        difference(crafted, { status: 200 }),
        ...lists.map((list) => difference(list, { status: 200 })),
        ...lists.map((list) => unless(findInvite(list, invite) === null, list.json)),
      );
    },
  },
];
