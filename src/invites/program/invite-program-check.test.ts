import { describe, expect, it } from 'vitest';
import type { Account } from '../../chain/accounts.ts';
import { INVITE_PROGRAM } from '../../protocols/jupiter-send/invite-program.ts';
import { BPF_LOADER_UPGRADEABLE } from '../../solana/program-addresses.ts';
import { deriveProgramDataAddress, encodeProgramData } from '../../solana/programs/upgradeable-loader.ts';
import { TestNetwork } from '../../testing/svm/network.ts';
import { SvmChain } from '../../testing/svm/chain.ts';
import { createInviteProgramCheck } from './invite-program-check.ts';

describe('createInviteProgramCheck', () => {
  it('finds the program that is known, once', async () => {
    const { check, deploy, counts } = open();
    deploy(encodeProgramData(BINARY));
    await Promise.all([check(), check()]);
    await check();
    expect(counts).toEqual({ found: 1, reads: 1 });
  });

  it('takes zeros behind the code for a part of the account', async () => {
    const { check, deploy } = open();
    deploy(Buffer.concat([encodeProgramData(BINARY), new Uint8Array(100)]));
    await check();
  });

  it('looks again with each call while somebody can upgrade the program', async () => {
    const { check, deploy, counts } = open();
    const upgradeable = (code: Uint8Array) => {
      const data = Buffer.from(encodeProgramData(code));
      data[AUTHORITY_AT] = 1;
      return data;
    };
    deploy(upgradeable(BINARY));
    await check();
    await check();
    expect(counts).toEqual({ found: 1, reads: 2 });
    deploy(upgradeable(Uint8Array.of(1, 2, 4)));
    await expect(check()).rejects.toThrow('is another one than Sluice knows');
  });

  it.each([
    ['no program', null, `this network has no program of invites at ${INVITE_PROGRAM}`],
    ['another program', Uint8Array.of(1, 2, 4), 'is another one than Sluice knows'],
    ['a longer program', Uint8Array.of(1, 2, 3, 4), 'is another one than Sluice knows'],
    ['a shorter program', Uint8Array.of(1, 2), 'is another one than Sluice knows'],
  ])('refuses a network with %s, and looks again with the next call', async (_, code, text) => {
    const { check, deploy, counts } = open();
    if (code !== null) deploy(encodeProgramData(code));
    await expect(check()).rejects.toMatchObject({
      name: 'RequestRefused',
      message: expect.stringContaining(text),
    });
    expect(counts.found).toBe(0);
    deploy(encodeProgramData(BINARY));
    await check();
    expect(counts).toEqual({ found: 1, reads: 2 });
  });
});

const BINARY = Uint8Array.of(1, 2, 3);
/** Where the account of the code says whether it has an upgrade authority. */
const AUTHORITY_AT = 12;

function open() {
  const network = new TestNetwork();
  const chain = new SvmChain(network);
  const counts = { found: 0, reads: 0 };
  const check = createInviteProgramCheck({
    chain: {
      getAccounts: (addresses) => {
        counts.reads++;
        return chain.getAccounts(addresses);
      },
    },
    binary: BINARY,
    onFound: () => {
      counts.found++;
    },
  });
  return { check, counts, deploy: (data: Uint8Array) => put(network, data) };
}

function put(network: TestNetwork, data: Uint8Array): void {
  const account: Account = {
    owner: BPF_LOADER_UPGRADEABLE,
    data,
    lamports: 1_000_000_000n,
    executable: false,
    rentEpoch: 0n,
  };
  network.setAccount(deriveProgramDataAddress(INVITE_PROGRAM), account);
}
