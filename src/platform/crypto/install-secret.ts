import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A secret of the installation, kept beside its data (mode 0600) and made on the first start. Losing it ends all
 * sessions and makes stored credentials unreadable; it does not belong into the backup of the data.
 */
export function storedSecret(folder: string, name: string, make: () => string): string {
  const file = join(folder, name);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    const secret = make();
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
    return secret;
  }
}
