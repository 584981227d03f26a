import * as kit from '@solana/kit';
import { type Answer, difference, firstOf, shown, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import type { World } from '../../world.ts';
import { SOL } from '../mints.ts';
import { namesOf } from '../send/invite-requests.ts';
import { decodeTransaction, signTransaction } from '../transactions.ts';
import { LAUNCH_TERMS, launchToken, prepareLaunch } from './launch-requests.ts';

const CREATED = ['imagePresignedUrl', 'imageUrl', 'metadataPresignedUrl', 'mint', 'transaction'];
const PAGE = ['configKey', 'content', 'headerImage', 'mint', 'owner'];
const NOT_FOUND = '{"error":"Token not found"}';
/** The beginning of a PNG. */
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export const launchingStatements: readonly Statement[] = [
  {
    id: 'studio/create',
    says: '`POST /studio/v1/dbc-pool/create-tx` answers `transaction`, `mint`, `imagePresignedUrl`, `metadataPresignedUrl` and `imageUrl`, and nothing else.',
    check: async (world) => {
      const answer = await prepareLaunch(world);
      return firstOf(
        difference(answer, { status: 200 }),
        unless(namesOf(answer.json) === `${CREATED}`, answer.json),
        unless(answer.json.imageUrl.endsWith(`/images/${answer.json.mint}`), answer.json),
      );
    },
  },
  {
    id: 'studio/create-signed',
    says: '`transaction` is of version 0, paid by the creator, and has all signatures but that of the creator.',
    check: async (world) => {
      const { json } = await prepareLaunch(world);
      const { version, feePayer, transaction, bytes } = decodeTransaction(json.transaction);
      const missing = Object.entries(transaction.signatures).flatMap(([signer, signature]) =>
        signature === null ? [signer] : [],
      );
      return firstOf(
        unless(version === 0 && feePayer === world.wallet.address && bytes <= 1_232, {
          version,
          feePayer,
          bytes,
        }),
        unless(`${missing}` === feePayer && json.mint in transaction.signatures, transaction.signatures),
      );
    },
  },
  {
    id: 'studio/create-fresh',
    says: 'Each request for a launch is answered with another mint.',
    check: async (world) => {
      const answers = await Promise.all([1, 2, 3].map(() => prepareLaunch(world)));
      const mints = new Set(answers.map(({ json }) => json.mint));
      return unless(mints.size === 3, [...mints]);
    },
  },
  {
    id: 'studio/create-optional',
    says: '`fee`, its fields but `feeBps`, and `isLpLocked` may be left out or null.',
    check: async (world) => {
      const changes = [
        { fee: undefined, isLpLocked: undefined },
        { fee: null, isLpLocked: null },
        { fee: { feeBps: 200, totalDuration: null, baseFeeMode: null } },
        { fee: { feeBps: 100, totalDuration: 60, baseFeeMode: 'exponential' }, antiSniping: true },
      ];
      const answers = await Promise.all(changes.map((each) => prepareLaunch(world, each)));
      return firstOf(...answers.map((answer) => difference(answer, { status: 200 })));
    },
  },
  {
    id: 'studio/create-errors',
    says: 'A request for a launch that cannot be made is answered with 400 and `errors`, which has a list of texts for each wrong field, with dots in the names of inner fields.',
    check: async (world) => {
      const { buildCurveByMarketCapParam: curve } = LAUNCH_TERMS;
      const named: readonly (readonly [object, string])[] = [
        [{ tokenName: '' }, 'tokenName'],
        [{ creator: 'me' }, 'creator'],
        [{ fee: { feeBps: 150 } }, 'fee.feeBps'],
        [{ tokenImageContentType: 'image/svg+xml' }, 'tokenImageContentType'],
        [
          { buildCurveByMarketCapParam: { ...curve, tokenQuoteDecimal: 6 } },
          'buildCurveByMarketCapParam.tokenQuoteDecimal',
        ],
        [
          { buildCurveByMarketCapParam: { ...curve, migrationMarketCap: 1 } },
          'buildCurveByMarketCapParam.migrationMarketCap',
        ],
      ];
      const seen = await Promise.all(
        named.map(async ([changes, field]) => {
          const { status, json } = await prepareLaunch(world, changes);
          const texts = json?.errors?.[field];
          return { field, json, holds: status === 400 && typeof texts?.[0] === 'string' };
        }),
      );
      return unless(
        seen.every(({ holds }) => holds),
        seen.filter(({ holds }) => !holds),
      );
    },
  },
  {
    id: 'studio/submit',
    says: '`POST /studio/v1/dbc-pool/submit` takes a form, with its fields in any order, lands the launch, and answers `success` and `data` with `mint` and `configKey`. The token then has a page, and is in the search for tokens.',
    check: async (world) => {
      const { mint, form } = await fillForm(world);
      const answer = await submitForm(world, form);
      const page = await askPage(world, mint);
      const found = await world.ask(`/tokens/v2/search?query=${mint}`);
      return firstOf(
        difference(answer, { status: 200, body: { success: true } }),
        unless(namesOf(answer.json.data) === 'configKey,mint' && answer.json.data.mint === mint, answer.json),
        unless(namesOf(page.json) === `${PAGE}`, page.json),
        unless(page.json.content === 'Why?' && page.json.owner === world.wallet.address, page.json),
        unless((await fetch(page.json.headerImage)).headers.get('content-type') === 'image/png', page.json),
        unless(found.json?.[0]?.id === mint, found.json),
      );
    },
  },
  {
    id: 'studio/submit-again',
    says: 'The same submission again has the same answer. The first page of a token stays.',
    check: async (world) => {
      const { mint, form } = await fillForm(world);
      const first = await submitForm(world, form);
      form.set('content', 'Because.');
      const second = await submitForm(world, form);
      const page = await askPage(world, mint);
      return firstOf(
        unless(first.status === 200 && first.text === second.text, [first.text, second.text]),
        unless(page.json?.content === 'Why?', page.json),
      );
    },
  },
  {
    id: 'studio/submit-form',
    says: 'A submission that is no form is answered with 415, and one without `transaction` or `owner` with 400 and `errors`.',
    check: async (world) => {
      const { form } = await fillForm(world);
      const json = await world.ask('/studio/v1/dbc-pool/submit', {
        method: 'POST',
        body: { transaction: form.get('transaction'), owner: form.get('owner') },
      });
      const without = async (name: string) => {
        const { form: other } = await fillForm(world);
        other.delete(name);
        return submitForm(world, other);
      };
      const missing = await Promise.all(['transaction', 'owner'].map(without));
      return firstOf(
        difference(json, { status: 415 }),
        ...missing.map((answer, index) =>
          unless(
            answer.status === 400 && namesOf(answer.json?.errors) === ['transaction', 'owner'][index],
            answer.text,
          ),
        ),
      );
    },
  },
  {
    id: 'studio/submit-only-own',
    says: 'Only what create-tx has answered can be submitted, unchanged, and only for its creator: anything else is answered with 400 and `errors`.',
    check: async (world) => {
      const other = await world.newWallet();
      const { form } = await fillForm(world);
      const transaction = `${form.get('transaction')}`;
      const changed = Buffer.from(transaction, 'base64');
      changed[changed.length - 1] = (changed[changed.length - 1] ?? 0) ^ 1;
      const submitChanged = (name: string, value: string) => {
        form.set('transaction', transaction);
        form.set('owner', world.wallet.address);
        form.set(name, value);
        return submitForm(world, form);
      };
      const wrongTransaction = await submitChanged('transaction', changed.toString('base64'));
      const wrongOwner = await submitChanged('owner', other.address);
      return firstOf(
        unless(
          wrongTransaction.status === 400 && namesOf(wrongTransaction.json?.errors) === 'transaction',
          wrongTransaction.text,
        ),
        unless(wrongOwner.status === 400 && namesOf(wrongOwner.json?.errors) === 'owner', wrongOwner.text),
      );
    },
  },
  {
    id: 'studio/no-page',
    says: 'A token that was not launched through submit has no page: the answer is 404 `{"error":"Token not found"}`.',
    check: async (world) => {
      const { mint } = await launchToken(world);
      const answers = await Promise.all([mint, SOL].map((each) => askPage(world, each)));
      return firstOf(
        ...answers.map((answer) => unless(answer.status === 404 && answer.text === NOT_FOUND, answer.text)),
      );
    },
  },
];

/** Prepares a launch, lets the demo wallet sign it, and fills in the form with which it is submitted. */
async function fillForm(world: World): Promise<{ readonly mint: kit.Address; readonly form: FormData }> {
  const prepared = await prepareLaunch(world);
  if (prepared.status !== 200) throw new Error(`no launch was prepared: ${shown(prepared)}`);
  const form = new FormData();
  form.set('headerImage', new Blob([PNG], { type: 'image/png' }), 'header.png');
  form.set('content', 'Why?');
  form.set('owner', world.wallet.address);
  form.set('transaction', await signTransaction(prepared.json.transaction, world.wallet));
  return { mint: kit.address(prepared.json.mint), form };
}

async function submitForm(world: World, form: FormData): Promise<Answer> {
  const response = await fetch(`${world.restUrl}/studio/v1/dbc-pool/submit`, { method: 'POST', body: form });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
}

function askPage(world: World, mint: string): Promise<Answer> {
  return world.ask(`/studio/v1/dbc-pool/page/${mint}`);
}
