import { Type } from 'typebox';
import { named } from '../../../named-schema.ts';
import { RequestRefused } from '../../../../common/request-refused.ts';
import type { EarnMarket } from '../../../../lend/earn/markets/earn-markets.ts';
import type { Address } from '../../../../solana/address.ts';
import { EXAMPLE_MINTS, EXAMPLE_WALLET } from '../../../example-values.ts';
import { defineEndpoint } from '../../../endpoint.ts';
import type { EarnServices } from '../../earn/earn.ts';
import { type Earnings, findEarnings } from '../../earn/earnings.ts';
import { address } from '../../../parameters/kinds.ts';
import { defineQuery } from '../../../parameters/parameter.ts';
import { addresses } from '../lend-kinds.ts';
import { formatTime } from '../forms.ts';
import { amountField, LendError } from '../schema.ts';
import type { LendServices } from '../services.ts';

const POSITIONS = { minimum: 1, maximum: 50 };
const QUERY = defineQuery({
  user: address('The wallet.'),
  positions: addresses(
    POSITIONS,
    `Mints of receipt tokens, or of the tokens that are deposited, separated by commas; from ${POSITIONS.minimum} to ${POSITIONS.maximum}.`,
  ),
});

const EarningsJson = named(
  'Earnings',
  Type.Object({
    address: Type.String({ description: 'Mint of the token that is deposited.' }),
    ownerAddress: Type.String(),
    earnings: Type.Number({
      description:
        'Base units of the token that were earned since `since`. Roundings of a deposit can make it -1 at first.',
    }),
    slot: Type.Number({ description: 'The slot as of which the balance was read.' }),
    totalDeposits: amountField('What was deposited since.'),
    totalWithdraws: amountField('What was withdrawn since.'),
    totalBalance: amountField('Receipt tokens now.'),
    totalAssets: amountField('What they are worth now.'),
    openingAssets: Type.String({
      description:
        'What the receipt tokens of that time were worth, in base units. What they earned before is unknown. Negative where receipt tokens left by transfers.',
    }),
    since: Type.Union([Type.String(), Type.Null()], {
      description:
        'When the history of this position begins; null if the wallet has no account of receipt tokens and no history.',
    }),
  }),
);
type EarningsJson = Type.Static<typeof EarningsJson>;

export const earnEarnings = defineEndpoint({
  method: 'GET',
  path: '/lend/v1/earn/earnings',
  operationId: 'GetEarnEarnings',
  example: { query: { user: EXAMPLE_WALLET, positions: EXAMPLE_MINTS.usdc } },
  summary: 'Earnings',
  description:
    'What a wallet earned with earn tokens, by the deposits and withdrawals that were followed on the chain. An embedded network follows all wallets from its beginning on; over an outside RPC a wallet is followed from the first request for it on.',
  query: QUERY.schema,
  responses: { 200: Type.Array(EarningsJson), 400: LendError },
  handle: async ({ earn }: LendServices, { query }) => {
    const read = QUERY.reader(query);
    const user = read('user');
    const mints = read('positions');
    const markets = new Set(mints.map((mint) => requireEarnToken(earn, mint)));
    return (await findEarnings(earn, user, markets)).map(toEarningsJson);
  },
});

/** @throws RequestRefused when the mint is neither that of an earn token nor that of its receipt token */
function requireEarnToken({ markets }: EarnServices, mint: Address): EarnMarket {
  const market = markets.of(mint);
  if (market !== null) return market;
  throw new RequestRefused(
    `positions must name mints of earn tokens or of their receipt tokens; ${mint} is neither`,
  );
}

function toEarningsJson(earned: Earnings): EarningsJson {
  return {
    address: earned.mint,
    ownerAddress: earned.owner,
    earnings: Number(earned.earnings),
    slot: Number(earned.slot),
    totalDeposits: String(earned.deposited),
    totalWithdraws: String(earned.withdrawn),
    totalBalance: String(earned.shares),
    totalAssets: String(earned.assets),
    openingAssets: String(earned.assetsAtStart),
    since: earned.startedAt === null ? null : formatTime(BigInt(earned.startedAt)),
  };
}
