import { describe, expect, it } from 'vitest';
import { useInstance } from './shared-instance.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

describe('a wallet that was given tokens', () => {
  const instance = useInstance();

  it('shows them in its portfolio', async () => {
    const { address } = await instance.newWallet(1_000_000_000n, { [USDC]: 12_500_000n });
    const { json } = await instance.ask(`/portfolio/v1/positions/${address}`);
    expect(JSON.stringify(json.elements)).toContain('"amount":12.5');
  });
});
