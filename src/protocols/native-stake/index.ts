import type { Protocol } from '../../protocol/protocol.ts';
import { nativeStake } from './fetcher.ts';
import { NATIVE_STAKE_PLATFORM } from './platform.ts';

/** The native stake program. */
export const nativeStakeProtocol: Protocol = {
  name: 'native-stake',
  platforms: [NATIVE_STAKE_PLATFORM],
  fetchers: [nativeStake],
};
