import type { UploadSettings } from '#shared/upload/schema.ts';

export type SignIn = Pick<UploadSettings, 'host' | 'port' | 'user'>;
type Stored = { active: boolean; host: string; port: string; user: string };

/**
 * Returns the server and user for which a password is stored; null: none is. `now`: the form's stored state, which is newer than
 * the loaded one after a save until the page has loaded it again: the server accepts no active upload without a password.
 */
export function storedSignIn(
  loaded: { revision: number; settings: SignIn; passSet: boolean },
  now: { revision: number; stored: Stored },
): SignIn | null {
  const { active, host, port, user } = now.stored;
  if (now.revision <= loaded.revision) return loaded.passSet ? loaded.settings : null;
  return active || loaded.passSet ? { host, port: Number(port || '22'), user } : null;
}
