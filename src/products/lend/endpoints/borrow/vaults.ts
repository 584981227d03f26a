import { Type } from 'typebox';
import { createUnaccountedWork } from '../../../../common/work/work.ts';
import { defineEndpoint } from '../../../endpoint.ts';
import { writeJsonInTurns, LazyList } from '../../../json-in-turns.ts';
import { type ListedVault, listVaults } from '../../../../lend/borrow/borrow.ts';
import { BorrowRefused } from '../../../../lend/borrow/refusals.ts';
import type { LendServices } from '../services.ts';
import { text } from '../../../parameters/kinds.ts';
import { defineQuery, optional } from '../../../parameters/parameter.ts';
import { MARKET } from './market.ts';
import { BorrowError } from './schema.ts';
import { toBorrowVaultJson } from './vault-json.ts';
import { BorrowVaultJson } from './vault-schema.ts';

const QUERY = defineQuery({
  market: MARKET,
  rpcUrl: optional(text('Refused: vaults are read from the network that this instance serves.')),
});

export const borrowVaults = defineEndpoint({
  method: 'GET',
  path: '/lend/v1/borrow/vaults',
  operationId: 'ListBorrowVaults',
  summary: 'Borrow vaults',
  description: 'All vaults of a market by id, with rates, limits and the oracle price of now.',
  query: QUERY.schema,
  responses: { 200: Type.Array(BorrowVaultJson), 400: BorrowError },
  handle: async ({ borrow }: LendServices, { query }) => {
    const read = QUERY.reader(query);
    if (read('rpcUrl') !== null) {
      throw new BorrowRefused('rpcUrl is not supported: vaults are read from the network of this instance');
    }
    return getVaultsAnswer(await listVaults(borrow, read('market')));
  },
});

/** The list stays the same array until something changes, so its answer is written once. */
const answers = new WeakMap<readonly ListedVault[], Promise<Buffer>>();

function getVaultsAnswer(vaults: readonly ListedVault[]): Promise<Buffer> {
  let answer = answers.get(vaults);
  if (answer === undefined) {
    answer = writeJsonInTurns(new LazyList(vaults, toBorrowVaultJson), createUnaccountedWork());
    answers.set(vaults, answer);
  }
  return answer;
}
