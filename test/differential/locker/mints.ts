import { MINT_KINDS } from '../../../programs/locker/tests/mint-kinds.ts';
import { LockWorld } from '../../../programs/locker/tests/world.ts';
import { TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { yieldToOtherWork } from '../../../src/testing/waits.ts';
import type { Comparison } from '../comparison.ts';
import type { Twin } from '../twin.ts';

/** Creates an escrow of each kind of mints in both networks, in either way if they differ in how they refuse. */
export async function compareMints(networks: Twin, comparison: Comparison): Promise<void> {
  const worlds = [new LockWorld('a token', networks.standIn), new LockWorld('a token', networks.publicBuild)];
  for (const { name, extensions, isSupported } of MINT_KINDS) {
    await yieldToOtherWork();
    const [creation] = worlds.map((world) => {
      const token = world.newToken(TOKEN_2022_PROGRAM, extensions);
      world.give(world.sender, 10_000n, token);
      return world.creation({}, token);
    });
    if (creation === undefined) continue;
    // A build that does not know an extension has another word for it.
    const different = isSupported ? networks.difference(creation) : networks.refusalDifference(creation);
    comparison.add(different, name);
  }
  comparison.finish();
}
