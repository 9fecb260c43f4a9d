import { loadDocument, saveDocument } from '#platform/db/documents.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Trx } from '#platform/db/database.ts';
import { keepSecret, readSecret } from '#platform/crypto/credentials.ts';
import { UploadSettings, type UploadSave } from '#shared/upload/schema.ts';
import type { Account } from './remote.ts';

const passPlace = (id: string) => `upload:${id}`;

/** Where an export's files go, without the password. */
export async function loadUpload(
  trx: Trx,
  company: string,
  id: string,
): Promise<{ settings: UploadSettings; revision: number }> {
  const { body, revision } = await loadDocument(trx, company, 'upload', `export:${id}`);
  return { settings: UploadSettings.parse(body === undefined ? {} : JSON.parse(body)), revision };
}

/** The stored password; undefined if none was ever given. */
export const uploadPassword = (trx: Trx, vault: Vault, company: string, id: string) =>
  readSecret(trx, vault, { company, place: passPlace(id) });

/**
 * Stores what the form sent. Switched off (FTP-02) it comes empty and everything stored stays; an empty password keeps the old
 * one; another host or port needs its key confirmed anew.
 */
export async function saveUpload(
  trx: Trx,
  vault: Vault,
  place: { company: string; id: string },
  sent: UploadSave,
  save: { author: string; expected: number | undefined },
): Promise<number> {
  const { company, id } = place;
  const { settings } = await loadUpload(trx, company, id);
  const { pass, active, host, port, user, dir, filename } = sent;
  const moved = host.trim() !== settings.host || port !== settings.port;
  const fingerprint = sent.fingerprint ?? (moved ? '' : settings.fingerprint);
  const body: UploadSettings = active
    ? { active, host: host.trim(), port, user: user.trim(), dir: dir.trim(), filename: filename.trim(), fingerprint }
    : { ...settings, active };
  if (active && pass !== '') await keepSecret(trx, vault, { company, place: passPlace(id) }, pass);
  return saveDocument(
    trx,
    { company, subject: 'upload', scope: `export:${id}` },
    { body: JSON.stringify(body), ...save },
  );
}

export const accountOf = ({ host, port, user, fingerprint }: UploadSettings, pass: string): Account => ({
  host,
  port,
  user,
  fingerprint,
  pass,
});
