import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { exportid, id, Saved } from '#shared/http/call-parts.ts';
import { Run } from '#shared/runs/schema.ts';
import { UploadCheck, uploadPort, UploadSave, UploadSettings } from './schema.ts';
import { wireText } from '#shared/values/schema.ts';

export const uploadCalls = {
  upload: {
    method: 'GET',
    path: '/api/exports/{id}/upload',
    summary: 'Übertragung per SFTP oder FTPS: Einstellungen ohne Passwort, und die letzten Übertragungen',
    access: 'read',
    params: exportid,
    response: z.object({
      settings: UploadSettings,
      passSet: z.boolean(),
      revision: z.number().int(),
      runs: z.array(Run),
    }),
  },
  /** Saves the upload settings (FTP-02). */
  saveUpload: {
    security: 'secret',
    method: 'POST',
    path: '/api/exports/{id}/upload',
    summary: 'Übertragung per SFTP oder FTPS einstellen',
    access: 'edit',
    stepUp: true,
    ifMatch: true,
    params: exportid,
    body: UploadSave,
    form: true,
    response: Saved,
  },
  uploadNow: {
    method: 'POST',
    path: '/api/exports/{id}/upload/now',
    summary: 'Die angenommene Datei jetzt (noch einmal) übertragen',
    access: 'run',
    params: exportid,
    response: z.object({ runid: id }),
  },
  /** Checks the connection to a server (FTP-03). */
  checkUpload: {
    method: 'POST',
    path: '/notify/check-ftps',
    summary: 'Verbindung zu einem SFTP- oder FTPS-Server prüfen',
    access: 'edit',
    body: z.object({
      host: wireText(253),
      port: uploadPort,
      username: wireText(255),
      password: wireText(1000),
      /** Not in the specification: an export whose stored password is used for an empty one. */
      id: id.optional(),
      /** Not in the specification: the fingerprint that was confirmed before. */
      fingerprint: wireText(200).optional(),
    }),
    form: true,
    response: UploadCheck,
  },
} as const satisfies Record<string, Call>;
