import { join, resolve } from 'node:path';
import { z } from 'zod';
import { readStore, storeEnvironment, type StoreSettings } from '#platform/storage/store-settings.ts';
import { readTraces, type TraceSettings, tracesEnvironment } from '#platform/telemetry/otlp/settings.ts';
import { refusalText } from '#platform/http/refusal-texts.ts';
import { readTrustedProxies, type TrustedProxies } from '#platform/http/trusted-proxies.ts';

/** The European Central Bank's rates of the last 90 days, so that days on which this program did not run are not missing. */
const ECB_RATES = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml';

/** A terabyte: a larger number is taken for a mistake. */
const MOST_IMPORT_GB = 1000;

/** An empty text counts as unset, as compose passes on unset variables: no limit. */
const quota = (number: z.ZodType<number>) =>
  z.preprocess((text) => (text === '' ? undefined : text), number.optional());

const Environment = z.object({
  ...storeEnvironment,
  ...tracesEnvironment,
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  KONTOR_HOST: z.string().default('127.0.0.1'),
  KONTOR_DATA: z.string().default('data'),
  /** Public address, if a proxy is in front: decides about secure cookies and addresses shown to users. */
  KONTOR_URL: z
    .url()
    // Paths are appended to it: with a slash at its end every link in an e-mail would be wrong.
    .transform((text) => new URL(text).href.replace(/\/+$/, ''))
    .optional(),
  KONTOR_TRUST_PROXY: z
    .string()
    .transform((text, context) => {
      const proxies = readTrustedProxies(text);
      if (proxies !== undefined) return proxies;
      context.addIssue({
        code: 'custom',
        message:
          'Erwartet werden Adressen oder Netze der vertrauten Proxys (127.0.0.1, 10.0.0.0/8), durch Komma getrennt, oder die Zahl der Proxys (1 bis 99). Ohne Proxy bleibt die Einstellung weg.',
      });
      return z.NEVER;
    })
    .optional(),
  KONTOR_ROLE: z.enum(['web', 'worker', 'all']).default('all'),
  KONTOR_LOG: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  KONTOR_ADMIN_EMAIL: z.string().optional(),
  KONTOR_ADMIN_PASSWORD: z.string().optional(),
  KONTOR_API_TOKEN: z.string().min(20).optional(),
  /** Token that opens /metrics when sent as a bearer token; without it nothing is measured. */
  KONTOR_METRICS_TOKEN: z.string().min(32).optional(),
  KONTOR_COMPANY: z.string().default('Meine Firma'),
  KONTOR_DEMO: z.enum(['0', '1']).optional(),
  /** Key that encrypts backups: a passphrase of at least 12 characters, or the absolute path of a key file. */
  KONTOR_BACKUP_KEY: z.string().min(1).optional(),
  KONTOR_MEMORY: z
    .string()
    .regex(/^[1-9]\d{0,5}(MB|GB)$/, 'Erwartet wird der Speicher für DuckDB, in MB oder GB, etwa 2GB.')
    .default('2GB'),
  /** Exports of more items than this are computed in parts, by all workers. */
  KONTOR_PARTS_ABOVE: z.coerce.number().int().positive().default(20_000_000),
  /** Largest file of an import in GB, uploaded or downloaded; unset: 2 GB uploaded, 4 GB downloaded. */
  KONTOR_IMPORT_GB: z
    .string()
    .transform((text, context) => {
      if (text === '') return undefined;
      const gigabytes = Number(text);
      if (gigabytes > 0 && gigabytes <= MOST_IMPORT_GB) return Math.ceil(gigabytes * 1024 ** 3);
      context.addIssue({
        code: 'custom',
        message: `Erwartet wird, wie viele GB eine Datei für einen Import höchstens haben darf: eine Zahl größer als 0 und höchstens ${MOST_IMPORT_GB}, etwa 20. Ohne die Einstellung sind es 2 GB beim Hochladen und 4 GB beim Abruf.`,
      });
      return z.NEVER;
    })
    .optional(),
  /** CSV files of more GB than this, uploaded in pieces, are imported in parts, by all workers. */
  KONTOR_IMPORT_PARTS_ABOVE_GB: z.coerce.number().positive().default(20),
  /** Limits of each company; unset: no limit. */
  KONTOR_QUOTA_GB: quota(z.coerce.number().positive()),
  KONTOR_QUOTA_CATALOGUES: quota(z.coerce.number().int().positive()),
  KONTOR_QUOTA_EXPORTS: quota(z.coerce.number().int().positive()),
  KONTOR_QUOTA_JOBS: quota(z.coerce.number().int().positive()),
  /** Days that price decisions stay in the database, then in files; only the page 'Warum dieser Preis?' shows older ones. */
  KONTOR_DECISIONS_DAYS: z.coerce.number().int().min(31).default(90),
  /** Days for which the prices of each seller are kept by the minute. */
  KONTOR_OFFER_MINUTES_DAYS: z.coerce.number().int().min(31).default(90),
  /** The operator's emergency stop of all prices of all companies: 1 sets it at the start, 0 lifts it; unset: nothing changes. */
  KONTOR_PRICE_STOP: z.enum(['0', '1']).optional(),
  /** Source of the currencies' reference rates; unset: none are fetched. */
  KONTOR_EXCHANGE_RATES: z
    .union([z.literal('ecb').transform(() => ECB_RATES), z.url({ protocol: /^https?$/ })])
    .optional(),
  /** Lets imports connect to this machine itself; only for the project's own tests (T1). */
  KONTOR_EGRESS_LOOPBACK: z.enum(['0', '1']).default('0'),
  NODE_ENV: z.string().optional(),
});

export type Config = {
  port: number;
  host: string;
  publicUrl: string | undefined;
  /** undefined: the connected peer is the client. */
  trustProxy: TrustedProxies | undefined;
  dataFolder: string;
  /** Parquet and delivered files; the only folder that DuckDB may access. */
  itemsFolder: string;
  databaseFolder: string;
  databaseUrl: string | undefined;
  /** Where files are stored; undefined: in the data folder. */
  store: StoreSettings | undefined;
  role: 'web' | 'worker' | 'all';
  logLevel: string;
  secret: string | undefined;
  /** Key that encrypts backups: a passphrase, or the absolute path of a file. */
  backupKey: string | undefined;
  memory: string;
  partsAbove: number;
  /** Largest file of an import in bytes; undefined: the defaults (feed/import/file-limits.ts). */
  importBytes: number | undefined;
  importPartsAbove: number;
  admin: { email: string; password: string } | undefined;
  /** Limits of each company; undefined: no limit. */
  quotas: Readonly<Record<'bytes' | 'catalogues' | 'exports' | 'jobs', number | undefined>>;
  /** How long data is kept that grows with every offer message, in days. */
  keptDays: { decisions: number; offerMinutes: number };
  apiToken: string | undefined;
  /** undefined: nothing is measured, and /metrics does not exist. */
  metricsToken: string | undefined;
  /** undefined: no spans are made. */
  traces: TraceSettings | undefined;
  company: string;
  demo: boolean | undefined;
  egressLoopback: boolean;
  /** Whether a seller account is active only if its company requires a second factor of all users. */
  factorForOrders: boolean;
  /** undefined: leaves the stop unchanged. */
  priceStop: boolean | undefined;
  /** undefined: no rates are fetched. */
  exchangeRates: string | undefined;
};

/**
 * Returns the variables that look like settings of the program but are none, each with the setting that was probably meant: a
 * misspelt limit or port must not stay without effect unnoticed. Names of the scripts and tests are left out.
 */
export function unknownSettings(environment: Readonly<Record<string, string | undefined>>) {
  const known = Object.keys(Environment.shape);
  return Object.keys(environment)
    .filter((name) => /^KONTOR_(?!TEST_|BENCH_|NEW_SECRET$)/.test(name) && !known.includes(name))
    .map((name) => ({ name, meant: known.find((other) => name === `KONTOR_${other}`) }));
}

/** Reads the settings from the environment. Throws with a German sentence that names the invalid one. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const parsed = Environment.safeParse(environment, { error: refusalText });
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new Error(`Die Einstellung ${issue?.path.join('.')} ist ungültig: ${issue?.message}`);
  }
  const env = parsed.data;
  if (env.KONTOR_EGRESS_LOOPBACK === '1' && env.NODE_ENV !== 'test') {
    throw new Error('KONTOR_EGRESS_LOOPBACK ist nur für Tests gedacht; der Start wird verweigert.');
  }
  if ((env.KONTOR_ADMIN_EMAIL === undefined) !== (env.KONTOR_ADMIN_PASSWORD === undefined)) {
    throw new Error('KONTOR_ADMIN_EMAIL und KONTOR_ADMIN_PASSWORD gehören zusammen: bitte beide setzen oder keine.');
  }
  if (env.KONTOR_ROLE !== 'all' && env.DATABASE_URL === undefined) {
    throw new Error(
      `KONTOR_ROLE=${env.KONTOR_ROLE} braucht DATABASE_URL: Prozesse, die sich die Arbeit teilen, brauchen eine gemeinsame Datenbank.`,
    );
  }
  const dataFolder = resolve(env.KONTOR_DATA);
  return {
    port: env.PORT,
    host: env.KONTOR_HOST,
    publicUrl: env.KONTOR_URL,
    trustProxy: env.KONTOR_TRUST_PROXY,
    dataFolder,
    itemsFolder: join(dataFolder, 'items'),
    databaseFolder: join(dataFolder, 'database'),
    databaseUrl: env.DATABASE_URL,
    store: readStore(env, env.KONTOR_IMPORT_GB),
    role: env.KONTOR_ROLE,
    logLevel: env.KONTOR_LOG,
    secret: env.KONTOR_SECRET,
    backupKey: env.KONTOR_BACKUP_KEY,
    memory: env.KONTOR_MEMORY,
    partsAbove: env.KONTOR_PARTS_ABOVE,
    importBytes: env.KONTOR_IMPORT_GB,
    importPartsAbove: env.KONTOR_IMPORT_PARTS_ABOVE_GB * 1024 ** 3,
    admin:
      env.KONTOR_ADMIN_EMAIL !== undefined && env.KONTOR_ADMIN_PASSWORD !== undefined
        ? { email: env.KONTOR_ADMIN_EMAIL.trim().toLowerCase(), password: env.KONTOR_ADMIN_PASSWORD }
        : undefined,
    quotas: {
      bytes: env.KONTOR_QUOTA_GB === undefined ? undefined : env.KONTOR_QUOTA_GB * 1e9,
      catalogues: env.KONTOR_QUOTA_CATALOGUES,
      exports: env.KONTOR_QUOTA_EXPORTS,
      jobs: env.KONTOR_QUOTA_JOBS,
    },
    keptDays: { decisions: env.KONTOR_DECISIONS_DAYS, offerMinutes: env.KONTOR_OFFER_MINUTES_DAYS },
    apiToken: env.KONTOR_API_TOKEN,
    metricsToken: env.KONTOR_METRICS_TOKEN,
    traces: readTraces(env),
    company: env.KONTOR_COMPANY,
    demo: env.KONTOR_DEMO === undefined ? undefined : env.KONTOR_DEMO === '1',
    egressLoopback: env.KONTOR_EGRESS_LOOPBACK === '1',
    // Marketplaces of tests on this machine have no real customers.
    factorForOrders: env.KONTOR_EGRESS_LOOPBACK !== '1',
    priceStop: env.KONTOR_PRICE_STOP === undefined ? undefined : env.KONTOR_PRICE_STOP === '1',
    exchangeRates: env.KONTOR_EXCHANGE_RATES,
  };
}
