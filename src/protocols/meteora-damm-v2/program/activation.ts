import type { ChainClock } from '../../../chain/chain.ts';
import { ActivationType } from './layout.ts';

/** Returns the slot or the Unix second that the pool's activation point is compared with. */
export function getCurrentPoint(
  activationType: number,
  clock: Pick<ChainClock, 'slot' | 'unixTimestamp'>,
): bigint {
  return activationType === ActivationType.SLOT ? clock.slot : clock.unixTimestamp;
}
