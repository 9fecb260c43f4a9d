import { z } from 'zod';
import { readInteger, wireText } from '#shared/values/schema.ts';

/** Protocols for uploads, recognised by the port and the server's first message. */
export const uploadProtocols = {
  sftp: { label: 'SFTP' },
  ftps: { label: 'FTPS (explizit)' },
  ftps_implicit: { label: 'FTPS (implizit)' },
} as const;
export type UploadProtocol = keyof typeof uploadProtocols;
export const uploadProtocolNames = ['sftp', 'ftps', 'ftps_implicit'] as const satisfies readonly UploadProtocol[];

const noControl = (text: string) => !/\p{Cc}/u.test(text);
const dir = wireText(255)
  .refine(noControl, 'Das Zielverzeichnis darf keine Steuerzeichen enthalten.')
  .refine((text) => !text.split('/').includes('..'), 'Das Zielverzeichnis darf kein „..“ enthalten.');
const filename = wireText(128)
  .refine(
    (text) => text === '' || /^[\w.\- äöüÄÖÜß]{1,128}$/.test(text),
    'Im Dateinamen erlaubt sind Buchstaben, Ziffern, Leerzeichen, Punkt, Binde- und Unterstrich.',
  )
  .refine((text) => !/^[. ]*\.[. ]*$/.test(text), 'Ein Dateiname besteht nicht nur aus Punkten.');
/** Returns why a host is invalid, in German; undefined if it is valid. */
export function hostComplaint(text: string): string | undefined {
  if (text.trim() === '') return 'Bitte geben Sie „Host“ an.';
  if (!/^[A-Za-z0-9.:[\]-]+$/.test(text.trim()))
    return 'Der Host ist ein Name oder eine IP-Adresse, ohne Protokoll und ohne Pfad.';
  return undefined;
}
const host = wireText(253).superRefine((text, context) => {
  const complaint = text === '' ? undefined : hostComplaint(text);
  if (complaint !== undefined) context.addIssue({ code: 'custom', message: complaint });
});
/** FTP-01: an empty port becomes the one that the form proposes. */
export const uploadPort = z.preprocess(
  (value) => (value === '' || value === null || value === undefined ? 22 : readInteger(value)),
  z.number('Der Port ist eine ganze Zahl von 1 bis 65535.').int().min(1).max(65_535),
);
const flag = z.union([
  z.boolean(),
  z.enum(['true', 'false', '1', '0', 'on', '']).transform((text) => /^(true|1|on)$/.test(text)),
]);

/** FTP-01: the fields that an upload needs; the port has a default. */
const needed = [
  ['host', 'Bitte geben Sie „Host“ an.'],
  ['user', 'Bitte geben Sie „Benutzername“ an.'],
  ['pass', 'Bitte geben Sie „Passwort“ an.'],
  [
    'dir',
    'Bitte geben Sie „Zielverzeichniss Server“ an: „/“ ist das oberste Verzeichnis, „.“ das, in dem die Anmeldung beginnt.',
  ],
  ['filename', 'Bitte geben Sie „Dateiname Server“ an.'],
] as const;
type NeededField = (typeof needed)[number][0];

/** Returns what an upload lacks. `kept`: fields that may be empty because of what is stored. */
export function missingFields(
  upload: Readonly<Record<NeededField, string>>,
  kept: Readonly<{ pass: boolean; dir: boolean }>,
): { field: NeededField; message: string }[] {
  const mayBeEmpty = (field: NeededField) => (field === 'pass' || field === 'dir') && kept[field];
  return needed
    .filter(([field]) => upload[field].trim() === '' && !mayBeEmpty(field))
    .map(([field, message]) => ({ field, message }));
}

/** Whether an upload was stored without a folder, which older versions allowed: it stays as it is until it is edited. */
export const keepsEmptyDir = ({ host, dir }: { host: string; dir: string }): boolean => host !== '' && dir === '';

/** FTP-02, as the form sends it: when switched off, the fields are empty and the stored values stay. */
export const UploadSave = z
  .object({
    active: flag.default(false),
    host,
    port: uploadPort,
    user: wireText(255),
    /** Empty: the stored one is kept. */
    pass: wireText(1000),
    dir,
    filename,
    /** SHA-256 of the server's key or certificate that a user has confirmed. */
    fingerprint: wireText(200).optional(),
  })
  .superRefine((upload, context) => {
    if (!upload.active) return;
    // Only the stored upload tells whether a password and a folder must be given.
    for (const { field, message } of missingFields(upload, { pass: true, dir: true }))
      context.addIssue({ code: 'custom', path: [field], message });
  })
  .meta({ id: 'UploadSave' });
export type UploadSave = z.infer<typeof UploadSave>;

/** The stored settings, without the password. */
export const UploadSettings = z
  .object({
    active: z.boolean().default(false),
    host: z.string().default(''),
    port: z.number().int().default(22),
    user: z.string().default(''),
    dir: z.string().default(''),
    filename: z.string().default(''),
    fingerprint: z.string().default(''),
  })
  .meta({ id: 'UploadSettings' });
export type UploadSettings = z.infer<typeof UploadSettings>;

/** Members of the check's body that can be invalid. */
export const uploadCheckFields = ['host', 'port', 'username', 'password'] as const;
export type UploadCheckField = (typeof uploadCheckFields)[number];

/** FTP-03: the specified response; `protocol`, `fingerprint` and `field` are additions. */
export const UploadCheck = z
  .object({
    success: z.boolean(),
    directories: z.array(z.string()),
    error: z.string(),
    protocol: z.enum(uploadProtocolNames).nullable().default(null),
    /** SHA-256 of the host key, or of a certificate without a trusted issuer; '' if there is nothing to confirm. */
    fingerprint: z.string().default(''),
    /** The field that has to be corrected; null: the error is at the server, or unknown. */
    field: z.enum(uploadCheckFields).nullable().default(null),
  })
  .meta({ id: 'UploadCheck' });
export type UploadCheck = z.infer<typeof UploadCheck>;
