import { describe, expect, it } from 'vitest';
import { PredictionWorld } from '../../programs/prediction/tests/world.ts';
import { deriveGenesisKeys } from '../protocol/genesis/keys.ts';
import { PREDICTION_VAULT } from '../protocols/jupiter-prediction/prediction-program.ts';
import { SvmChain } from '../testing/svm/chain.ts';
import { TestNetwork } from '../testing/svm/network.ts';
import { hasPredictionVault } from './prediction.ts';

const { predictionAuthority, predictionKeeper, predictionCosigner, sponsor } = deriveGenesisKeys('a test');
const WALLETS = { authority: predictionAuthority, keeper: predictionKeeper, cosigner: predictionCosigner };

describe('hasPredictionVault', () => {
  it('is false on a network that was founded before it had prediction markets', async () => {
    const network = new TestNetwork(['prediction'], 'prediction');
    expect(await hasPredictionVault(new SvmChain(network), WALLETS)).toBe(false);
    network.setData(PREDICTION_VAULT.address, sponsor.address, new Uint8Array(2_000));
    expect(await hasPredictionVault(new SvmChain(network), WALLETS)).toBe(false);
  });

  it('is true for the keys that the vault obeys alone', async () => {
    const world = new PredictionWorld({
      authority: predictionAuthority.address,
      keeper: predictionKeeper.address,
      cosigner: predictionCosigner.address,
    });
    const chain = new SvmChain(world.network);
    expect(await hasPredictionVault(chain, WALLETS)).toBe(true);
    for (const key of ['authority', 'keeper', 'cosigner']) {
      expect(await hasPredictionVault(chain, { ...WALLETS, [key]: sponsor })).toBe(false);
    }
  });
});
