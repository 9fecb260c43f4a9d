import { loadDocument, lockDocument, saveDocument } from '#platform/db/documents.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Trx } from '#platform/db/database.ts';
import { hasSecretFor, saveSecret, readSecret, type Receiver } from '#platform/crypto/credentials.ts';
import { unprocessable } from '#platform/errors.ts';
import { keepsEmptyDir, missingFields, UploadSettings, type UploadSave } from '#shared/upload/schema.ts';
import type { Account } from './remote.ts';

type SignIn = Pick<UploadSettings, 'host' | 'port' | 'user'>;
const receiverOf = ({ host, port, user }: SignIn): Receiver => ({ host, port, user });

const passPlace = (id: string) => `upload:${id}`;

/** Loads an export's upload settings, without the password. */
export async function loadUpload(
  trx: Trx,
  company: string,
  id: string,
): Promise<{ settings: UploadSettings; revision: number }> {
  const { body, revision } = await loadDocument(trx, company, 'upload', `export:${id}`);
  return { settings: UploadSettings.parse(body === undefined ? {} : JSON.parse(body)), revision };
}

/** Whether a password is stored that was entered for this server and user: restored settings may name others. */
export const hasUploadPassword = (
  trx: Trx,
  vault: Vault,
  { company, id }: { company: string; id: string },
  signIn: SignIn,
): Promise<boolean> => hasSecretFor(trx, vault, { company, place: passPlace(id) }, receiverOf(signIn));

/**
 * Returns the stored password for this server and user; undefined if none is stored. `field`: the form field to report.
 * @throws 422 if it was entered for another server or user: a user who may only change settings must not have it sent elsewhere
 * (T17)
 */
export async function uploadPassword(
  trx: Trx,
  vault: Vault,
  { company, id }: { company: string; id: string },
  signIn: SignIn,
  field?: string,
): Promise<string | undefined> {
  const { settings } = await loadUpload(trx, company, id);
  return readSecret(
    trx,
    vault,
    { company, place: passPlace(id) },
    { receiver: receiverOf(signIn), before: receiverOf(settings), ...(field === undefined ? {} : { field }) },
  );
}

/**
 * Stores the submitted form. If upload is switched off (FTP-02) the form comes empty and everything stored is kept. An empty
 * password keeps the old one, for the same server and user; a new host or port needs its key confirmed again.
 */
export async function saveUpload(
  trx: Trx,
  vault: Vault,
  ref: { company: string; id: string },
  sent: UploadSave,
  save: { author: string; expected: number | undefined },
): Promise<number> {
  const { company, id } = ref;
  const place = { company, subject: 'upload', scope: `export:${id}` };
  await lockDocument(trx, place);
  const { settings } = await loadUpload(trx, company, id);
  const { pass, active, host, port, user, dir, filename } = sent;
  const targetChanged = host.trim() !== settings.host || port !== settings.port;
  const fingerprint = sent.fingerprint ?? (targetChanged ? '' : settings.fingerprint);
  const body: UploadSettings = active
    ? { active, host: host.trim(), port, user: user.trim(), dir: dir.trim(), filename: filename.trim(), fingerprint }
    : { ...settings, active };
  if (active) {
    const text = pass === '' ? await uploadPassword(trx, vault, ref, body, 'pass') : pass;
    const missing = missingFields({ ...body, pass: text ?? '' }, { pass: false, dir: keepsEmptyDir(settings) });
    if (text === undefined || missing.length > 0)
      throw unprocessable('invalid', missing.map(({ message }) => message).join(' '), missing);
    await saveSecret(trx, vault, { company, place: passPlace(id), receiver: receiverOf(body) }, text);
  }
  // The password is not part of the document.
  const note = active && pass !== '' ? 'Passwort neu eingegeben' : undefined;
  return saveDocument(trx, place, { body: JSON.stringify(body), note, ...save });
}

export const accountOf = ({ host, port, user, fingerprint }: UploadSettings, pass: string): Account => ({
  host,
  port,
  user,
  fingerprint,
  pass,
});
