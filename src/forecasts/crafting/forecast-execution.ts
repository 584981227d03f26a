import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import type { Address } from '../../solana/address.ts';
import type { Message } from '../../solana/messages/message.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../solana/program-addresses.ts';

/** The programs that the transaction of an order on a forecast calls. */
const PROGRAMS: ReadonlySet<Address> = new Set([
  COMPUTE_BUDGET_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  AGGREGATOR_PROGRAM,
]);

/**
 * Whether a message is of the kind that orders on forecasts have: a swap of the outcome token of a round, and the opening of the
 * account that it pays into. Nobody but the owner, and a sponsor, has to sign it, so that it may have been made elsewhere.
 *
 * @param mints - The tokens of rounds.
 */
export function isForecastSwap(
  { staticAccounts, instructions }: Pick<Message, 'staticAccounts' | 'instructions'>,
  mints: { readonly has: (mint: Address) => boolean },
): boolean {
  const programs = instructions.map(({ programIndex }) => staticAccounts[programIndex]);
  return (
    programs.every((program) => program !== undefined && PROGRAMS.has(program)) &&
    instructions.some(
      ({ accounts }, index) =>
        programs[index] === AGGREGATOR_PROGRAM &&
        [...accounts].some((account) => {
          const named = staticAccounts[account];
          return named !== undefined && mints.has(named);
        }),
    )
  );
}
