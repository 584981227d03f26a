import { Type } from 'typebox';
import { mapInTurns } from '../../../../common/work/work.ts';
import { EXAMPLE_WALLET } from '../../../example-values.ts';
import { defineEndpoint } from '../../../endpoint.ts';
import { writeJsonInTurns } from '../../../json-in-turns.ts';
import { integer } from '../../../parameters/kinds.ts';
import { defineQuery, optional } from '../../../parameters/parameter.ts';
import type { ListedVault } from '../../../../lend/borrow/borrow.ts';
import { findPositions, MAX_POSITIONS, PAGES } from '../../../../lend/borrow/find-positions.ts';
import { addresses } from '../lend-kinds.ts';
import type { MarketName } from '../../../../lend/borrow/markets.ts';
import { BorrowRefused } from '../../../../lend/borrow/refusals.ts';
import type { LendServices } from '../services.ts';
import { MARKET } from './market.ts';
import { BorrowError } from './schema.ts';
import { toBorrowPositionJson, toBorrowVaultJson } from './vault-json.ts';
import { BorrowPositionJson, type BorrowVaultJson } from './vault-schema.ts';

const USERS = { minimum: 1, maximum: 50 };
const QUERY = defineQuery({
  users: addresses(
    USERS,
    `Wallets, separated by commas; from ${USERS.minimum} to ${USERS.maximum}. A wallet that is named twice is listed once.`,
  ),
  market: MARKET,
  page: optional(
    integer(
      PAGES,
      `Which ${MAX_POSITIONS} of the positions, from 1; the last page has fewer. Without it all positions are listed, and wallets with more than ${MAX_POSITIONS} are refused.`,
    ),
  ),
});

export const borrowPositions = defineEndpoint({
  method: 'GET',
  path: '/lend/v1/borrow/positions',
  operationId: 'ListBorrowPositions',
  example: { query: { users: EXAMPLE_WALLET } },
  summary: 'Borrow positions',
  description:
    'All positions whose tokens the wallets hold, empty ones included, the newest first. Debt and collateral are those of now, after interest and liquidations.',
  query: QUERY.schema,
  responses: { 200: Type.Array(BorrowPositionJson), 400: BorrowError },
  handle: async ({ borrow }: LendServices, { query, work }) => {
    const read = QUERY.reader(query);
    const [market, users, page] = [read('market'), read('users'), read('page')];
    const positions = await findPositions(borrow, market, users, page, work).catch((error: unknown) => {
      throw nameParameters(error, market);
    });
    const vaults = new Map<ListedVault, BorrowVaultJson>();
    const answer = await mapInTurns(work, positions, (position) => {
      const json = vaults.get(position.vault) ?? toBorrowVaultJson(position.vault);
      vaults.set(position.vault, json);
      return toBorrowPositionJson(position, json);
    });
    return writeJsonInTurns(answer, work, vaults.values());
  },
});

/** Returns an error of the search. That there are too many positions says by which parameter a part is asked for. */
function nameParameters(error: unknown, market: MarketName): unknown {
  if (!(error instanceof BorrowRefused) || error.reason.kind !== 'crowded') return error;
  return new BorrowRefused(
    `the wallets hold ${error.reason.positions} positions in the market ${market}, and an answer lists at most ${MAX_POSITIONS}: name fewer wallets, or ask for page=1 and the pages that follow`,
  );
}
