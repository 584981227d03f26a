import type { Chain } from '../../chain/chain.ts';
import { RequestRefused } from '../../common/request-refused.ts';
import { runOneByOne } from '../../common/work/run-one-by-one.ts';
import { INVITE_PROGRAM } from '../../protocols/jupiter-send/invite-program.ts';
import { decodeProgramData, deriveProgramDataAddress } from '../../solana/programs/upgradeable-loader.ts';

export interface InviteProgramCheckOptions {
  readonly chain: Pick<Chain, 'getAccounts'>;
  /** The ELF file of the program that this installation knows. */
  readonly binary: Uint8Array;
  /** Called once, when the network turns out to have that program. */
  readonly onFound: () => void;
}

const PROGRAM_DATA = deriveProgramDataAddress(INVITE_PROGRAM);

/**
 * Creates a function that returns if the network has the program of invites as this installation knows it. The public program
 * at the same address has another interface, which is not published, so that nothing may be built for it. What is found stays,
 * because the program cannot be upgraded; a network without it is looked at again with each call.
 *
 * The function throws `RequestRefused` if the network has no such program, and `ChainUnavailable` if it does not answer.
 */
export function createInviteProgramCheck(options: InviteProgramCheckOptions): () => Promise<void> {
  const { chain, binary, onFound } = options;
  let isFound = false;
  const look = runOneByOne(async () => {
    if (isFound) return;
    const [update] = await chain.getAccounts([PROGRAM_DATA]);
    const account = update?.account ?? null;
    if (account === null) {
      throw new RequestRefused(
        `this network has no program of invites at ${INVITE_PROGRAM}; the network that Sluice carries inside itself has it`,
      );
    }
    if (!isSameProgram(decodeProgramData(account.data), binary)) {
      throw new RequestRefused(
        `the program at ${INVITE_PROGRAM} on this network is another one than Sluice knows, and its interface is not public; the network that Sluice carries inside itself has the one that is known`,
      );
    }
    isFound = true;
    onFound();
  });
  return async () => {
    if (!isFound) await look();
  };
}

/** Zeros may follow the code on the chain. */
function isSameProgram(code: Uint8Array | null, binary: Uint8Array): boolean {
  if (code === null || code.length < binary.length) return false;
  const isEqual = Buffer.compare(code.subarray(0, binary.length), binary) === 0;
  return isEqual && code.subarray(binary.length).every((byte) => byte === 0);
}
