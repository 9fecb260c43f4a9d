import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** File in the data folder while a restore is running: the program does not start on such a folder. */
export const UNFINISHED = 'restore-unfinished';

/** Refuses a data folder with an unfinished restore; to be called before a start. @throws a German sentence */
export function refuseUnfinished(dataFolder: string): void {
  if (existsSync(join(dataFolder, UNFINISHED)))
    throw new Error(
      `In ${dataFolder} liegt eine Wiederherstellung, die nicht zu Ende kam. Bitte räumen Sie den Ordner beiseite und stellen Sie erneut wieder her.`,
    );
}
