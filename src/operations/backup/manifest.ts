import { createHmac } from 'node:crypto';
import { z } from 'zod';

/** What a backup holds, with a hash of everything; the last entry but one of the archive. */
export const Manifest = z.object({
  format: z.literal(1),
  program: z.string(),
  madeAt: z.iso.datetime(),
  /** Tells whether an installation's secret is the one that the backup's passwords and personal data are sealed with. */
  keyMark: z.string(),
  migrations: z.array(z.object({ number: z.number().int(), name: z.string(), checksum: z.string() })),
  /** In an order in which no row refers to one that is not there yet. */
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.number().int(),
      /** Over the rows as PostgreSQL writes them, line by line. */
      rowsSha256: z.string(),
      /** Over the entry of the archive. */
      sha256: z.string(),
    }),
  ),
  files: z.array(z.object({ path: z.string(), bytes: z.number().int(), sha256: z.string() })),
});
export type Manifest = z.infer<typeof Manifest>;

export const MANIFEST = 'manifest.json';
export const MANIFEST_HASH = 'manifest.json.sha256';
export const tableEntry = (name: string): string => `database/${name}.jsonl.gz`;
export const fileEntry = (path: string): string => `files/${path}`;

/** Shows which secret this is without telling anything else about it. */
export const keyMarkOf = (secret: string): string =>
  createHmac('sha256', secret).update('kontor backup').digest('hex').slice(0, 16);
