import { OperatorError } from '../../../common/operator-error.ts';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
import type { Config } from '../../../config/config.ts';
import { formatUnixSecond } from '../../../invites/unix-second.ts';
import type { InviteAccount } from '../../../protocols/jupiter-send/invite-account.ts';
import { deriveInvite } from '../../../protocols/jupiter-send/invite-program.ts';
import type { Address } from '../../../solana/address.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import { addSignatures } from '../../../solana/messages/transaction.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../../solana/programs/message-fee.ts';
import { callRest } from '../../instance-client/rest-call.ts';
import { awaitRpc, type ChosenRpc } from '../../instance-client/rpc-flag.ts';
import { checkClaim, type OfferedClaim } from './check-claim.ts';
import { fetchAmountFormat, readClaimAccounts } from './claim-accounts.ts';
import type { ClaimWallets } from './claim-wallets.ts';
import { describeEnd, findInvite } from './find-invite.ts';
import { formatSol } from './format-sol.ts';
import { landClaim } from './land-claim.ts';

export interface ClaimOptions extends ClaimWallets {
  /** The instance that makes the transaction. */
  readonly rest: { readonly config: Config; readonly key: string | null; readonly url: string | null };
  /** The Solana RPC that says what the invite is, and lands the claim. */
  readonly rpc: ChosenRpc;
  /** The key pair that is derived from the code. */
  readonly inviteKey: Keypair;
  /** Lamports. */
  readonly maxCost: bigint;
}

/**
 * Claims an invite. The instance makes the transaction, which is checked against the chain before it is signed. The secret key of
 * the invite stays here.
 *
 * Returns a line that says what arrived.
 * @throws OperatorError that says why nothing was claimed.
 */
export async function claimInvite(options: ClaimOptions): Promise<string> {
  const { rest, rpc, inviteKey, receiver, payer, maxCost, save } = options;
  const invite = await awaitRpc(requireClaimable(rpc.url, inviteKey.address), rpc);
  const { payerLamports, rent } = await readClaimAccounts(rpc.url, invite, {
    receiver,
    payer: payer.address,
  });
  requirePayer(payer.address, payerLamports, rent, rpc);
  const body = { inviteSigner: inviteKey.address, receiver, payer: payer.address };
  const offered = readOffer(await callRest(rest.config, { ...rest, path: '/send/v1/craft-claim', body }));
  const wanted = { invite, receiver, payer: payer.address, rent, maxCost };
  const checked = checkClaim(offered, wanted);
  if (!checked.ok) {
    throw new OperatorError(
      `the transaction that the instance made ${checked.reason}; it was not signed, and nothing was claimed`,
    );
  }
  const format = await fetchAmountFormat(rpc.url, invite.token?.mint ?? null);
  const file = await save();
  const wire = addSignatures(checked.transaction, [inviteKey, payer]);
  const { signature, event } = await landClaim(rpc.url, wire, SYSTEM_TIMERS);
  const wallet = file === null ? receiver : `the new wallet ${receiver}, whose key is in ${file},`;
  return `${wallet} got ${format(event?.delivered ?? invite.amount)} from ${invite.sender} in transaction ${signature}`;
}

async function requireClaimable(rpc: URL, inviteKey: Address): Promise<InviteAccount> {
  const found = await findInvite(rpc, inviteKey);
  const { address } = deriveInvite(inviteKey);
  switch (found.kind) {
    case 'unknown':
      throw new OperatorError(
        `there is no invite of this code: ${address} is empty on the network at ${rpc.origin}; is every character of the code right?`,
      );
    case 'ended':
      throw new OperatorError(
        `the invite ${address} was ${describeEnd(found.end)} in transaction ${found.signature}`,
      );
    case 'open':
      if (!found.hasExpired) return found.invite;
      throw new OperatorError(
        `the invite ${address} expired at ${formatUnixSecond(found.invite.expiresAt)}; what it holds goes back to ${found.invite.sender}`,
      );
  }
}

/** Two wallets sign at least, so what the payer needs at least is known before the instance is asked. */
function requirePayer(payer: Address, lamports: bigint, rent: bigint, { isEmbedded }: ChosenRpc): void {
  const least = 2n * LAMPORTS_PER_SIGNATURE + rent;
  if (lamports >= least) return;
  const faucet = isEmbedded ? `, or give it some with sluice faucet ${payer} SOL 0.1` : '';
  throw new OperatorError(
    `${payer} has ${formatSol(lamports)}, but a claim costs the payer at least ${formatSol(least)}; let another wallet pay with --payer${faucet}`,
  );
}

function readOffer({ tx, totalFeeLamports }: Readonly<Record<string, unknown>>): OfferedClaim {
  if (typeof tx === 'string' && typeof totalFeeLamports === 'string' && /^\d{1,20}$/.test(totalFeeLamports)) {
    return { wire: new Uint8Array(Buffer.from(tx, 'base64')), statedCost: BigInt(totalFeeLamports) };
  }
  throw new OperatorError('the instance answers in a form that this version of sluice does not know');
}
