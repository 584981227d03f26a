import { expect, it } from 'vitest';
import { createCrowdedRefusal } from '../../../../lend/borrow/refusals.ts';
import { createUnaccountedWork } from '../../../../common/work/work.ts';
import type { EndpointRequest } from '../../../endpoint.ts';
import { EXAMPLE_WALLET } from '../../../example-values.ts';
import type { LendServices } from '../services.ts';
import { borrowPositions } from './positions.ts';

it('borrowPositions names the parameter that asks for a part of too many positions', async () => {
  const openView = () => {
    throw createCrowdedRefusal(801, 'ethena', 500);
  };
  const services = { borrow: { chain: { openView } } } as unknown as LendServices;
  const query = { users: [EXAMPLE_WALLET], market: 'ethena' };
  const request = { query, work: createUnaccountedWork() } as unknown as EndpointRequest;
  await expect(borrowPositions.handle(services, request)).rejects.toThrow(
    /^the wallets hold 801 positions in the market ethena, and an answer lists at most 500: name fewer wallets, or ask for page=1 and the pages that follow$/,
  );
});
