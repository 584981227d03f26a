import { defaultOf } from '../config/settings/kinds/setting.ts';
import { TRANSPORT_SETTINGS, transportOf } from '../config/settings/groups/transport-settings.ts';
import type { Bounds } from '../gateway/server/server.ts';

const defaults = Object.fromEntries(
  Object.entries(TRANSPORT_SETTINGS).map(([name, setting]) => [name, defaultOf(setting)]),
) as Parameters<typeof transportOf>[0];

/** The bounds of a server whose settings are the defaults. */
export const DEFAULT_BOUNDS: Bounds = transportOf(defaults, '.').bounds;
