import { getDefault } from '../config/settings/kinds/setting.ts';
import { TRANSPORT_SETTINGS, toTransportConfig } from '../config/settings/groups/transport-settings.ts';
import type { Bounds } from '../gateway/server/server.ts';

const defaults = Object.fromEntries(
  Object.entries(TRANSPORT_SETTINGS).map(([name, setting]) => [name, getDefault(setting)]),
) as Parameters<typeof toTransportConfig>[0];

/** The bounds of a server whose settings are the defaults. */
export const DEFAULT_BOUNDS: Bounds = toTransportConfig(defaults, '.').bounds;
