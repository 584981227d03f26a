import type { Chain } from '../../chain/chain.ts';
import { RequestRefused } from '../../common/request-refused.ts';
import { runOneByOne } from '../../common/work/run-one-by-one.ts';
import { INVITE_PROGRAM } from '../../protocols/jupiter-send/invite-program.ts';
import {
  decodeProgramData,
  deriveProgramDataAddress,
  isUpgradeAuthorityGone,
} from '../../solana/programs/upgradeable-loader.ts';

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
 * at the same address has another interface, which is not published, so that nothing may be built for it. A program that nobody
 * can upgrade is found for good. Otherwise, and without it, the network is looked at again with each call.
 *
 * The function throws `RequestRefused` if the network has no such program, and `ChainUnavailable` if it does not answer.
 */
export function createInviteProgramCheck(options: InviteProgramCheckOptions): () => Promise<void> {
  const { chain, binary, onFound } = options;
  let isFound = false;
  let isFinal = false;
  const look = runOneByOne(async () => {
    if (isFinal) return;
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
    isFinal = isUpgradeAuthorityGone(account.data);
    if (isFound) return;
    isFound = true;
    onFound();
  });
  return async () => {
    if (!isFinal) await look();
  };
}

/** Zeros may follow the code on the chain. */
function isSameProgram(code: Uint8Array | null, binary: Uint8Array): boolean {
  if (code === null || code.length < binary.length) return false;
  const isEqual = Buffer.compare(code.subarray(0, binary.length), binary) === 0;
  return isEqual && code.subarray(binary.length).every((byte) => byte === 0);
}
