import type { Protocol } from '../../protocol/protocol.ts';
import { jupiterGovernance } from './fetcher.ts';
import { JUPITER_GOVERNANCE_PLATFORM } from './platform.ts';
import { GOVERNANCE_ACCOUNTS } from './governance-account-types.ts';

/** JUP that is locked to vote. */
export const jupiterGovernanceProtocol: Protocol = {
  name: 'jupiter-governance',
  platforms: [JUPITER_GOVERNANCE_PLATFORM],
  fetchers: [jupiterGovernance],
  accounts: GOVERNANCE_ACCOUNTS,
};
