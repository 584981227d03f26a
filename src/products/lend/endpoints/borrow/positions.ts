import { Type } from 'typebox';
import { mapInTurns } from '../../../../common/work/work.ts';
import { EXAMPLE_WALLET } from '../../../example-values.ts';
import { defineEndpoint } from '../../../endpoint.ts';
import { writeJsonInTurns } from '../../../json-in-turns.ts';
import { integerText, listText } from '../../../parameters.ts';
import type { ListedVault } from '../../../../lend/borrow/borrow.ts';
import { findPositions, MAX_POSITIONS, PAGES } from '../../../../lend/borrow/find-positions.ts';
import { parseIntegerParameter } from '../../../parameter-values.ts';
import { requireAddresses } from '../request.ts';
import type { LendServices } from '../services.ts';
import { requireMarket } from './request.ts';
import { BorrowError, MarketQuery } from './schema.ts';
import { toBorrowPositionJson, toBorrowVaultJson } from './vault-json.ts';
import { BorrowPositionJson, type BorrowVaultJson } from './vault-schema.ts';

const USERS = { minimum: 1, maximum: 50 };

export const borrowPositions = defineEndpoint({
  method: 'GET',
  path: '/lend/v1/borrow/positions',
  operationId: 'ListBorrowPositions',
  example: { query: { users: EXAMPLE_WALLET } },
  summary: 'Borrow positions',
  description:
    'All positions whose tokens the wallets hold, empty ones included, the newest first. Debt and collateral are those of now, after interest and liquidations.',
  query: Type.Object({
    users: listText(
      `Wallets, separated by commas; from ${USERS.minimum} to ${USERS.maximum}. A wallet that is named twice is listed once.`,
    ),
    market: MarketQuery,
    page: Type.Optional(
      integerText(
        PAGES,
        `Which ${MAX_POSITIONS} of the positions, from 1; the last page has fewer. Without it all positions are listed, and wallets with more than ${MAX_POSITIONS} are refused.`,
      ),
    ),
  }),
  responses: { 200: Type.Array(BorrowPositionJson), 400: BorrowError },
  handle: async ({ borrow }: LendServices, { query, work }) => {
    const market = requireMarket(query.market);
    const users = requireAddresses('users', query.users, USERS);
    const page = parseIntegerParameter('page', query.page, PAGES);
    const positions = await findPositions(borrow, market, users, page, work);
    const vaults = new Map<ListedVault, BorrowVaultJson>();
    const answer = await mapInTurns(work, positions, (position) => {
      const json = vaults.get(position.vault) ?? toBorrowVaultJson(position.vault);
      vaults.set(position.vault, json);
      return toBorrowPositionJson(position, json);
    });
    return writeJsonInTurns(answer, work, vaults.values());
  },
});
