import { difference, firstOf, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import type { World } from '../../world.ts';
import { networkNow } from '../embedded-network.ts';
import { SOL, USDC } from '../mints.ts';
import {
  claim,
  clawBack,
  findInvite,
  ISO,
  type Json,
  listInvites,
  namesOf,
  type OpenInvite,
  openInvite,
} from './invite-requests.ts';

/** The fields of the contract, and two that a public client reads in addition. */
const FIELDS = [
  ...['action', 'amount', 'confirmed', 'createdAt', 'creation_time', 'creation_tx', 'deletion_time'],
  ...['deletion_tx', 'expiry', 'invitePDA', 'invite_pda', 'invite_signer', 'mint', 'receiver', 'sender'],
].join();
const LISTS = ['pending-invites', 'invite-history'] as const;
const PER_PAGE = 20;

export const sendListStatements: readonly Statement[] = [
  {
    id: 'send/pending',
    says: 'An invite is pending when its creation is confirmed, with `action` `created`, texts, `confirmed` 1, and null for what is not known yet.',
    check: async (world) => {
      const opened = await openInvite(world);
      const found = findInvite(
        await listInvites(world, 'pending-invites', world.wallet.address),
        opened.invite,
      );
      return firstOf(
        checkInvite(world, opened, found),
        unless(found?.action === 'created' && found.receiver === null, found),
        unless(found.deletion_tx === null && found.deletion_time === null, found),
      );
    },
  },
  {
    id: 'send/mint',
    says: '`mint` is null for SOL, also for that of an invite that names wrapped SOL, and otherwise the token.',
    check: async (world) => {
      const opened = [
        await openInvite(world, { mint: SOL }),
        await openInvite(world, { mint: USDC, amount: '1000000' }),
      ];
      const pending = await listInvites(world, 'pending-invites', world.wallet.address);
      const mints = opened.map(({ invite }) => findInvite(pending, invite)?.mint);
      return unless(mints[0] === null && mints[1] === USDC, mints);
    },
  },
  {
    id: 'send/claimed',
    says: 'A claimed invite is in the history of its sender and of its receiver, as `claimed`, with the receiver, and the transaction and time of its end.',
    check: async (world) => {
      const opened = await openInvite(world);
      const receiver = await world.newWallet();
      const before = await networkNow(world);
      const signature = await claim(world, opened, receiver);
      const wallets = [world.wallet.address, receiver.address];
      const found = await Promise.all(
        wallets.map(async (wallet) =>
          findInvite(await listInvites(world, 'invite-history', wallet), opened.invite),
        ),
      );
      return firstOf(
        ...found.map((each) => checkInvite(world, opened, each)),
        ...found.map((each) =>
          unless(
            each?.action === 'claimed' &&
              each.receiver === receiver.address &&
              each.deletion_tx === signature &&
              isAround(each.deletion_time, before),
            each,
          ),
        ),
        await checkNotPending(world, opened),
      );
    },
  },
  {
    id: 'send/clawed-back',
    says: 'An invite that its sender took back is in the history as `clawback`, without a receiver.',
    check: async (world) => {
      const opened = await openInvite(world);
      const before = await networkNow(world);
      const signature = await clawBack(world, opened.invite);
      const found = findInvite(
        await listInvites(world, 'invite-history', world.wallet.address),
        opened.invite,
      );
      return firstOf(
        checkInvite(world, opened, found),
        unless(found?.action === 'clawback' && found.receiver === null, found),
        unless(found.deletion_tx === signature && isAround(found.deletion_time, before), found),
        await checkNotPending(world, opened),
      );
    },
  },
  {
    id: 'send/history-ended',
    says: 'The history has only what has ended, and the pending list has only what its sender sent.',
    check: async (world) => {
      const sender = await world.newWallet();
      const { invite, key } = await openInvite(world, {}, sender);
      const history = await listInvites(world, 'invite-history', sender.address);
      const ofKey = await listInvites(world, 'pending-invites', key.address);
      const ofSender = await listInvites(world, 'pending-invites', sender.address);
      return firstOf(
        difference(history, { status: 200, body: { invites: [], hasMoreData: false } }),
        difference(ofKey, { status: 200, body: { invites: [], hasMoreData: false } }),
        unless(findInvite(ofSender, invite) !== null, ofSender.json),
      );
    },
  },
  {
    id: 'send/lists',
    says: 'A list answers `invites` and `hasMoreData`, and nothing else; that of a wallet without invites is empty.',
    check: async (world) => {
      const { address } = await world.newWallet(0n);
      const answers = await Promise.all(LISTS.map((list) => listInvites(world, list, address)));
      return firstOf(
        ...answers.map((answer) =>
          difference(answer, { status: 200, body: { invites: [], hasMoreData: false } }),
        ),
        ...answers.map(({ json }) => unless(namesOf(json) === 'hasMoreData,invites', json)),
      );
    },
  },
  {
    id: 'send/path-form',
    says: 'Both lists take the wallet in the path, too, with the same answer.',
    check: async (world) => {
      const sender = await world.newWallet();
      const { invite } = await openInvite(world, {}, sender);
      await clawBack(world, invite, sender);
      await openInvite(world, {}, sender);
      for (const list of LISTS) {
        const answer = await listInvites(world, list, sender.address);
        const byPath = await world.ask(`/send/v1/${list}/${sender.address}`);
        const later = await world.ask(`/send/v1/${list}/${sender.address}?page=2`);
        const differs = firstOf(
          unless(answer.json?.invites?.length === 1, answer.json),
          difference(byPath, { status: 200, body: answer.json }),
          difference(later, { status: 200, body: { invites: [], hasMoreData: false } }),
        );
        if (differs !== null) return differs;
      }
      return null;
    },
  },
  {
    id: 'send/pages',
    says: 'Pages count from 1, which is the default, and have 20 invites each, the newest first; `hasMoreData` says whether there is another one.',
    check: async (world) => {
      const sender = await world.newWallet();
      const opened = await Promise.all(Array.from({ length: PER_PAGE }, () => openInvite(world, {}, sender)));
      const full = await listInvites(world, 'pending-invites', sender.address);
      const last = await openInvite(world, {}, sender);
      const pending = await checkPages(world, 'pending-invites', sender.address);
      const first = await listInvites(world, 'pending-invites', sender.address);
      await Promise.all([...opened, last].map(({ invite }) => clawBack(world, invite, sender)));
      return firstOf(
        unless(full.json?.invites?.length === PER_PAGE && full.json.hasMoreData === false, full.json),
        pending,
        unless(first.json.invites[0].invite_pda === last.invite, first.json.invites[0]),
        await checkPages(world, 'invite-history', sender.address),
      );
    },
  },
  {
    id: 'send/list-parameters',
    says: 'Both lists document `address` as required, and `page` as a whole number from 1 whose default is 1.',
    check: async (world) => {
      const { json } = await world.ask('/openapi.json');
      return firstOf(
        ...LISTS.map((list) => {
          const parameters: readonly Json[] = json?.paths?.[`/send/v1/${list}`]?.get?.parameters ?? [];
          const [address, page] = ['address', 'page'].map((name) =>
            parameters.find((each) => each.name === name),
          );
          const { type, minimum, default: usual } = page?.schema ?? {};
          return unless(
            address?.required === true && type === 'integer' && minimum === 1 && usual === 1,
            parameters,
          );
        }),
      );
    },
  },
  {
    id: 'send/list-query',
    says: 'Parameters that a list does not know are ignored.',
    check: async (world) => {
      const { address } = world.wallet;
      const plain = await listInvites(world, 'invite-history', address);
      const other = await listInvites(world, 'invite-history', address, { limit: '1', status: 'claimed' });
      return difference(other, { status: 200, body: plain.json });
    },
  },
];

/** Checks the fields that say what an invite is, and the types of the others. */
function checkInvite(
  world: World,
  { key, invite, signature, crafted }: OpenInvite,
  found: Json,
): string | null {
  if (found === null) return 'the invite is not listed';
  const expected = {
    invite_signer: key.address,
    invite_pda: invite,
    invitePDA: invite,
    sender: world.wallet.address,
    amount: '5000000',
    mint: null,
    creation_tx: signature,
    createdAt: found.creation_time,
    confirmed: 1,
  };
  const wrong = Object.entries(expected).filter(([name, value]) => found[name] !== value);
  const late = Date.parse(found.expiry) - Date.parse(crafted.expiry);
  return firstOf(
    unless(wrong.length === 0 && namesOf(found) === FIELDS, { found, wrong }),
    unless(ISO.test(found.expiry) && late === 0, { found, crafted }),
    unless(ISO.test(found.creation_time), found),
  );
}

/** Checks that a time is that of something that was done just now. */
function isAround(time: string, before: number): boolean {
  return ISO.test(time) && Math.abs(Date.parse(time) - before) <= 60_000;
}

async function checkNotPending(world: World, { invite }: OpenInvite): Promise<string | null> {
  const pending = await listInvites(world, 'pending-invites', world.wallet.address);
  return firstOf(
    difference(pending, { status: 200 }),
    unless(findInvite(pending, invite) === null, pending.json),
  );
}

/** Checks the pages of a list with one invite more than a page has. */
async function checkPages(
  world: World,
  list: (typeof LISTS)[number],
  sender: string,
): Promise<string | null> {
  const unnamed = await listInvites(world, list, sender);
  const [first, second, third] = await Promise.all(
    ['1', '2', '3'].map((page) => listInvites(world, list, sender, { page })),
  );
  const listed: readonly Json[] = [...(first?.json?.invites ?? []), ...(second?.json?.invites ?? [])];
  const ids = new Set(listed.map(({ invite_pda }) => invite_pda));
  return firstOf(
    unless(first?.json?.invites?.length === PER_PAGE && first.json.hasMoreData === true, first?.json),
    unless(second?.json?.invites?.length === 1 && second.json.hasMoreData === false, second?.json),
    unless(third?.json?.invites?.length === 0 && third.json.hasMoreData === false, third?.json),
    unless(ids.size === PER_PAGE + 1, [...ids]),
    difference(unnamed, { status: 200, body: first?.json }),
  );
}
