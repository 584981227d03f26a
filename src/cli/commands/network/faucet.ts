import type { Config } from '../../../config/config.ts';
import { requireRecord } from '../../../chain/records/account-json.ts';
import type { PostLimits } from '../../../common/bounded-post.ts';
import { callRpc } from '../../../chain/clone/rpc-call.ts';
import { NATIVE_SYMBOL, TOKENS, findTokenBySymbol } from '../../../solana/known-tokens.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { type Address, parseAddress } from '../../../solana/address.ts';
import { formatDecimalAmount, parseDecimalAmount } from '../../../solana/codec/decimal-amount.ts';
import { NetworkAnswer } from '../../../gateway/admin/network/network-schema.ts';
import type { LoadedSettings } from '../../../config/load.ts';
import { ADMIN_SETTINGS, createAdminUrl, callAdmin } from '../../admin-client/admin-call.ts';
import { checkAnswer } from '../../admin-client/platform-answers.ts';
import type { Command } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';

const LIMITS: PostLimits = { timeoutMs: 30_000, maxBytes: 1024 * 1024 };
const LAMPORT_DECIMALS = 9;

export const faucetCommand: Command = {
  name: 'faucet',
  summary: 'Give SOL or tokens of the running embedded network to a wallet. The amount is in whole tokens.',
  words: ['wallet', 'SOL|symbol|mint', 'amount'],
  settings: ['host', 'rpc-port', ...ADMIN_SETTINGS],
  run: async ({ config, loaded, words, write }) => {
    const [walletText = '', what = '', amount = ''] = words;
    if (config.outside !== null) {
      throw new OperatorError(
        `the network of rpc-url, ${config.outside.url.origin}, is not an embedded network, so it has no faucet`,
      );
    }
    const wallet = parseAddress(walletText);
    if (wallet === null) {
      throw new UsageError(`the wallet is ${formatForError(walletText)}, but must be base58 of 32 bytes`);
    }
    const give = what.toUpperCase() === NATIVE_SYMBOL ? giveLamports : giveTokens;
    const rpc = () => rpcOfInstance(config, loaded, 'the faucet');
    write(`${await give({ config, rpc, wallet, what, amount })}\n`);
    return 0;
  },
};

interface Gift {
  readonly config: Config;
  /** Finds the RPC of the instance. */
  readonly rpc: () => Promise<URL>;
  readonly wallet: Address;
  readonly what: string;
  readonly amount: string;
}

async function giveLamports({ rpc, wallet, amount }: Gift): Promise<string> {
  const lamports = atoms(amount, LAMPORT_DECIMALS);
  // The request carries a JSON number, which is exact up to this bound.
  if (lamports > BigInt(Number.MAX_SAFE_INTEGER)) {
    const most = formatDecimalAmount(BigInt(Number.MAX_SAFE_INTEGER), LAMPORT_DECIMALS);
    throw new UsageError(
      `the amount is ${formatForError(amount)}, but at most ${most} SOL can be given at once`,
    );
  }
  const signature = await callRpc(await rpc(), 'requestAirdrop', [wallet, Number(lamports)], LIMITS);
  return `gave ${formatDecimalAmount(lamports, LAMPORT_DECIMALS)} SOL to ${wallet} in transaction ${String(signature)}`;
}

async function giveTokens({ config, rpc, wallet, what, amount }: Gift): Promise<string> {
  const mint = findTokenBySymbol(what)?.mint ?? parseAddress(what);
  if (mint === null) {
    const symbols = TOKENS.map(({ symbol }) => symbol).join(', ');
    throw new UsageError(
      `what to give is ${formatForError(what)}, but must be the address of a mint or one of ${symbols}`,
    );
  }
  const decimals = await fetchDecimals(await rpc(), mint);
  const given = atoms(amount, decimals);
  const { account, signature } = await callAdmin(
    config,
    { method: 'POST', path: 'network/faucet', body: { wallet, mint, amount: given.toString() } },
    'the faucet',
  );
  return `gave ${formatDecimalAmount(given, decimals)} ${what} to ${String(account)} of ${wallet} in transaction ${String(signature)}`;
}

function atoms(amount: string, decimals: number): bigint {
  let parsed: bigint;
  try {
    parsed = parseDecimalAmount(amount, decimals);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
  if (parsed === 0n) throw new UsageError(`the amount is ${formatForError(amount)}, but must be more than 0`);
  return parsed;
}

async function fetchDecimals(url: URL, mint: Address): Promise<number> {
  const result = requireRecord(await callRpc(url, 'getTokenSupply', [mint], LIMITS), `${url.origin}: result`);
  const { decimals } = requireRecord(result.value, `${url.origin}: result.value`);
  if (typeof decimals === 'number' && Number.isInteger(decimals) && decimals >= 0 && decimals <= 255) {
    return decimals;
  }
  throw new OperatorError(`${url.origin} says that ${mint} has ${formatForError(decimals)} decimals`);
}

/**
 * Asks the instance at the admin port for the URL of its Solana RPC. Commands that change a network use this RPC, so that
 * they cannot reach the network of another instance, which has another credential.
 *
 * @param who - The subject of error messages.
 * @throws OperatorError when the instance has no network of its own, or `rpc-port` was given and belongs to another
 *   instance.
 */
async function rpcOfInstance(config: Config, { sources }: LoadedSettings, who: string): Promise<URL> {
  const answer = checkAnswer(NetworkAnswer, await callAdmin(config, { method: 'GET', path: 'network' }, who));
  const rpc = new URL(answer.rpcUrl);
  if (sources['rpc-port'] !== 'default' && config.rpcPort !== 0 && config.rpcPort !== Number(rpc.port)) {
    throw new OperatorError(
      `rpc-port from ${sources['rpc-port']} is ${config.rpcPort}, but the instance at ${createAdminUrl(config, '').origin} has its Solana RPC at ${rpc.origin}; leave out rpc-port, or give the admin-port and the data-dir of the other instance`,
    );
  }
  return rpc;
}
