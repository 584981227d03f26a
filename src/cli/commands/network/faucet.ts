import type { Config } from '../../../config/config.ts';
import { asRecord } from '../../../chain/account-json.ts';
import type { PostLimits } from '../../../common/bounded-post.ts';
import { callRpc } from '../../../chain/clone/rpc-call.ts';
import { NATIVE_SYMBOL, TOKENS, tokenBySymbol } from '../../../genesis/tokens.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { type Address, parseAddress } from '../../../solana/address.ts';
import { formatDecimalAmount, parseDecimalAmount } from '../../../solana/codec/decimal-amount.ts';
import { ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import type { Command } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';
import { RPC_PLACE, rpcUrl } from './rpc-flag.ts';
import { ofRunningInstance } from '../../admin-client/running-instance.ts';

const LIMITS: PostLimits = { timeoutMs: 30_000, maxBytes: 1024 * 1024 };
const LAMPORT_DECIMALS = 9;

export const faucetCommand: Command = {
  name: 'faucet',
  summary: 'Give SOL or tokens of the running embedded network to a wallet; the amount is in whole tokens.',
  words: ['wallet', 'SOL|symbol|mint', 'amount'],
  settings: ['host', 'rpc-port', ...ADMIN_SETTINGS],
  run: async ({ config, words, write }) => {
    const [walletText = '', what = '', amount = ''] = words;
    if (config.outside !== null) {
      throw new OperatorError(
        `the network of rpc-url, ${config.outside.url.origin}, is not ours: it has no faucet`,
      );
    }
    const wallet = parseAddress(walletText);
    if (wallet === null) {
      throw new UsageError(`the wallet is ${formatForError(walletText)}, but must be base58 of 32 bytes`);
    }
    write(
      `${await (what.toUpperCase() === NATIVE_SYMBOL ? giveLamports : giveTokens)(config, wallet, what, amount)}\n`,
    );
    return 0;
  },
};

async function giveLamports(config: Config, wallet: Address, _: string, amount: string): Promise<string> {
  const lamports = atoms(amount, LAMPORT_DECIMALS);
  // The request carries a JSON number, which is exact up to here.
  if (lamports > BigInt(Number.MAX_SAFE_INTEGER)) {
    const most = formatDecimalAmount(BigInt(Number.MAX_SAFE_INTEGER), LAMPORT_DECIMALS);
    throw new UsageError(
      `the amount is ${formatForError(amount)}, but at most ${most} SOL can be given at once`,
    );
  }
  const url = rpcUrl(new Map(), config);
  const asked = callRpc(url, 'requestAirdrop', [wallet, Number(lamports)], LIMITS);
  const signature = await ofRunningInstance(asked, RPC_PLACE).catch((error: unknown) =>
    refusalOf(config, error),
  );
  return `gave ${formatDecimalAmount(lamports, LAMPORT_DECIMALS)} SOL to ${wallet} in transaction ${String(signature)}`;
}

/** An instance over an outside RPC has none of its own to answer, but its admin interface says so. */
async function refusalOf(config: Config, failure: unknown): Promise<never> {
  try {
    await callAdmin(config, { method: 'GET', path: 'network/faults' }, 'the faucet');
  } catch (error) {
    if (error instanceof OperatorError && error.message.startsWith('the faucet refused')) throw error;
  }
  throw failure;
}

async function giveTokens(config: Config, wallet: Address, what: string, amount: string): Promise<string> {
  const mint = tokenBySymbol(what)?.mint ?? parseAddress(what);
  if (mint === null) {
    const symbols = TOKENS.map(({ symbol }) => symbol).join(', ');
    throw new UsageError(
      `what to give is ${formatForError(what)}, but must be the address of a mint or one of ${symbols}`,
    );
  }
  const asked = decimalsOf(rpcUrl(new Map(), config), mint);
  const decimals = await ofRunningInstance(asked, RPC_PLACE).catch((error: unknown) =>
    refusalOf(config, error),
  );
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

async function decimalsOf(url: URL, mint: Address): Promise<number> {
  const result = asRecord(await callRpc(url, 'getTokenSupply', [mint], LIMITS), `${url.origin}: result`);
  const { decimals } = asRecord(result.value, `${url.origin}: result.value`);
  if (typeof decimals === 'number' && Number.isInteger(decimals) && decimals >= 0 && decimals <= 255) {
    return decimals;
  }
  throw new OperatorError(`${url.origin} says that ${mint} has ${formatForError(decimals)} decimals`);
}
