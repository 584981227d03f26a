import type { Config } from '../../config/config.ts';
import { type DoctorFinding, ok, warning } from './check.ts';

type GraduationConfig = Pick<Config, 'outside' | 'production' | 'keeper'> & {
  readonly launches: Pick<Config['launches'], 'graduatedConfigs'>;
  readonly gas: Pick<Config['gas'], 'keypair'>;
};

/** Says whether an instance with these settings migrates launches whose curve is complete. */
export function checkLaunches({
  outside,
  production,
  keeper,
  launches,
  gas,
}: GraduationConfig): DoctorFinding {
  const count = launches.graduatedConfigs.length;
  if (outside !== null && count === 0) {
    return ok('shown, and not migrated; graduate-config names configurations whose launches are migrated');
  }
  if (!keeper) return ok('shown, and migrated by other processes, because keeper is false');
  const isPaid = gas.keypair === 'own' ? outside === null && !production : gas.keypair !== null;
  if (!isPaid) {
    return warning('shown, and not migrated, because no wallet pays for it; give one with gas-keypair');
  }
  return ok(
    outside === null
      ? 'shown, and migrated when their curve is complete'
      : `shown, and migrated under ${count === 1 ? 'one configuration' : `${count} configurations`} when their curve is complete`,
  );
}
