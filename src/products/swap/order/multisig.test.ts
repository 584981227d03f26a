import { describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import { deriveSmartAccountSettings, deriveVault } from '../../../solana/programs/smart-account/addresses.ts';
import { SMART_ACCOUNT_PROGRAM } from '../../../solana/programs/smart-account/program.ts';
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
    const data = encodeSettings({ archival: false });
    await expect(resolve({ chain: chain({ data }) })).resolves.toMatchObject({ vaultIndex: 0 });
  });

  it('takes more signers than the threshold', async () => {
    const data = encodeSettings({ threshold: 1 });
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
      { chain: chain({ data: encodeSettings({}).slice(0, 150) }) },
      `is another account, of ${SMART_ACCOUNT_PROGRAM}`,
    ],
    [
      'a time lock',
      { chain: chain({ data: encodeSettings({ timeLock: 60 }) }) },
      'a time lock of 60 seconds',
    ],
    ['a stranger', { signers: [ONE, STRANGER] }, `signers names ${STRANGER}, which is no member`],
    [
      'too few signers',
      { signers: [ONE] },
      'at least 2 members that may vote, the threshold of settingsPda, got 1',
    ],
    [
      'signers without votes',
      { chain: chain({ data: encodeSettings({ permissions: [7, 5] }) }) },
      'at least 2 members that may vote, the threshold of settingsPda, got 1',
    ],
    [
      'signers without permissions',
      { chain: chain({ data: encodeSettings({ permissions: [2, 2] }) }) },
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

interface SettingsPlan {
  readonly threshold?: number;
  readonly timeLock?: number;
  readonly archival?: boolean;
  /** What each of the two members may do. */
  readonly permissions?: readonly [number, number];
}

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
function chain({ program = true, settings = true, owner, data = encodeSettings({}) }: ChainPlan = {}) {
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

function encodeSettings({
  threshold = 2,
  timeLock = 0,
  archival = true,
  permissions: [one, two] = [7, 7],
}: SettingsPlan): Uint8Array {
  const to = new ByteWriter().bytes(Uint8Array.of(223, 179, 163, 190, 177, 224, 67, 173));
  to.zeros(16 + 32)
    .u16(threshold)
    .u32(timeLock)
    .zeros(8 + 8);
  to.u8(archival ? 1 : 0)
    .zeros(archival ? 32 : 0)
    .zeros(8 + 1);
  to.u32(2).address(ONE).u8(one).address(TWO).u8(two);
  return to.zeros(11).finish();
}
