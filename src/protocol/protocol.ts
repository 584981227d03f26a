import type { TokenInfo } from '../solana/known-tokens.ts';
import type { ProgramAccounts } from './accounts/program-accounts.ts';
import type { ProtocolGenesis } from './genesis/protocol-genesis.ts';
import type { ProtocolProgram } from './genesis/stand-in.ts';
import type { ProgramInstructions } from './instructions/program-instructions.ts';
import type { PositionFetcher } from './positions/fetcher.ts';
import type { PositionPlatform } from './positions/platform.ts';
import type { ProgramErrors, Venue } from './venue/venue.ts';

/**
 * Everything that Sluice knows about one on-chain protocol. The value stands in the protocol's own folder,
 * `src/protocols/<name>/index.ts`, and `src/protocols/index.ts` lists it. Routes, names of errors, portfolios, the
 * programs and accounts of the embedded network and its lookup tables derive from that list.
 *
 * @example
 * ```ts
 * import type { PositionFetcher } from './positions/fetcher.ts';
 * import type { Protocol } from './protocol.ts';
 *
 * // A protocol of which Sluice reads the positions, and has no program of its own.
 * function createReadOnlyProtocol(fetcher: PositionFetcher): Protocol {
 *   return {
 *     name: 'example-stake',
 *     fetchers: [fetcher],
 *     platforms: [
 *       {
 *         id: fetcher.platformId,
 *         name: 'Example',
 *         image: 'https://example.org/favicon.ico',
 *         description: 'Tokens that are staked.',
 *         isDeprecated: false,
 *         tags: ['dapp'],
 *         links: { website: 'https://example.org/' },
 *       },
 *     ],
 *   };
 * }
 * ```
 */
export interface Protocol {
  /** The name of the protocol's folder in `src/protocols`. */
  readonly name: string;
  /**
   * The stand-ins of the protocol's programs, in the order in which the embedded network loads them. Default: it has no
   * program of ours.
   */
  readonly programs?: readonly ProtocolProgram[];
  /** The protocol's liquidity, if routes may use it. */
  readonly venue?: Venue;
  /** Read the positions that wallets have in the protocol. Reports are in this order. Default: there are none to read. */
  readonly fetchers?: readonly PositionFetcher[];
  /** The platforms that portfolios know by this protocol. Default: its fetchers read positions of other platforms. */
  readonly platforms?: readonly PositionPlatform[];
  /** The tokens that the protocol issues, as token lists show them. Default: none. */
  readonly issuedTokens?: readonly TokenInfo[];
  /** The protocol's accounts in the embedded network. Default: it has none there. */
  readonly genesis?: ProtocolGenesis;
  /** The names of the error codes of the protocol's programs. Default: they are not known. */
  readonly errors?: readonly ProgramErrors[];
  /** The instructions of the protocol's programs, by which transactions are shown to people. Default: they are not known. */
  readonly instructions?: readonly ProgramInstructions[];
  /** The accounts of the protocol's programs, by which accounts are shown to people. Default: they are not known. */
  readonly accounts?: readonly ProgramAccounts[];
}
