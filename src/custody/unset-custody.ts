import { Unavailable } from '../common/unavailable.ts';
import type { CustodySignature, KeyCustody } from './custody.ts';

const REASON =
  'orders that wait are not served, because this instance has no master key for vaults; its operator gives one with custody-key-file';

/** Stands in for the custody of an instance without a master key: whatever needs a vault is refused. */
export class UnsetCustody implements KeyCustody {
  findVault(): Promise<null> {
    return refuse();
  }

  createVault(): Promise<never> {
    return refuse();
  }

  coSigner(): Promise<never> {
    return refuse();
  }

  sign(): Promise<readonly CustodySignature[]> {
    return refuse();
  }
}

async function refuse(): Promise<never> {
  throw new Unavailable(REASON);
}
