import { formatForError } from '../../../common/format-for-error.ts';
import { SwapRefused } from '../../../swaps/refusals.ts';
import type { VenueChoice } from '../../../swaps/build/swap-terms.ts';

/**
 * Labels of venues that the public interface knows in addition to those that have pools here. Clients name them in `dexes`
 * and `excludeDexes`, often in lists that are fixed in their code, so all of them are accepted; any other unknown label is
 * refused as a typing error.
 */
const NAMES = `1DEX, Aldrin, Aldrin V2, AlphaQ, Aquifer, BisonFi, Bonkswap, Boop.fun, Byreal, Carrot, Clone Protocol, Crema,
  Cropper, Cropper Legacy, Daos.fun, DefiTuna, DexLab, Dynamic Bonding Curve, Fluxbeam, FluxBeam, FusionAMM,
  Futarchy, Gavel, GooseFX, GooseFX GAMMA, GoonFi, GoonFi V2, Guacswap, Heaven, Helium Network, HumidiFi, Hylo,
  Invariant, JupiterRfqV2, Jupiter Perps, Lifinity V1, Lifinity V2, Manifest, Marinade, Mercurial, Meteora,
  Meteora DLMM, Moonit, Oasis, Obric, Obric V2, Obsidian, Omnipair, OneIntro, OpenBook V2, Openbook, Orca V1,
  Orca V2, PancakeSwap, Penguin, Perena, Perena Star, Perena Star V2, Perps, Phoenix, Pump.fun, Pump.fun Amm,
  Quantum, Quay, Raydium, Raydium CLMM, Raydium Launchlab, Riptide, RunnerRodeo, Saber (Decimals), Sanctum Infinity,
  Saros, Saros DLMM, Scale Amm, Scale Vmm, Scorch, SolFi, SolFi V2, Solayer, Stabble CLMM, Stabble Stable Swap,
  Stabble Weighted Swap, StepN, Symmetry, TesseraV, Token Mill, Token Swap, Virtuals, VaultLiquidUnstake,
  WhaleStreet, Woofi, XOrca, ZeroFi`;

const OTHER_PUBLIC_VENUES: ReadonlySet<string> = new Set(NAMES.split(',').map((name) => name.trim()));

/**
 * Reads `dexes` and `excludeDexes`. Venues of the public interface without pools here are accepted and have no
 * effect.
 * @param only - The labels in `dexes`.
 * @param except - The labels in `excludeDexes`.
 * @throws SwapRefused when both have labels, or for labels that are neither `known` nor public
 */
export function toVenueChoice(
  only: readonly string[],
  except: readonly string[],
  known: readonly string[],
): VenueChoice | undefined {
  if (only.length > 0 && except.length > 0) {
    throw new SwapRefused('dexes and excludeDexes exclude each other; give one of them');
  }
  const [name, labels] = only.length > 0 ? ['dexes', only] : ['excludeDexes', except];
  if (labels.length === 0) return undefined;
  const unknown = labels.find((label) => !known.includes(label) && !OTHER_PUBLIC_VENUES.has(label));
  if (unknown !== undefined) {
    throw new SwapRefused(
      `${name} names ${formatForError(unknown)}, which is not one of: ${known.join(', ')}`,
    );
  }
  return { kind: only.length > 0 ? 'only' : 'except', labels: new Set(labels) };
}
