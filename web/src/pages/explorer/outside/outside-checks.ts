import { describeFailure } from '../../../api/call.ts';
import { callRpc } from '../../../api/network.ts';
import { SOL_MINT } from '../../../base/mints.ts';

/** What the explorer reads from an outside RPC, and whether it may. */
export interface OutsideCheck {
  /** What a page shows with it. */
  readonly what: string;
  readonly method: string;
  /** Null: the RPC answered. Otherwise what it said. */
  readonly refusal: string | null;
}

type Call = (method: string, params: readonly unknown[]) => Promise<unknown>;

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const CONFIRMED = { commitment: 'confirmed' };
const BLOCK = { ...CONFIRMED, transactionDetails: 'none', rewards: false, maxSupportedTransactionVersion: 0 };
/** An RPC answers such a call at once, whoever the owner is. */
const SYSTEM_PROGRAM = '11111111111111111111111111111111';

/**
 * Makes one call of each kind that the explorer makes. The RPC may refuse any of them.
 *
 * @param call - Default: the RPC behind this gateway.
 */
export async function checkOutsideRpc(call: Call = callRpc): Promise<readonly OutsideCheck[]> {
  const attempt = async (what: string, method: string, params: readonly unknown[]): Promise<OutsideCheck> => {
    try {
      await call(method, params);
      return { what, method, refusal: null };
    } catch (error) {
      return { what, method, refusal: describeFailure(error) };
    }
  };
  const slot = await call('getSlot', [CONFIRMED]).catch(() => null);
  const checks = [
    attempt('accounts', 'getAccountInfo', [SOL_MINT, { ...CONFIRMED, encoding: 'base64' }]),
    attempt('blocks', 'getBlock', [slot ?? 0, BLOCK]),
    attempt('transactions of an address', 'getSignaturesForAddress', [SOL_MINT, { ...CONFIRMED, limit: 1 }]),
    attempt('one transaction', 'getTransaction', [
      '1'.repeat(64),
      { ...CONFIRMED, encoding: 'base64', maxSupportedTransactionVersion: 0 },
    ]),
    attempt('tokens of a wallet', 'getTokenAccountsByOwner', [
      SYSTEM_PROGRAM,
      { programId: TOKEN_PROGRAM },
      { ...CONFIRMED, encoding: 'base64' },
    ]),
    attempt('the supply of a token', 'getTokenSupply', [SOL_MINT, CONFIRMED]),
  ];
  return Promise.all(checks);
}
