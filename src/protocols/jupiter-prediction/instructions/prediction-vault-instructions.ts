import type { Address } from '../../../solana/address.ts';
import {
  type Instruction,
  readonly,
  writable,
  writableSigner,
} from '../../../solana/messages/instruction.ts';
import type { PredictionOutcome } from '../prediction-accounts.ts';
import {
  createPredictionInstruction,
  PREDICTION_CALLED_PROGRAMS,
  PREDICTION_MINT_ACCOUNT,
  PREDICTION_TAGS,
  READONLY_PREDICTION_VAULT,
  startPredictionData,
} from './prediction-instruction.ts';
import {
  derivePredictionResult,
  PREDICTION_VAULT,
  PREDICTION_VAULT_TOKEN_ACCOUNT,
} from '../prediction-program.ts';
import { writePredictionText } from '../prediction-text.ts';
import type { PredictionVaultConfig, PredictionVaultKeys } from '../prediction-vault.ts';

// The instructions of the vault's keepers and of its admin.

/** How a market ended. */
export interface PredictionResultTerms {
  readonly marketIdHash: string;
  readonly outcome: PredictionOutcome;
  /** The first Unix second in which claims are permitted. A second in the past counts as now. */
  readonly settlementTime: bigint;
  readonly claimsEnabled: boolean;
}

/** Creates `create_market_result`, by which the keeper posts a result. It pays for the account. */
export function createPostPredictionResult(keeper: Address, result: PredictionResultTerms): Instruction {
  const data = startPredictionData(PREDICTION_TAGS.createMarketResult);
  writePredictionText(data, result.marketIdHash)
    .u8(result.outcome)
    .i64(result.settlementTime)
    .bool(result.claimsEnabled);
  const accounts = [
    writableSigner(keeper),
    writable(derivePredictionResult(result.marketIdHash).address),
    PREDICTION_CALLED_PROGRAMS.system,
    // The stand-in takes it besides: it names the keeper.
    READONLY_PREDICTION_VAULT,
  ];
  return createPredictionInstruction(accounts, data);
}

/**
 * Creates `initialize_vault`. The admin is the settlement mint's authority to mint.
 *
 * @param keys - The keys that the vault obeys from then on. The stand-in takes them besides the public accounts.
 */
export function createInitializePredictionVault(keys: PredictionVaultKeys): Instruction {
  const accounts = [
    writableSigner(keys.admin),
    writable(PREDICTION_VAULT.address),
    PREDICTION_MINT_ACCOUNT,
    writable(PREDICTION_VAULT_TOKEN_ACCOUNT),
    PREDICTION_CALLED_PROGRAMS.system,
    PREDICTION_CALLED_PROGRAMS.token,
    PREDICTION_CALLED_PROGRAMS.associatedToken,
    readonly(keys.authority),
    readonly(keys.keeper),
    readonly(keys.cosigner),
  ];
  return createPredictionInstruction(accounts, startPredictionData(PREDICTION_TAGS.initializeVault));
}

/** Creates `set_vault_config`, by which the admin sets the limits. */
export function createSetPredictionVaultConfig(admin: Address, config: PredictionVaultConfig): Instruction {
  const data = startPredictionData(PREDICTION_TAGS.setVaultConfig)
    .u64(config.globalMaxContracts)
    .u64(config.positionMaxContracts)
    .u32(config.positionMaxOrders)
    .u16(config.protocolFeeBps)
    .u64(config.settlementDelaySeconds)
    .bool(config.depositsDisabled)
    .bool(config.withdrawalsDisabled)
    .bool(config.tradingDisabled);
  return createPredictionInstruction([writableSigner(admin), writable(PREDICTION_VAULT.address)], data);
}

/** Creates `disable_deposits`, by which the keeper or the admin stops purchases. */
export function createDisablePredictionDeposits(authority: Address): Instruction {
  const accounts = [writableSigner(authority), writable(PREDICTION_VAULT.address)];
  return createPredictionInstruction(accounts, startPredictionData(PREDICTION_TAGS.disableDeposits));
}

/** Creates `disable_withdrawals`, by which the keeper or the admin stops payouts. */
export function createDisablePredictionWithdrawals(authority: Address): Instruction {
  const accounts = [writableSigner(authority), writable(PREDICTION_VAULT.address)];
  return createPredictionInstruction(accounts, startPredictionData(PREDICTION_TAGS.disableWithdrawals));
}

/** Creates `withdraw`, by which the admin takes what no position can claim. */
export function createWithdrawFromPredictionVault(
  admin: Address,
  { amount, destination }: { readonly amount: bigint; readonly destination: Address },
): Instruction {
  const accounts = [
    writableSigner(admin),
    READONLY_PREDICTION_VAULT,
    writable(destination),
    writable(PREDICTION_VAULT_TOKEN_ACCOUNT),
    PREDICTION_CALLED_PROGRAMS.token,
  ];
  return createPredictionInstruction(accounts, startPredictionData(PREDICTION_TAGS.withdraw).u64(amount));
}
