import type { FastifyInstance } from 'fastify';
import type { PortalBuild } from './portal-build.ts';
import { type PortalDataOptions, registerPortalData } from './portal-data.ts';
import { registerPortalPages } from './portal-pages.ts';

/** What the portal of a server is made of. */
export interface PortalOptions extends Omit<PortalDataOptions, 'products' | 'buildDocument' | 'streams'> {
  /** Returns the built pages; null if they are not built. */
  readonly readBuild: () => PortalBuild | null;
}

/** Registers the portal on the public server: its pages, and the data that they read. */
export function registerPortal(
  app: FastifyInstance,
  { readBuild, ...data }: PortalOptions & Pick<PortalDataOptions, 'products' | 'buildDocument' | 'streams'>,
): void {
  registerPortalPages(app, readBuild);
  registerPortalData(app, data);
}
