import { describe, expect, it } from 'vitest';
import { AccountLedger } from '../../protocol/genesis/account-ledger.ts';
import { DEFAULT_SEED, deriveGenesisKeys } from '../../protocol/genesis/keys.ts';
import { decodeTokenAccount } from '../../solana/programs/token/account.ts';
import { jupiterPredictionGenesis, PREDICTION_HOUSE_FUNDS } from './genesis.ts';
import {
  JUPUSD_MINT,
  PREDICTION_PROGRAM,
  PREDICTION_VAULT,
  PREDICTION_VAULT_TOKEN_ACCOUNT,
} from './prediction-program.ts';
import { decodePredictionVault } from './prediction-vault.ts';

describe('the prediction vault of the genesis', () => {
  it('obeys the keys of the genesis, and can be used at once', () => {
    const account = accounts.get(PREDICTION_VAULT.address);
    expect(account?.owner).toBe(PREDICTION_PROGRAM);
    expect(decodePredictionVault(account?.data ?? new Uint8Array())).toMatchObject({
      settlementMint: JUPUSD_MINT,
      currentContracts: 0n,
      bump: PREDICTION_VAULT.bump,
      protocolFeeBps: 0,
      settlementDelaySeconds: 86_400n,
      depositsDisabled: false,
      withdrawalsDisabled: false,
      tradingDisabled: false,
      admin: keys.predictionKeeper.address,
      authority: keys.predictionAuthority.address,
      keeper: keys.predictionKeeper.address,
      cosigner: keys.predictionCosigner.address,
    });
  });

  it('holds the money of the house in its own account', () => {
    const tokens = decodeTokenAccount(accounts.get(PREDICTION_VAULT_TOKEN_ACCOUNT)?.data ?? new Uint8Array());
    expect(tokens).toMatchObject({
      mint: JUPUSD_MINT,
      owner: PREDICTION_VAULT.address,
      amount: PREDICTION_HOUSE_FUNDS,
    });
    expect(accounts.get(keys.predictionKeeper.address)?.lamports).toBe(1_000_000_000_000n);
  });
});

const keys = deriveGenesisKeys(DEFAULT_SEED);
const ledger = new AccountLedger();
jupiterPredictionGenesis.addAccounts?.(ledger, keys, 0n);
const accounts = new Map(ledger.accounts().map(({ address, account }) => [address, account]));
