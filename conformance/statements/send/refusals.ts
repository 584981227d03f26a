import { firstOf } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import { UNKNOWN_MINT, USDC } from '../mints.ts';
import {
  claim,
  clawBack,
  craftClawback,
  craftSend,
  createInviteKey,
  deriveInvite,
  listInvites,
  openInvite,
  post,
  refusal,
} from './invite-requests.ts';

const NO_ADDRESS = (name: string) => `${name} must be an address: 32 bytes in base58, got "me"`;
const AMOUNT = /^amount must be a whole number from 1 to 18446744073709551615, got /;

export const sendRefusalStatements: readonly Statement[] = [
  {
    id: 'send/missing',
    says: 'A refusal is a 400 with `{error}` alone, and one of a body that lacks a field names it.',
    check: async (world) => {
      const { address } = world.wallet;
      return firstOf(
        refusal(
          await craftSend(world, USDC, { inviteSigner: undefined }),
          'body field inviteSigner is missing',
        ),
        refusal(await craftSend(world, address, { sender: undefined }), 'body field sender is missing'),
        refusal(await craftSend(world, address, { amount: undefined }), 'body field amount is missing'),
        refusal(await craftClawback(world, address, { sender: undefined }), 'body field sender is missing'),
        refusal(
          await craftClawback(world, address, { invitePDA: undefined }),
          'body field invitePDA is missing',
        ),
        refusal(
          await post(world, 'craft-claim', { inviteSigner: address }),
          'body field receiver is missing',
        ),
      );
    },
  },
  {
    id: 'send/wrong-names',
    says: 'A body with `senderAddress` and `recipientAddress` is a 400 that names a field that is missing.',
    check: async (world) => {
      const { address } = world.wallet;
      const wrong = { senderAddress: address, recipientAddress: address, amount: '5000000' };
      return firstOf(
        refusal(await post(world, 'craft-send', wrong), 'body field inviteSigner is missing'),
        refusal(
          await post(world, 'craft-send', { ...wrong, inviteSigner: address }),
          'body field sender is missing',
        ),
      );
    },
  },
  {
    id: 'send/no-address',
    says: 'A key, a wallet or a mint that is no address is a 400 that names it.',
    check: async (world) => {
      const { address } = await createInviteKey();
      return firstOf(
        refusal(await craftSend(world, address, { inviteSigner: 'me' }), NO_ADDRESS('inviteSigner')),
        refusal(await craftSend(world, address, { sender: 'me' }), NO_ADDRESS('sender')),
        refusal(await craftSend(world, address, { mint: 'me' }), NO_ADDRESS('mint')),
        refusal(await craftClawback(world, 'me'), NO_ADDRESS('invitePDA')),
        refusal(await craftClawback(world, USDC, { sender: 'me' }), NO_ADDRESS('sender')),
      );
    },
  },
  {
    id: 'send/wrong-amount',
    says: 'An amount that is not a whole number of base units above 0 is a 400.',
    check: async (world) => {
      const { address } = await createInviteKey();
      const wrong = ['0', 0, '-1', -1, '', '1.5', '1e6', '0x10', ' 1', '18446744073709551616'];
      const answers = await Promise.all(wrong.map((amount) => craftSend(world, address, { amount })));
      const others = await Promise.all(
        [1.5, true, {}].map((amount) => craftSend(world, address, { amount })),
      );
      return firstOf(
        ...answers.map((answer) => refusal(answer, AMOUNT)),
        ...others.map((answer) => refusal(answer, /amount/)),
      );
    },
  },
  {
    id: 'send/no-token',
    says: 'A mint that is no token is a 400.',
    check: async (world) => {
      const { address } = await createInviteKey();
      return refusal(
        await craftSend(world, address, { mint: UNKNOWN_MINT }),
        `mint ${UNKNOWN_MINT} is not a token`,
      );
    },
  },
  {
    id: 'send/funds',
    says: 'A sender with too little is told what is missing: of the token, or of SOL for the amount, the fees and the rents.',
    check: async (world) => {
      const { address } = await createInviteKey();
      const { address: sender } = await world.newWallet(2_000_000n);
      return firstOf(
        refusal(
          await craftSend(world, address, { sender, mint: USDC, amount: '3' }),
          `Insufficient funds: it takes 3 base units, and ${sender} has 0`,
        ),
        refusal(await craftSend(world, address, { sender }), /^Insufficient (SOL|funds): .*lamports/),
      );
    },
  },
  {
    id: 'send/account-as-key',
    says: 'The account of an invite in place of its key is a 400 of `craft-send`, because nobody could sign.',
    check: async (world) => {
      const key = await createInviteKey();
      const account = await deriveInvite(key.address);
      return refusal(
        await craftSend(world, account),
        `inviteSigner must be the public key of a key pair, got ${account}, which is the address of an account of a program`,
      );
    },
  },
  {
    id: 'send/key-as-account',
    says: 'The key of an invite in place of its account is a 400 of `craft-clawback`, which names the account.',
    check: async (world) => {
      const { key, invite } = await openInvite(world);
      return refusal(
        await craftClawback(world, key.address),
        `invitePDA must be the account of the invite, ${invite}, got the key of the invite, ${key.address}`,
      );
    },
  },
  {
    id: 'send/code-in-use',
    says: 'A second invite of one code is a 400 while the first one is open.',
    check: async (world) => {
      const { key, invite } = await openInvite(world);
      return refusal(
        await craftSend(world, key.address),
        `inviteSigner ${key.address} has an open invite already, at ${invite}; make another code`,
      );
    },
  },
  {
    id: 'send/foreign',
    says: 'Only its sender can take an invite back.',
    check: async (world) => {
      const { invite } = await openInvite(world);
      const { address } = await world.newWallet();
      return refusal(
        await craftClawback(world, invite, { sender: address }),
        `invitePDA ${invite} is an invite of ${world.wallet.address}, not of sender ${address}`,
      );
    },
  },
  {
    id: 'send/unknown',
    says: 'A clawback or a claim of an invite that does not exist is a 400.',
    check: async (world) => {
      const key = await createInviteKey();
      const invite = await deriveInvite(key.address);
      const body = { inviteSigner: key.address, receiver: world.wallet.address };
      return firstOf(
        refusal(await craftClawback(world, invite), `invitePDA ${invite} is not an open invite`),
        refusal(
          await post(world, 'craft-claim', body),
          `the invite ${invite} of inviteSigner ${key.address} is not an open invite`,
        ),
      );
    },
  },
  {
    id: 'send/ended',
    says: 'A clawback or a claim of an invite that has ended is a 400 that says how it ended, and when.',
    check: async (world) => {
      const [claimed, returned] = [await openInvite(world), await openInvite(world)];
      const receiver = await world.newWallet();
      await claim(world, claimed, receiver);
      await clawBack(world, returned.invite);
      const body = { inviteSigner: returned.key.address, receiver: receiver.address };
      return firstOf(
        refusal(
          await craftClawback(world, claimed.invite),
          new RegExp(
            `^invitePDA ${claimed.invite} is not an open invite: it was claimed by ${receiver.address} at .*Z$`,
          ),
        ),
        refusal(
          await craftClawback(world, returned.invite),
          /is not an open invite: it was taken back at .*Z$/,
        ),
        refusal(await post(world, 'craft-claim', body), /is not an open invite: it was taken back at .*Z$/),
      );
    },
  },
  {
    id: 'send/unreadable',
    says: 'A body that is no JSON, or no object, is a 400 with `{error}`, too.',
    check: async (world) => {
      const answers = [];
      for (const endpoint of ['craft-send', 'craft-clawback', 'craft-claim']) {
        for (const text of ['{', '[]', 'null', '"x"']) {
          answers.push(await world.ask(`/send/v1/${endpoint}`, { method: 'POST', text }));
        }
      }
      return firstOf(...answers.map((answer) => refusal(answer, /.{8,}/)));
    },
  },
  {
    id: 'send/list-refusals',
    says: 'A list without a wallet, or with a page that is no number from 1, is a 400.',
    check: async (world) => {
      const { address } = world.wallet;
      const pages = ['0', '-1', '1.5', 'all'];
      const answers = await Promise.all(
        (['pending-invites', 'invite-history'] as const).flatMap((list) => [
          ...pages.map(async (page) =>
            refusal(await listInvites(world, list, address, { page }), /^page must/),
          ),
          world
            .ask(`/send/v1/${list}`)
            .then((answer) => refusal(answer, 'query parameter address is missing')),
          listInvites(world, list, 'me').then((answer) => refusal(answer, NO_ADDRESS('address'))),
          world.ask(`/send/v1/${list}/me`).then((answer) => refusal(answer, NO_ADDRESS('address'))),
          world.ask(`/send/v1/${list}/${address}?page=0`).then((answer) => refusal(answer, /^page must/)),
        ]),
      );
      return firstOf(...answers);
    },
  },
];
