import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '../config/load.ts';
import { ConfigInvalid } from '../config/problems/problems.ts';
import type { SettingName } from '../config/settings/settings.ts';

/** Settings for each source; those of the file are written as JSON. */
export interface GivenSettings {
  readonly flags?: Partial<Record<SettingName, readonly string[]>>;
  readonly environment?: Record<string, string>;
  readonly file?: unknown;
}

/** A working folder from which settings are loaded. */
export class SettingsFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'sluice-config-'));

  /** @throws ConfigInvalid. */
  load({ flags = {}, environment = {}, file }: GivenSettings) {
    if (file !== undefined) this.write(JSON.stringify(file));
    const texts = new Map(Object.entries(flags)) as Map<SettingName, readonly string[]>;
    return loadSettings({ flags: texts, environment, file: null, cwd: this.path });
  }

  /** Returns the problems of the settings. Empty when they can be loaded. */
  problems(given: GivenSettings): readonly string[] {
    try {
      this.load(given);
    } catch (error) {
      if (error instanceof ConfigInvalid) return error.problems;
      throw error;
    }
    return [];
  }

  /** Writes the configuration file. */
  write(text: string): void {
    writeFileSync(join(this.path, 'sluice.config.json'), text);
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}
