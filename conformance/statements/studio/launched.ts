import { difference, firstOf, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import { SOL, UNKNOWN_MINT } from '../mints.ts';
import { isUnsignedFor, land, namesOf, readLamports, readTokens } from '../send/invite-requests.ts';
import { decodeTransaction } from '../transactions.ts';
import {
  askAddresses,
  buyLaunched,
  craftClaimOfFees,
  launchToken,
  postStudio,
  readFees,
} from './launch-requests.ts';

const ONE_SOL = 1_000_000_000n;
const NAMES = ['configKey', 'dammv2PoolAddress', 'dbcPoolAddress'];

export const launchedStatements: readonly Statement[] = [
  {
    id: 'studio/addresses',
    says: '`GET /studio/v1/dbc-pool/addresses/{mint}` answers `success`, `data` with `dbcPoolAddress`, `dammv2PoolAddress`, which is null before the graduation, and `configKey`, and the same three at the root.',
    check: async (world) => {
      const { mint } = await launchToken(world);
      const answer = await askAddresses(world, mint);
      const { data, success, ...root } = answer.json ?? {};
      return firstOf(
        difference(answer, { status: 200, body: { success: true } }),
        unless(namesOf(data) === `${NAMES}` && namesOf(root) === `${NAMES}`, answer.json),
        unless(data.dammv2PoolAddress === null && typeof data.dbcPoolAddress === 'string', data),
        unless(JSON.stringify(data) === JSON.stringify(root), answer.json),
      );
    },
  },
  {
    id: 'studio/addresses-unknown',
    says: 'For a mint that was not launched on a curve, the answer is 404 `{"error":"Pool addresses not found"}`.',
    check: async (world) => {
      const answers = await Promise.all([SOL, UNKNOWN_MINT].map((mint) => askAddresses(world, mint)));
      return firstOf(
        ...answers.map((answer) =>
          unless(
            answer.status === 404 && answer.text === '{"error":"Pool addresses not found"}',
            answer.text,
          ),
        ),
      );
    },
  },
  {
    id: 'studio/addresses-invalid',
    says: 'What is no address is 400 `{"errors":{"mint":[...]}}`.',
    check: async (world) => {
      const answer = await askAddresses(world, 'moon');
      const { mint, ...others } = answer.json?.errors ?? {};
      return unless(answer.status === 400 && Array.isArray(mint) && namesOf(others) === '', answer.text);
    },
  },
  {
    id: 'studio/fee',
    says: '`POST /studio/v1/dbc/fee` answers `unclaimed` and `total`, texts in base units of the quote token: half of what trades have paid, without the part of the protocol.',
    check: async (world) => {
      const launch = await launchToken(world);
      const before = await postStudio(world, 'dbc/fee', { poolAddress: launch.pool });
      const earned = await buyLaunched(world, launch, ONE_SOL);
      const after = await postStudio(world, 'dbc/fee', { poolAddress: launch.pool });
      return firstOf(
        unless(before.text === '{"unclaimed":"0","total":"0"}', before.text),
        unless(after.text === `{"unclaimed":"${earned}","total":"${earned}"}`, after.text),
      );
    },
  },
  {
    id: 'studio/fee-refusals',
    says: 'Without `poolAddress`, with null, with what is no address and with the mint in its place, it answers 400 `{"errors":{"poolAddress":[...]}}`.',
    check: async (world) => {
      const { mint } = await launchToken(world);
      const given = [undefined, null, 'pool', mint];
      const answers = await Promise.all(
        given.map((poolAddress) => postStudio(world, 'dbc/fee', { poolAddress })),
      );
      return firstOf(
        ...answers.map(({ status, json, text }) =>
          unless(status === 400 && Array.isArray(json?.errors?.poolAddress), text),
        ),
      );
    },
  },
  {
    id: 'studio/claim',
    says: '`POST /studio/v1/dbc/fee/create-tx` answers `transaction` alone: of version 0, which the creator signs and lands. It pays all fees, and `total` stays.',
    check: async (world) => {
      const creator = await world.newWallet();
      const launch = await launchToken(world, {}, creator);
      const earned = await buyLaunched(world, launch, ONE_SOL);
      const answer = await craftClaimOfFees(world, launch, { maxQuoteAmount: Number(earned) });
      const before = await readLamports(world, creator.address);
      await land(world, answer.json.transaction, [creator]);
      const paid = (await readLamports(world, creator.address)) - before;
      const { unclaimed, total } = await readFees(world, launch);
      return firstOf(
        difference(answer, { status: 200 }),
        unless(namesOf(answer.json) === 'transaction', answer.json),
        unless(
          isUnsignedFor(answer.json.transaction, [creator.address]),
          decodeTransaction(answer.json.transaction).signers,
        ),
        unless(unclaimed === 0n && total === earned, { unclaimed, total }),
        // The account of the launched token that the program requires stays with the creator.
        unless(paid > 0n && paid < earned, { paid, earned }),
      );
    },
  },
  {
    id: 'studio/claim-limit',
    says: '`maxQuoteAmount` bounds the claim. Without it, as null, or above what there is, everything is claimed.',
    check: async (world) => {
      const launch = await launchToken(world);
      const claim = async (limit: object) => {
        await buyLaunched(world, launch, ONE_SOL);
        const before = await readFees(world, launch);
        const { json } = await craftClaimOfFees(world, launch, limit);
        await land(world, json.transaction, [launch.creator]);
        const after = await readFees(world, launch);
        return { claimed: before.unclaimed - after.unclaimed, left: after.unclaimed };
      };
      const part = await claim({ maxQuoteAmount: 1_000_000 });
      const rest = [];
      for (const limit of [{}, { maxQuoteAmount: null }, { maxQuoteAmount: 1e12 }]) {
        rest.push((await claim(limit)).left);
      }
      return unless(part.claimed === 1_000_000n && rest.every((left) => left === 0n), { part, rest });
    },
  },
  {
    id: 'studio/claim-wrapped',
    says: 'Fees in SOL arrive as SOL: the account of wrapped SOL that the claim needs is closed again.',
    check: async (world) => {
      const creator = await world.newWallet();
      const launch = await launchToken(world, {}, creator);
      await buyLaunched(world, launch, ONE_SOL);
      const { json } = await craftClaimOfFees(world, launch);
      await land(world, json.transaction, [creator]);
      const wrapped = await readTokens(world, creator.address, SOL);
      return unless(wrapped === 0n, { wrapped });
    },
  },
  {
    id: 'studio/claim-owner',
    says: 'A wallet that is not the creator is refused with 403 `{"error":"You are not the owner of this pool"}`.',
    check: async (world) => {
      const launch = await launchToken(world);
      const answer = await craftClaimOfFees(world, launch, { ownerWallet: UNKNOWN_MINT });
      return unless(
        answer.status === 403 && answer.text === '{"error":"You are not the owner of this pool"}',
        answer.text,
      );
    },
  },
  {
    id: 'studio/claim-unknown',
    says: 'For an address without a curve, the answer is 404 `{"error":"Proxy account not found for the creator"}`.',
    check: async (world) => {
      const { address } = world.wallet;
      const body = { ownerWallet: address, poolAddress: UNKNOWN_MINT, maxQuoteAmount: 1 };
      const answer = await postStudio(world, 'dbc/fee/create-tx', body);
      return unless(
        answer.status === 404 && answer.text === '{"error":"Proxy account not found for the creator"}',
        answer.text,
      );
    },
  },
  {
    id: 'studio/claim-refusals',
    says: 'What is missing or wrong is named in 400 `{"errors"}`: the two addresses, and a `maxQuoteAmount` that is no whole number of at least 0.',
    check: async (world) => {
      const body = { ownerWallet: world.wallet.address, poolAddress: UNKNOWN_MINT };
      const cases: readonly (readonly [object, string])[] = [
        [{}, 'ownerWallet,poolAddress'],
        [{ ...body, ownerWallet: 'me' }, 'ownerWallet'],
        [{ ...body, poolAddress: 7 }, 'poolAddress'],
        [{ ...body, maxQuoteAmount: -1 }, 'maxQuoteAmount'],
        [{ ...body, maxQuoteAmount: 0.5 }, 'maxQuoteAmount'],
        [{ ...body, maxQuoteAmount: '5' }, 'maxQuoteAmount'],
      ];
      const answers = await Promise.all(
        cases.map(([given]) => postStudio(world, 'dbc/fee/create-tx', given)),
      );
      return firstOf(
        ...answers.map(({ status, json, text }, index) =>
          unless(status === 400 && namesOf(json?.errors) === cases[index]?.[1], text),
        ),
      );
    },
  },
  {
    id: 'studio/shown',
    says: 'After its first purchase, a launch is in `/tokens/v2/search`, has a price, and its fees are in the portfolio of its creator, all at once.',
    check: async (world) => {
      const creator = await world.newWallet();
      const launch = await launchToken(world, {}, creator);
      await buyLaunched(world, launch, ONE_SOL);
      const { mint, pool } = launch;
      const search = await world.ask(`/tokens/v2/search?query=${mint}`);
      const price = await world.ask(`/price/v3?ids=${mint}`);
      const portfolio = await world.ask(`/portfolio/v1/positions/${creator.address}`);
      const [token] = search.json ?? [];
      return firstOf(
        unless(token?.id === mint && token.launchpad === 'met-dbc', search.text),
        unless(price.json?.[mint]?.usdPrice > 0, price.text),
        unless(portfolio.text.includes(pool), portfolio.text),
      );
    },
  },
];
