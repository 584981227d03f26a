import type { Address } from '../../solana/address.ts';
import type { GraduatedPool } from '../launch.ts';
import type { LaunchStageName } from './launch-stage.ts';

/** The few fields that are kept of a launch. */
export interface IndexedLaunch {
  readonly pool: Address;
  readonly mint: Address;
  readonly config: Address;
  /** The token program of the launched token. */
  readonly tokenType: number;
  /** In the unit in which its configuration counts time. */
  readonly activationPoint: bigint;
  quoteReserve: bigint;
  stage: LaunchStageName;
  /** The slot as of which it is known. */
  slot: bigint;
  /** The address of the pool that it migrates to, once it was derived; null if it migrates to another program. */
  destination: Address | null | undefined;
  /** Whether no transaction of this service can migrate it. */
  isLeft: boolean;
  /** The wallet that has signed the launch; null if it is not known. */
  creator: Address | null;
  /** How often the creator was looked for. */
  creatorTries: number;
  /** Kept once it is found, because it never changes. */
  graduated: GraduatedPool | null;
}
