import { RequestRefused } from '../../common/request-refused.ts';
import { repeatWithPauses, type Timers } from '../../common/ports/timers.ts';

/** The pause before the network is asked again. */
export const PROGRAM_SEARCH_MS = 30_000;

/**
 * Looks for the program of invites now, and again while the network does not answer. Otherwise expired invites would not be
 * returned before somebody asks for an invite. A network that has another program is looked at again only for such requests.
 *
 * @param requireProgram - See `createInviteProgramCheck`.
 * @returns A function that ends the search.
 */
export async function searchInviteProgram(
  requireProgram: () => Promise<void>,
  timers: Pick<Timers, 'after'>,
): Promise<() => void> {
  let stop = () => {};
  const look = async () => {
    if (await hasAnswered(requireProgram)) stop();
  };
  if (await hasAnswered(requireProgram)) return stop;
  stop = repeatWithPauses(PROGRAM_SEARCH_MS, look, timers, () => undefined);
  return stop;
}

async function hasAnswered(requireProgram: () => Promise<void>): Promise<boolean> {
  try {
    await requireProgram();
    return true;
  } catch (error) {
    return error instanceof RequestRefused;
  }
}
