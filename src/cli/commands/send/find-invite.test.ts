import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { encodeInvite, type InviteAccount } from '../../../protocols/jupiter-send/invite-account.ts';
import {
  deriveInvite,
  deriveInviteVault,
  INVITE_PROGRAM,
} from '../../../protocols/jupiter-send/invite-program.ts';
import type { Address } from '../../../solana/address.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { createTestKey } from '../../../testing/chain/bank.ts';
import { findInvite } from './find-invite.ts';

const [KEY, SENDER, MINT, OTHER] = [1, 2, 3, 4].map((seed) => createTestKey(seed).address) as [
  Address,
  Address,
  Address,
  Address,
];
const { address: INVITE, bump } = deriveInvite(KEY);
const TOKEN = {
  mint: MINT,
  tokenProgram: TOKEN_PROGRAM,
  vault: deriveInviteVault(INVITE, MINT, TOKEN_PROGRAM),
};
const OPEN: InviteAccount = {
  sender: SENDER,
  inviteKey: KEY,
  token: TOKEN,
  amount: 5n,
  reward: 10_000n,
  createdAt: 1n,
  expiresAt: 10n,
  bump,
};
let server: Server | null = null;

afterEach(() => server?.close());

describe('findInvite', () => {
  it('reads an open invite, and whether it has expired', async () => {
    for (const invite of [OPEN, { ...OPEN, token: null }]) {
      expect(await find(invite)).toEqual({ kind: 'open', invite, hasExpired: false });
    }
    expect(await find(OPEN, 10n)).toMatchObject({ hasExpired: true });
  });

  it.each<[string, InviteAccount]>([
    ['of another key', { ...OPEN, inviteKey: OTHER }],
    ['of another program of tokens', { ...OPEN, token: { ...TOKEN, tokenProgram: OTHER } }],
    ['with the vault of another', { ...OPEN, token: { ...TOKEN, vault: OTHER } }],
  ])('believes no node that shows an invite %s', async (_, invite) => {
    await expect(find(invite)).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:\d+ shows an account at \w+ that the program of invites cannot have made$/,
    );
  });
});

/** Asks a node that shows this invite at this second. */
async function find(invite: InviteAccount, now = 9n) {
  const clock = Buffer.alloc(40);
  clock.writeBigInt64LE(now, 32);
  const value = [
    { owner: INVITE_PROGRAM, data: encodeInvite(invite) },
    { owner: SYSTEM_PROGRAM, data: clock },
  ].map(({ owner, data }) => ({
    owner,
    data: [Buffer.from(data).toString('base64'), 'base64'],
    lamports: 1,
    executable: false,
    rentEpoch: 0,
  }));
  server?.close();
  const started = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { context: { slot: 1 }, value } }));
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const { port } = started.address() as AddressInfo;
  return findInvite(new URL(`http://127.0.0.1:${port}`), KEY);
}
