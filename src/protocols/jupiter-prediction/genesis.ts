import type { AccountLedger } from '../../protocol/genesis/account-ledger.ts';
import type { GenesisKeys } from '../../protocol/genesis/keys.ts';
import { toLedgerMint } from '../../protocol/genesis/mints.ts';
import type { ProtocolGenesis } from '../../protocol/genesis/protocol-genesis.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { JUPUSD_MINT, PREDICTION_PROGRAM, PREDICTION_VAULT } from './prediction-program.ts';
import { encodePredictionVault } from './prediction-vault.ts';

/** 1,000 SOL, which pay for fills, for closes and payouts, and for accounts that they open. */
const KEEPER_LAMPORTS = 1_000_000_000_000n;

/** 1,000,000 JupUSD, which cover what the house can lose. */
export const PREDICTION_HOUSE_FUNDS = 1_000_000_000_000n;

/** The vault of prediction markets with the money of the house, and the keeper, which administers it. */
export const jupiterPredictionGenesis: ProtocolGenesis = { addAccounts: addPredictionVault };

function addPredictionVault(ledger: AccountLedger, keys: GenesisKeys): void {
  const { predictionAuthority, predictionKeeper, predictionCosigner } = keys;
  const vault = encodePredictionVault({
    settlementMint: JUPUSD_MINT,
    currentContracts: 0n,
    globalMaxContracts: 1_000_000_000_000_000n,
    positionMaxContracts: 1_000_000_000_000n,
    positionMaxOrders: 50,
    protocolFeeBps: 0,
    settlementDelaySeconds: 86_400n,
    depositsDisabled: false,
    withdrawalsDisabled: false,
    tradingDisabled: false,
    bump: PREDICTION_VAULT.bump,
    admin: predictionKeeper.address,
    authority: predictionAuthority.address,
    keeper: predictionKeeper.address,
    cosigner: predictionCosigner.address,
  });
  ledger.addData(PREDICTION_VAULT.address, PREDICTION_PROGRAM, vault);
  const owner = PREDICTION_VAULT.address;
  ledger.addAssociatedTokens(toLedgerMint(getGenesisToken('JupUSD')), {
    owner,
    amount: PREDICTION_HOUSE_FUNDS,
  });
  ledger.addWallet(predictionKeeper.address, KEEPER_LAMPORTS);
}
