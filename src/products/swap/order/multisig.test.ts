import { describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../../../solana/address.ts';
import { deriveSmartAccountSettings, deriveVault } from '../../../solana/programs/smart-account/addresses.ts';
import { SMART_ACCOUNT_PROGRAM } from '../../../solana/programs/smart-account/program.ts';
import {
  encodeSmartAccountSettings,
  type SettingsPlan,
} from '../../../testing/swaps/smart-account-settings.ts';
import { toPublicRefusal } from '../endpoints/refusal-texts.ts';
import { resolveVault } from './multisig.ts';

const SETTINGS = deriveSmartAccountSettings(7n);
const [ONE, TWO, STRANGER] = [11, 12, 13].map((byte) => toAddress(new Uint8Array(32).fill(byte))) as [
  Address,
  Address,
  Address,
];

describe('resolveVault', () => {
  it.each([0, 1, 255])('finds the vault number %i', async (vaultIndex) => {
    const vault = deriveVault(SETTINGS, vaultIndex);
    const named = { settings: SETTINGS, vault, signers: [ONE, TWO] };
    await expect(resolveVault(chain(), named)).resolves.toEqual({ ...named, vaultIndex });
  });

  it('takes settings whose archival authority is absent', async () => {
    const data = encodeMembers({ archival: false });
    await expect(resolve({ chain: chain({ data }) })).resolves.toMatchObject({ vaultIndex: 0 });
  });

  it('takes more signers than the threshold', async () => {
    const data = encodeMembers({ threshold: 1 });
    await expect(resolve({ chain: chain({ data }) })).resolves.toMatchObject({ signers: [ONE, TWO] });
  });

  it.each<[string, Change, string]>([
    [
      'no program',
      { chain: chain({ program: false }) },
      `this network has no program ${SMART_ACCOUNT_PROGRAM}`,
    ],
    ['no settings', { chain: chain({ settings: false }) }, `but ${SETTINGS} does not exist`],
    ['settings of another program', { chain: chain({ owner: ONE }) }, `is another account, of ${ONE}`],
    [
      'another account of the program',
      { chain: chain({ data: new Uint8Array(160) }) },
      `is another account, of ${SMART_ACCOUNT_PROGRAM}`,
    ],
    [
      'settings that are cut short',
      { chain: chain({ data: encodeMembers({}).slice(0, 150) }) },
      `is another account, of ${SMART_ACCOUNT_PROGRAM}`,
    ],
    ['a time lock', { chain: chain({ data: encodeMembers({ timeLock: 60 }) }) }, 'a time lock of 60 seconds'],
    ['a stranger', { signers: [ONE, STRANGER] }, `signers names ${STRANGER}, which is no member`],
    [
      'too few signers',
      { signers: [ONE] },
      'at least 2 members that may vote, the threshold of settingsPda, got 1',
    ],
    [
      'signers without votes',
      { chain: chain({ data: encodeMembers({ permissions: [7, 5] }) }) },
      'at least 2 members that may vote, the threshold of settingsPda, got 1',
    ],
    [
      'signers without permissions',
      { chain: chain({ data: encodeMembers({ permissions: [2, 2] }) }) },
      'they may not initiate or execute',
    ],
    [
      'another wallet',
      { vault: STRANGER },
      `taker must be a vault of settingsPda ${SETTINGS}, got ${STRANGER}`,
    ],
  ])('refuses %s', async (_, change, message) => {
    const refusal = await resolve(change).then(() => null, toPublicRefusal);
    expect(refusal).toMatchObject({ name: 'SwapRefused', message: expect.stringContaining(message) });
  });
});

type Change = Partial<Parameters<typeof resolveVault>[1]> & { readonly chain?: ReturnType<typeof chain> };

interface ChainPlan {
  readonly program?: boolean;
  readonly settings?: boolean;
  readonly owner?: Address;
  readonly data?: Uint8Array;
}

function resolve({ chain: on = chain(), ...change }: Change) {
  const vault = deriveVault(SETTINGS, 0);
  return resolveVault(on, { settings: SETTINGS, vault, signers: [ONE, TWO], ...change });
}

/** A network with the program and the settings of a smart account of two members that both have to sign. */
function chain({ program = true, settings = true, owner, data = encodeMembers({}) }: ChainPlan = {}) {
  const account = { lamports: 1n, executable: false, rentEpoch: 0n };
  const code = { ...account, owner: ONE, data: new Uint8Array(), executable: true };
  const found = new Map([
    [SMART_ACCOUNT_PROGRAM, program ? code : null],
    [SETTINGS, settings ? { ...account, owner: owner ?? SMART_ACCOUNT_PROGRAM, data } : null],
  ]);
  return {
    getAccounts: async (addresses: readonly Address[]) =>
      addresses.map((each) => ({
        address: each,
        account: found.get(each) ?? null,
        slot: 1n,
        writeNumber: 0n,
      })),
  };
}

/** The settings of two members, of which each may do what `permissions` says. */
function encodeMembers({
  permissions: [one, two] = [7, 7],
  ...plan
}: Omit<SettingsPlan, 'members'> & { readonly permissions?: readonly [number, number] }): Uint8Array {
  const members = [
    { signer: ONE, permissions: one },
    { signer: TWO, permissions: two },
  ];
  return encodeSmartAccountSettings({ threshold: 2, ...plan, members });
}
