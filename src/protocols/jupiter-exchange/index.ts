import type { Protocol } from '../../protocol/protocol.ts';
import { JUPITER_EXCHANGE_PLATFORM } from './platform.ts';

/** The platform that the protocols of Jupiter share. Each of them reads its own positions. */
export const jupiterExchangeProtocol: Protocol = {
  name: 'jupiter-exchange',
  platforms: [JUPITER_EXCHANGE_PLATFORM],
};
