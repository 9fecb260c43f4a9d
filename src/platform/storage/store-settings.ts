import { z } from 'zod';

/** Settings of the operator; users cannot choose an address here. */
export const storeEnvironment = {
  KONTOR_STORE: z
    .string()
    .regex(/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[A-Za-z0-9._-]+)*\/?$/, {
      error:
        'Erwartet wird s3://bucket oder s3://bucket/ordner; Ordner bestehen aus Buchstaben, Ziffern, Punkt, Binde- und Unterstrich.',
    })
    .optional(),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'Erwartet wird die Adresse des Dateispeichers, etwa https://s3.beispiel.de.' })
    .optional(),
  S3_REGION: z.string().min(1).optional(),
  AWS_REGION: z.string().min(1).optional(),
  S3_ACCESS_KEY: z.string().min(1).optional(),
  AWS_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_KEY: z.string().min(1).optional(),
  AWS_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  KONTOR_STORE_CACHE_GB: z.coerce.number().positive().default(10),
  /** Whether requests for feeds are redirected to a signed address of the bucket. */
  KONTOR_STORE_REDIRECTS: z.enum(['0', '1']).optional(),
  DATABASE_URL: z.string().optional(),
  KONTOR_SECRET: z.string().min(32).optional(),
};
const StoreEnvironment = z.object(storeEnvironment);

export type StoreSettings = {
  /** KONTOR_STORE as the operator wrote it. */
  readonly name: string;
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly cacheBytes: number;
  /** Whether clients that fetch a feed are redirected to the bucket. */
  readonly redirects: boolean;
};

/**
 * Reads the settings; undefined: files are stored in the data folder. `importBytes`: size of the largest file that one machine
 * must be able to hold.
 * @throws a German sentence if settings that belong together are missing
 */
export function readStore(env: z.output<typeof StoreEnvironment>, importBytes = 0): StoreSettings | undefined {
  const { KONTOR_STORE: name, S3_ENDPOINT: endpoint } = env;
  if (name === undefined) {
    if (env.KONTOR_STORE_REDIRECTS === '1')
      throw new Error(
        'KONTOR_STORE_REDIRECTS ist gesetzt, KONTOR_STORE (s3://bucket/ordner) aber nicht: aus dem Datenordner liefert Kontor selbst.',
      );
    if (endpoint === undefined) return undefined;
    throw new Error(
      'S3_ENDPOINT ist gesetzt, KONTOR_STORE (s3://bucket/ordner) aber nicht: bitte beide setzen oder keine.',
    );
  }
  const region = env.S3_REGION ?? env.AWS_REGION ?? (endpoint === undefined ? undefined : 'us-east-1');
  if (region === undefined)
    throw new Error('Zu KONTOR_STORE fehlt S3_ENDPOINT (die Adresse des Dateispeichers) oder, bei Amazon, S3_REGION.');
  const accessKey = env.S3_ACCESS_KEY ?? env.AWS_ACCESS_KEY_ID;
  const secretKey = env.S3_SECRET_KEY ?? env.AWS_SECRET_ACCESS_KEY;
  if (accessKey === undefined || secretKey === undefined)
    throw new Error('Zu KONTOR_STORE fehlen S3_ACCESS_KEY und S3_SECRET_KEY, der Schlüssel zum Dateispeicher.');
  if (env.DATABASE_URL === undefined)
    throw new Error(
      'KONTOR_STORE braucht DATABASE_URL: Dateien, die viele Rechner sehen, gehören zu einer Datenbank, die alle sehen.',
    );
  if (env.KONTOR_SECRET === undefined)
    throw new Error(
      'KONTOR_STORE braucht KONTOR_SECRET: sonst macht sich jeder Rechner ein eigenes und kann nicht lesen, was ein anderer versiegelt hat.',
    );
  const cacheBytes = env.KONTOR_STORE_CACHE_GB * 1e9;
  if (cacheBytes < importBytes)
    throw new Error(
      'KONTOR_IMPORT_GB ist größer als KONTOR_STORE_CACHE_GB: eine so große Datei fände auf dem Rechner, der sie liest, keinen Platz. Bitte den Platz für Kopien erhöhen oder die Grenze senken.',
    );
  const [bucket = '', ...folders] = name
    .slice('s3://'.length)
    .split('/')
    .filter((part) => part !== '');
  return {
    name,
    endpoint: (endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, ''),
    region,
    accessKey,
    secretKey,
    bucket,
    prefix: folders.map((folder) => `${folder}/`).join(''),
    cacheBytes,
    redirects: env.KONTOR_STORE_REDIRECTS === '1',
  };
}
