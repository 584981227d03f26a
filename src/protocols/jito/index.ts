import type { Protocol } from '../../protocol/protocol.ts';
import { JITO_PLATFORM } from './platform.ts';

/** Jito, as the platform of the rewards that native stake receives. */
export const jitoProtocol: Protocol = {
  name: 'jito',
  platforms: [JITO_PLATFORM],
};
