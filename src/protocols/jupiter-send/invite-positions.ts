import type { MultipleElement } from '../../protocol/positions/element.ts';
import { type PositionFetcher, readEach } from '../../protocol/positions/fetcher.ts';
import { readTokenBalance } from '../../protocol/positions/token-balance.ts';
import type { Address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { JUPITER_EXCHANGE_PLATFORM } from '../jupiter-exchange/platform.ts';
import { decodeInvite, INVITE_SENDER_AT, INVITE_SIZE, type InviteAccount } from './invite-account.ts';
import { INVITE_PROGRAM } from './invite-program.ts';

const PLATFORM = JUPITER_EXCHANGE_PLATFORM.id;
const SENDER = { offset: INVITE_SENDER_AT, dataSize: INVITE_SIZE };

/**
 * Finds the invites of the wallet that are open. It can claw each of them back until somebody has claimed it, and an expired one
 * until it is returned. So they are the sender's until then, and no wallet's tokens: their vaults belong to the invites.
 */
export const jupiterSendInvites: PositionFetcher = {
  id: `${PLATFORM}-send`,
  platformId: PLATFORM,
  rareSearch: { program: INVITE_PROGRAM, field: SENDER },
  fetch: async (wallet) => {
    const found = await wallet.findAccounts(INVITE_PROGRAM, SENDER, [wallet.owner]);
    const invites = readEach(found, ({ address, account }) => ({ address, ...decodeInvite(account.data) }));
    const vaults = await wallet.accounts(invites.positions.flatMap(({ token }) => token?.vault ?? []));
    let next = 0;
    const elements = invites.positions.flatMap((invite) => {
      const held = invite.token === null ? invite.amount : readTokenBalance(vaults[next++] ?? null);
      return held === 0n ? [] : [createInviteElement(invite, held)];
    });
    return { elements, unreadable: invites.unreadable };
  },
};

/**
 * @param held - What a clawback pays. For a token it is all that the vault holds: what others have sent there goes with the tokens
 *   of the invite, and a permanent delegate may have taken some. The rents, and lamports that others have sent to the invite, come
 *   back to the sender however it ends, and are no part of what was sent.
 */
function createInviteElement(
  { address, token }: InviteAccount & { readonly address: Address },
  held: bigint,
): MultipleElement {
  return {
    type: 'multiple',
    label: 'Deposit',
    name: 'Send',
    assets: [{ type: 'token', mint: token?.mint ?? WRAPPED_SOL_MINT, amount: held, ref: address }],
    ref: address,
    ...(token === null ? {} : { sourceRefs: [{ name: 'Vault', address: token.vault }] }),
  };
}
