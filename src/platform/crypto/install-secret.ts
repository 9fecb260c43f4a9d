import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file in the data folder that holds the installation's secret where `KONTOR_SECRET` does not. */
export const secretFile = (folder: string): string => join(folder, 'geheimnis');

/** The secret that stands in a file; undefined where there is none. */
export function readSecretFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    return undefined;
  }
}

/** Keeps a secret in a new file (mode 0600) that is on the disk when this returns. @throws where the file is there already */
export const writeSecretFile = (file: string, secret: string): void =>
  writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });

/**
 * A secret of the installation, kept beside its data (mode 0600) and made on the first start. Losing it ends all
 * sessions and makes stored credentials unreadable; it does not belong into the backup of the data.
 */
export function storedSecret(folder: string, make: () => string): string {
  const file = secretFile(folder);
  const known = readSecretFile(file);
  if (known !== undefined) return known;
  const secret = make();
  writeSecretFile(file, secret);
  return secret;
}

/** Shows which secret this is without telling anything else about it. */
export const keyMarkOf = (secret: string): string =>
  createHmac('sha256', secret).update('kontor backup').digest('hex').slice(0, 16);
