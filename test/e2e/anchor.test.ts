import { AnchorProvider, Program, type Wallet } from '@coral-xyz/anchor';
import { Connection } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { useInstance } from './shared-instance.ts';

describe('the public client Anchor', () => {
  const instance = useInstance();

  it('finds the interface of a program on the network, and reads its accounts', async () => {
    const provider = new AnchorProvider(new Connection(instance.rpcUrl), {} as Wallet, {});
    const program = await Program.at('jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9', provider);
    const { lending } = program.account as Record<string, { all(): Promise<readonly unknown[]> }>;
    expect((await lending?.all())?.length).toBeGreaterThan(1);
    expect(await Program.fetchIdl('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s', provider)).toBeNull();
  });
});
