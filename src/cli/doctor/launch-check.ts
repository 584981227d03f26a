import type { Config } from '../../config/config.ts';
import { type DoctorFinding, ok, warning } from './check.ts';

type GraduationConfig = Pick<Config, 'outside' | 'production' | 'keeper'> & {
  readonly launches: Pick<Config['launches'], 'graduatedConfigs'>;
  readonly studio: Pick<Config['studio'], 'partner' | 'url'>;
  readonly gas: Pick<Config['gas'], 'keypair'>;
};

/** Says whether an instance with these settings migrates launches whose curve is complete. */
export function checkLaunches({
  outside,
  production,
  keeper,
  launches,
  studio,
  gas,
}: GraduationConfig): DoctorFinding {
  const count = launches.graduatedConfigs.length;
  if (outside !== null && (studio.partner === null) !== (studio.url === null)) {
    const [set, missing] =
      studio.url === null ? ['studio-partner', 'studio-url'] : ['studio-url', 'studio-partner'];
    return warning(`${set} is set, but not ${missing}, so the studio refuses to prepare launches; set both`);
  }
  const preparesLaunches = outside === null || (studio.partner !== null && studio.url !== null);
  if (count === 0 && !preparesLaunches) {
    return ok('shown, and not migrated; graduate-config names configurations whose launches are migrated');
  }
  if (!keeper) return ok('shown, and migrated by other processes, because keeper is false');
  const isPaid = gas.keypair === 'own' ? outside === null && !production : gas.keypair !== null;
  if (!isPaid) {
    return warning('shown, and not migrated, because no wallet pays for it; give one with gas-keypair');
  }
  if (outside === null) return ok('shown, and migrated when their curve is complete');
  const named = `those under ${count === 1 ? 'one configuration' : `${count} configurations`}`;
  const migrated = [...(preparesLaunches ? ['those of the studio'] : []), ...(count === 0 ? [] : [named])];
  return ok(`shown, and ${migrated.join(' and ')} are migrated when their curve is complete`);
}
