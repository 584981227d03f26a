import type { Account } from '../../../chain/accounts.ts';
import { type MintFacts, decodeMintFacts } from '../../../market/mint-facts.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import type { Address } from '../../../solana/address.ts';
import { hasFrozenNewAccounts } from '../../../solana/programs/token/extensions.ts';
import { decodeMint } from '../../../solana/programs/token/mint.ts';
import { getTransferFeeAt } from '../../../solana/programs/token/transfer-fee.ts';
import type { Token } from '../../../tokens/facts/token.ts';

export type Severity = 'info' | 'warning' | 'critical';

/** The words that clients know. A fee has its percentage in its word. */
export type WarningType =
  | 'NOT_VERIFIED'
  | 'LOW_LIQUIDITY'
  | 'NOT_SELLABLE'
  | 'LOW_ORGANIC_ACTIVITY'
  | 'HAS_MINT_AUTHORITY'
  | 'HAS_FREEZE_AUTHORITY'
  | 'HAS_PERMANENT_DELEGATE'
  | 'NEW_LISTING'
  | 'VERY_LOW_TRADING_ACTIVITY'
  | 'HIGH_SUPPLY_CONCENTRATION'
  | 'NON_TRANSFERABLE'
  | 'MUTABLE_TRANSFER_FEES'
  | `${number}%_TRANSFER_FEES`;

export interface Warning {
  readonly type: WarningType;
  /** A sentence for the user of a wallet. */
  readonly message: string;
  readonly severity: Severity;
}

/** What is known about a mint. */
export interface Suspect {
  readonly mint: Address;
  /** The account of the mint as of now; null if there is none. */
  readonly account: Account | null;
  /** Null for a token that the operator has banned. */
  readonly token: Token | null;
  /** Whether a pool trades it. */
  readonly isTraded: boolean;
  /** Unix milliseconds of the network. */
  readonly now: number;
  /** The epoch of the network, which says which of a token's transfer fees holds. */
  readonly epoch: bigint;
}

/** US dollars in all pools. */
const LOW_LIQUIDITY = 1_000;
/** Trades in 24 hours. */
const FEW_TRADES = 10;
/** Percent of the supply that the ten largest owners hold. Pools are owners, too. */
const HIGH_CONCENTRATION = 80;
const NEW_FOR_MS = 24 * 3_600_000;
/** Basis points from which on a transfer fee makes a token worthless as money. */
const CRITICAL_FEE = 1_000;
const ORDER: readonly Severity[] = ['critical', 'warning', 'info'];

/**
 * Says what a holder of a token can lose by. What cannot be known here, such as who created a token and what else they did,
 * is not guessed at. No warning means only that nothing was found.
 *
 * Returns the most severe ones first.
 */
export function findWarnings(suspect: Suspect): readonly Warning[] {
  if (suspect.mint === WRAPPED_SOL_MINT) return [];
  const facts = suspect.account === null ? null : decodeMintFacts(suspect.account);
  if (suspect.account === null || facts === null) {
    return [warning('NOT_SELLABLE', 'critical', 'There is no token at this address')];
  }
  const warnings = [
    ...identityWarnings(suspect.token),
    ...powerWarnings(facts, suspect.token?.isVerified === true),
    ...(isFrozenAtFirst(suspect.account)
      ? [
          warning(
            'HAS_FREEZE_AUTHORITY',
            'critical',
            'New accounts of the token are frozen until an authority thaws them',
          ),
        ]
      : []),
    ...transferWarnings(facts),
    ...feeWarnings(facts, suspect.epoch),
    ...marketWarnings(suspect),
  ];
  return warnings.sort((one, other) => ORDER.indexOf(one.severity) - ORDER.indexOf(other.severity));
}

function identityWarnings(token: Token | null): readonly Warning[] {
  if (token === null) {
    return [warning('NOT_VERIFIED', 'critical', 'The operator of this service has banned the token')];
  }
  if (token.isVerified) return [];
  return [
    token.isImitation
      ? warning('NOT_VERIFIED', 'critical', 'The token is not verified, and its symbol imitates one that is')
      : warning(
          'NOT_VERIFIED',
          'info',
          'The token is not verified: check that its address is the one you mean',
        ),
  ];
}

/** Issuers of verified tokens often keep such powers, and the holder trusts them anyway. */
function powerWarnings(facts: MintFacts, isVerified: boolean): readonly Warning[] {
  const warnings: Warning[] = [];
  if (facts.mintAuthority !== null) {
    warnings.push(
      warning(
        'HAS_MINT_AUTHORITY',
        isVerified ? 'info' : 'warning',
        'An authority can mint more of the token',
      ),
    );
  }
  if (facts.freezeAuthority !== null) {
    warnings.push(
      warning('HAS_FREEZE_AUTHORITY', 'warning', 'An authority can freeze your account of the token'),
    );
  }
  if (facts.pausable) {
    warnings.push(
      warning('HAS_FREEZE_AUTHORITY', 'warning', 'An authority can stop all transfers of the token'),
    );
  }
  if (facts.permanentDelegate !== null) {
    warnings.push(
      warning(
        'HAS_PERMANENT_DELEGATE',
        isVerified ? 'warning' : 'critical',
        'An authority can move or burn your tokens without your signature',
      ),
    );
  }
  return warnings;
}

function transferWarnings({ nonTransferable, transferHook }: MintFacts): readonly Warning[] {
  const warnings: Warning[] = [];
  if (nonTransferable) {
    warnings.push(warning('NON_TRANSFERABLE', 'critical', 'Holders cannot transfer or sell the token'));
  }
  if (transferHook) {
    warnings.push(
      warning(
        'NOT_SELLABLE',
        'critical',
        'A program is called at each transfer of the token, and can refuse it',
      ),
    );
  }
  return warnings;
}

/** A fee that is announced is warned of as well if it is higher: who buys the token now may sell it then. */
function feeWarnings({ transferFee: config }: MintFacts, epoch: bigint): readonly Warning[] {
  if (config === null) return [];
  const { basisPoints } = getTransferFeeAt(config, epoch);
  const { newer } = config;
  const warnings: Warning[] = [];
  if (basisPoints > 0) warnings.push(feeWarning(basisPoints, 'Each'));
  if (newer.epoch > epoch && newer.basisPoints > basisPoints) {
    warnings.push(feeWarning(newer.basisPoints, `From epoch ${newer.epoch} on, each`));
  }
  if (config.configAuthority !== null) {
    warnings.push(
      warning('MUTABLE_TRANSFER_FEES', 'warning', 'An authority can change the fee of transfers, up to 100%'),
    );
  }
  return warnings;
}

function feeWarning(basisPoints: number, which: string): Warning {
  const percent = basisPoints / 100;
  const severity = basisPoints >= CRITICAL_FEE ? 'critical' : 'warning';
  const message = `${which} transfer of the token costs ${percent}% of its amount`;
  return warning(`${percent}%_TRANSFER_FEES`, severity, message);
}

function marketWarnings({ token, isTraded, now }: Suspect): readonly Warning[] {
  if (!isTraded) return [warning('NOT_SELLABLE', 'critical', 'No pool that is known here trades the token')];
  const warnings: Warning[] = [];
  const liquidity = token?.price?.liquidity ?? 0;
  if (liquidity < LOW_LIQUIDITY) {
    warnings.push(
      warning(
        'LOW_LIQUIDITY',
        'warning',
        `The pools of the token hold less than ${LOW_LIQUIDITY} US dollars`,
      ),
    );
  }
  if (token === null || token.isVerified) return warnings;
  const { firstPool, holders, stats } = token;
  const createdAt = firstPool?.createdAt ?? null;
  if (createdAt !== null && now - createdAt < NEW_FOR_MS) {
    warnings.push(
      warning('NEW_LISTING', 'info', 'The first pool of the token was created within the last 24 hours'),
    );
  }
  if ((holders?.topPercentage ?? 0) > HIGH_CONCENTRATION) {
    warnings.push(
      warning(
        'HIGH_SUPPLY_CONCENTRATION',
        'warning',
        `Ten owners, which may be pools, hold more than ${HIGH_CONCENTRATION}% of the token`,
      ),
    );
  }
  const day = stats['24h'];
  if (day === null) return warnings;
  if (day.numBuys + day.numSells < FEW_TRADES) {
    warnings.push(
      warning(
        'VERY_LOW_TRADING_ACTIVITY',
        'info',
        `The token was traded less than ${FEW_TRADES} times in 24 hours`,
      ),
    );
  }
  if (token.organicLabel === 'low') {
    warnings.push(
      warning(
        'LOW_ORGANIC_ACTIVITY',
        'info',
        'Few wallets that are not known as bots trade or hold the token',
      ),
    );
  }
  return warnings;
}

function isFrozenAtFirst({ data }: Account): boolean {
  return hasFrozenNewAccounts(decodeMint(data).extensions);
}

function warning(type: WarningType, severity: Severity, message: string): Warning {
  return { type, message, severity };
}
