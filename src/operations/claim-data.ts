import { mkdirSync } from 'node:fs';
import type { Config } from '#platform/config.ts';
import { beginOpening, type Opening } from '#platform/db/embedded-thread.ts';
import { lockFolder } from '#platform/storage/folder-lock.ts';
import { refuseUnfinished } from './backup/unfinished.ts';

/** The data of the settings, claimed for this process: the database that is being opened, and what gives the folder back. */
export type Claim = { readonly opening: Opening; readonly unlock: () => void };

/**
 * Claims the data folder and begins to open the database in it. Loads little, so that the program can be loaded meanwhile.
 * `template` makes a first start faster.
 * @throws a German sentence if another process uses the folder or a restore was not finished
 */
export function claimData(config: Config, template?: string): Claim {
  refuseUnfinished(config.dataFolder);
  mkdirSync(config.itemsFolder, { recursive: true, mode: 0o700 });
  const unlock = config.databaseUrl === undefined ? lockFolder(config.dataFolder) : () => {};
  try {
    return { opening: beginOpening(config, template), unlock };
  } catch (error) {
    unlock();
    throw error;
  }
}
