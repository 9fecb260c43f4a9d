import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Path of the file in the data folder that holds the installation's secret if `KONTOR_SECRET` is not set. */
export const secretFile = (folder: string): string => join(folder, 'geheimnis');

/** Returns the secret in a file; undefined if the file does not exist. */
export function readSecretFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    return undefined;
  }
}

/** Writes a secret to a new file (mode 0600), which is on the disk when this returns. @throws if the file exists already */
export const writeSecretFile = (file: string, secret: string): void =>
  writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });

/**
 * Returns the installation's secret, stored next to its data (mode 0600) and made at the first start. Losing it ends all
 * sessions and makes stored credentials unreadable; it does not belong in the backup of the data.
 */
export function storedSecret(folder: string, make: () => string): string {
  const file = secretFile(folder);
  const known = readSecretFile(file);
  if (known !== undefined) return known;
  const secret = make();
  writeSecretFile(file, secret);
  return secret;
}

/** Returns a fingerprint that identifies a secret without revealing anything else about it. */
export const secretFingerprint = (secret: string): string =>
  createHmac('sha256', secret).update('kontor backup').digest('hex').slice(0, 16);
