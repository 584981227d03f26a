import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatForError } from '../../../common/format-for-error.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { writeNewPrivateFile } from '../../../data-folder/private-file.ts';
import { type Address, parseAddress } from '../../../solana/address.ts';
import {
  createKeypairFromSeed,
  encodeKeypairFile,
  type Keypair,
  parseKeypairFile,
} from '../../../solana/keypair.ts';
import type { CommandFlag } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';

/** The flags that say who gets what was sent, and who pays. */
export const WALLET_FLAGS: readonly CommandFlag[] = [
  {
    name: 'keypair',
    allowed: 'the path of a keypair file',
    description: 'Wallet that gets what was sent. It also pays the fee, unless --payer does.',
  },
  {
    name: 'new',
    allowed: 'the path of a file',
    description:
      'Make a new wallet that gets what was sent, and write its keypair file, which must not exist. Needs --payer.',
  },
  {
    name: 'receiver',
    allowed: 'the address of a wallet',
    description: 'Wallet that gets what was sent, which does not sign. Needs --payer.',
  },
  {
    name: 'payer',
    allowed: 'the path of a keypair file',
    description: 'Wallet that pays the fee, and the rent of a token account that the receiver lacks.',
  },
];

export interface ClaimWallets {
  readonly receiver: Address;
  readonly payer: Keypair;
  /** Writes the keypair file of a new wallet, before anything can arrive there. Returns its path; null if there is none. */
  readonly save: () => Promise<string | null>;
}

/**
 * Reads the wallets that the flags name.
 *
 * @param cwd - The folder from which relative paths start.
 * @throws UsageError when the flags do not say who gets it and who pays.
 * @throws OperatorError when a file cannot be read, or the file of a new wallet exists.
 */
export function readClaimWallets(flags: ReadonlyMap<string, string>, cwd: string): ClaimWallets {
  const [keypair, created, address, paying] = ['keypair', 'new', 'receiver', 'payer'].map((name) =>
    flags.get(name),
  );
  if ([keypair, created, address].filter((given) => given !== undefined).length !== 1) {
    throw new UsageError(
      'give one of --keypair, --new and --receiver to say which wallet gets what was sent',
    );
  }
  const payer = paying === undefined ? null : readKeypair(resolve(cwd, paying), 'payer');
  const save = async () => null;
  if (keypair !== undefined) {
    const wallet = readKeypair(resolve(cwd, keypair), 'keypair');
    return { receiver: wallet.address, payer: payer ?? wallet, save };
  }
  if (payer === null) {
    throw new UsageError('with --new or --receiver, give the wallet that pays the fee with --payer');
  }
  if (created !== undefined) return createWallet(resolve(cwd, created), payer);
  const receiver = parseAddress(address ?? '');
  if (receiver !== null) return { receiver, payer, save };
  throw new UsageError(`flag --receiver is ${formatForError(address)}, but must be base58 of 32 bytes`);
}

function readKeypair(path: string, flag: string): Keypair {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`the file of --${flag} cannot be read: ${reason}`);
  }
  try {
    return parseKeypairFile(text);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(`the file of --${flag}, ${path}, holds no key: ${error.message}`);
  }
}

function createWallet(path: string, payer: Keypair): ClaimWallets {
  if (existsSync(path)) throw new OperatorError(`${path} exists already; choose another name with --new`);
  const wallet = createKeypairFromSeed(randomBytes(32));
  const save = async () => {
    await writeNewPrivateFile(path, encodeKeypairFile(wallet));
    return path;
  };
  return { receiver: wallet.address, payer, save };
}
