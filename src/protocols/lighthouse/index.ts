import type { Protocol } from '../../protocol/protocol.ts';
import { LIGHTHOUSE_PROGRAM } from './program.ts';

/** The assertions that wallets append to what they sign. */
export const lighthouseProtocol: Protocol = {
  name: 'lighthouse',
  programs: [{ name: 'lighthouse', address: LIGHTHOUSE_PROGRAM, loadsAfterAggregator: true }],
};
