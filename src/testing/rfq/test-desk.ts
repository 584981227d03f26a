import { MakerDesk, type MakerDeskOptions } from '../../rfq/desk/maker-desk.ts';
import { DEFAULT_BREAKER } from '../../rfq/makers/maker-state.ts';
import type { TestRfq } from './test-rfq.ts';

/** What the operator and makers read of makers without webhooks, whose status never changed. */
export function createTestDesk(
  { rfq, timers }: Pick<TestRfq, 'rfq' | 'timers'>,
  overrides: Partial<MakerDeskOptions> = {},
): MakerDesk {
  return new MakerDesk({
    clusterMakers: rfq.clusterMakers,
    books: rfq.allBooks,
    reserved: rfq.reserved,
    liquidity: rfq.liquidity,
    webhooks: { find: () => null },
    breaker: DEFAULT_BREAKER,
    readChanges: async () => [],
    now: () => timers.now(),
    ...overrides,
  });
}
